"""The ring of spaces: any number of them, clockwise round a square; from above on paper, from one corner on screens."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from companion.engine.journal import Json
from companion.game_api.drawing import (
    BARRED,
    GO_ON,
    LAWN,
    LIT,
    OUTLINE,
    PAD,
    TILE,
    TILE_LEFT,
    TILE_LINE,
    TILE_RIGHT,
    Disc,
    DrawnShape,
    Polygon,
    Prose,
    Rectangle,
    TextLine,
)
from companion.game_api.ui import Language
from companion.games.monopoly_builder.drawings.chips import (
    BACKS,
    KINDS,
    LINE,
    ON_KINDS,
    PAPER,
    SECOND,
    chip,
    colours_of,
    letter,
    of_set,
)
from companion.games.monopoly_builder.drawings.isometric import (
    ACCENT,
    BLOCKS,
    DEEP,
    EDGE,
    SIDE,
    SLAB,
    FaceTones,
    badge,
    box,
    flat,
    lying_disc,
    project,
    sign_on,
    wall,
)

_BAND = 9.0
_TABLE_FROM = 2


@dataclass(frozen=True, slots=True)
class SpaceRectangle:
    """A space's rectangle."""

    x: float
    y: float
    width: float
    height: float


def places(count: int) -> tuple[SpaceRectangle, ...]:
    """Lay out a ring: each side begins with a corner of its own and ends before the next one's."""
    laid: list[SpaceRectangle] = []
    length = SIDE - DEEP
    for side in range(4):
        position = [number for number in range(count) if number * 4 // count == side]
        step = length / max(1, len(position))
        for place in range(len(position)):
            along = place * step
            laid.append(
                (
                    SpaceRectangle(along, 0, step, DEEP),
                    SpaceRectangle(length, along, DEEP, step),
                    SpaceRectangle(SIDE - along - step, length, step, DEEP),
                    SpaceRectangle(0, SIDE - along - step, DEEP, step),
                )[side]
            )
    return tuple(laid)


def ring(catalog: Json, words: Language, owners: Mapping[str, str]) -> list[DrawnShape]:
    """Draw the spaces; ``owners``: the colour of each deed's owner."""
    colours = colours_of(catalog)
    shapes: list[DrawnShape] = []
    for place, space in zip(places(len(catalog["spaces"])), catalog["spaces"], strict=True):
        shapes.append(Rectangle(place.x, place.y, place.width, place.height, fill=PAPER, line=LINE, thick=0.6))
        deed = catalog["deeds"].get(space["deed"])
        if deed is None and space["deed"]:  # of a box that is being taught
            shapes.append(Prose(place.x + 2, place.y + 3, place.width - 4, 13, 6, space["deed"]))
        elif deed is not None:
            shapes += _deed(place, deed, of_set(deed["colour"], colours), words, owners.get(space["deed"]))
        else:
            shapes += _space(place, space, words)
    return shapes


def _deed(place: SpaceRectangle, deed: Json, fill: str, words: Language, owner: str | None) -> list[DrawnShape]:
    left, width = place.x + 2, place.width - 4
    name = str(deed["names"].get(words.language) or deed["name"])
    shapes: list[DrawnShape] = [
        Rectangle(place.x, place.y, place.width, _BAND, fill=fill, line=LINE, thick=0.4),
        Prose(left, place.y + _BAND + 2, width, 13, 5, name),
        *chip(deed["kind"], place.x + 7, place.y + place.height - 7.5, 5, words),
        TextLine(
            place.x + 14, place.y + place.height - 5.6, 5.4, " · ".join(map(str, deed["numbers"])), bold=True, room=16
        ),
        TextLine(
            place.x + place.width - 2,
            place.y + place.height - 5.6,
            4.6,
            words.money(deed["price"]),
            "right",
            colour=SECOND,
            room=width - 30,
        ),
    ]
    if owner:
        shapes.append(Rectangle(place.x + 1, place.y + 1, place.width - 2, place.height - 2, line=owner, thick=2.4))
        shapes.append(Polygon(_flag(place), fill=owner))
    return shapes


def _flag(place: SpaceRectangle) -> tuple[tuple[float, float], ...]:
    """Outline a corner flag: ownership that is seen without colours."""
    right, top = place.x + place.width - 1, place.y + 1
    return ((right - 11, top), (right, top), (right, top + 11))


def _space(place: SpaceRectangle, space: Json, words: Language) -> list[DrawnShape]:
    middle = place.x + place.width / 2
    title = words.say_in("space", space["type"])
    shapes: list[DrawnShape] = [Prose(place.x + 2, place.y + 3, place.width - 4, 13, 5, title)]
    if space["kind"]:
        shapes += chip(space["kind"], middle - 6, place.y + place.height * 0.62, 6.5, words)
        shapes.append(TextLine(middle + 3, place.y + place.height * 0.62 + 3, 8, "+2", bold=True))
    for number, kind in enumerate(space["table"]):
        x = place.x + 7 + (number % 4) * (place.width - 14) / 3
        y = place.y + 21 + (number // 4) * 10.5
        shapes += [*chip(kind, x, y, 4.2, words, str(number + _TABLE_FROM))]
    if space["type"] == "go":
        y = place.y + place.height - 15
        points = ((middle - 14, y), (middle + 4, y), (middle + 4, y - 6), (middle + 14, y + 3), (middle + 4, y + 12))
        shapes.append(Polygon((*points, (middle + 4, y + 6), (middle - 14, y + 6)), fill="#3a8a4a"))
    if space["type"] in ("jail", "go_to_jail"):
        y = place.y + place.height - 28
        shapes += [Rectangle(middle - 12 + 6 * bar, y, 1.8, 22, fill=SECOND) for bar in range(5)]
        shapes.append(Rectangle(middle - 14, y, 29, 22, line=SECOND, thick=1.2))
    if space["type"] in ("chance", "steal", "free_parking"):
        sign = {"chance": "?", "steal": "!", "free_parking": "P"}[space["type"]]
        y = place.y + place.height - 16
        shapes += [
            Disc(middle, y, 11, line=SECOND, thick=1.2),
            TextLine(middle, y + 5.4, 15, sign, "middle", bold=True, colour=SECOND),
        ]
    return shapes


# The same ring seen from one corner: signs, owners, chips, and the tokens on it.

_BASE = FaceTones(TILE, TILE_LEFT, TILE_RIGHT)
_STRIP, _BAR, _BAR_HIGH = 9.0, 7.0, 5.0
_BACK_DEEP, _BACK_SHORT = 26.0, 9.0
"""A deed that lies face down: how deep it is, and how much shorter than its space at either end."""
_SIGN, _LETTER = 14.0, 30.0
"""Radius of a sign on the board, and the size of its letter in the picture."""
_POLE, _BADGE, _BADGE_OF_MOVER = 44.0, 52.0, 68.0
_SIDEWAYS, _ABOVE = 29.0, 18.0
"""How far badges of tokens on one space are from its middle, and how far above them whoever moved last is."""
_WORDS = {"chance": "?", "steal": "!", "free_parking": "P"}
_SEEN_CHIPS = 6


@dataclass(frozen=True, slots=True)
class PlacedSpace:
    """A space of the ring: its rectangle, and which of the four sides it lies on (0: from GO on)."""

    place: SpaceRectangle
    side: int

    @property
    def middle(self) -> tuple[float, float]:
        """Return the middle of its rectangle."""
        return self.place.x + self.place.width / 2, self.place.y + self.place.height / 2

    def towards_town(self, distance: float) -> tuple[float, float]:
        """Return the place so far from its middle towards the town; negative: towards the edge of the board."""
        x, y = self.middle
        return (
            (x, y + distance),
            (x - distance, y),
            (x, y - distance),
            (x + distance, y),
        )[self.side]

    def along(self, distance: float, inwards: float = 0.0) -> tuple[float, float]:
        """Return the place so far from its middle along the ring, and towards the town."""
        x, y = self.towards_town(inwards)
        return (x + distance, y) if self.side % 2 == 0 else (x, y + distance)


def spaces_of(catalog: Json) -> tuple[PlacedSpace, ...]:
    """Return the spaces of a board in their order."""
    count = len(catalog["spaces"])
    return tuple(PlacedSpace(place, number * 4 // count) for number, place in enumerate(places(count)))


def draw_spaces(
    catalog: Json, words: Language, sites: Mapping[str, str | None], owners: Mapping[str, str], lit: int | None
) -> list[DrawnShape]:
    """Draw the board with its spaces.

    Args:
        catalog: The box as JSON.
        words: The reader's language.
        sites: The deed on each space that has one; ``None`` where it lies face down.
        owners: The seat that owns each deed.
        lit: The space where somebody landed.

    """
    colours = colours_of(catalog)
    shapes: list[DrawnShape] = [
        Polygon(wall((SIDE, 0), (0, 0), -SLAB, 0), fill=_BASE.left),
        Polygon(wall((0, 0), (0, SIDE), -SLAB, 0), fill=_BASE.right),
        Polygon(flat(0, 0, SIDE, SIDE), fill=TILE),
        Polygon(flat(DEEP, DEEP, SIDE - 2 * DEEP, SIDE - 2 * DEEP), fill=LAWN, line=TILE_LINE, thick=1.6),
    ]
    laid = spaces_of(catalog)
    for number, (space, values) in enumerate(zip(laid, catalog["spaces"], strict=True)):
        place = space.place
        fill = LIT if number == lit else None
        shapes.append(Polygon(flat(place.x, place.y, place.width, place.height), fill=fill, line=TILE_LINE, thick=1.6))
        lies = sites.get(str(number))
        deed = catalog["deeds"].get(lies)
        if deed is None:
            shapes += _face_down(space) if str(number) in sites else _sign(space, values)
        else:
            fill = of_set(deed["colour"], colours)
            shapes.append(Polygon(_along_edge(space, DEEP / 2 - _STRIP, _STRIP), fill=fill, line=TILE_LINE, thick=1))
            x, y = space.towards_town(1.5)
            kind = deed["kind"]
            shapes.append(lying_disc(x, y, _SIGN, KINDS[kind]))
            shapes.append(sign_on(x, y, _LETTER, letter(kind, words), ON_KINDS[kind]))
            if lies is not None and lies in owners:
                shapes += _bar(space, BLOCKS[owners[lies]])
    if lit is not None:
        place = laid[lit].place
        shapes.append(Polygon(flat(place.x, place.y, place.width, place.height), line=ACCENT, thick=5))
    return shapes


def _strip(space: PlacedSpace, inwards: float, deep: float, short: float = 0.0) -> tuple[float, float, float, float]:
    """Return a strip of a space along the ring, ``inwards`` from its middle, as x, y, width and height."""
    place = space.place
    x, y = space.towards_town(inwards)
    if space.side % 2 == 0:
        return place.x + short, min(y, y + deep * (1 - space.side)), place.width - 2 * short, deep
    return min(x, x + deep * (space.side - 2)), place.y + short, deep, place.height - 2 * short


def _along_edge(space: PlacedSpace, inwards: float, deep: float, short: float = 0.0) -> tuple[tuple[float, float], ...]:
    return flat(*_strip(space, inwards, deep, short))


def _face_down(space: PlacedSpace) -> list[DrawnShape]:
    """Draw the back of a deed that nobody has turned up."""
    outline = _along_edge(space, -_BACK_DEEP / 2, _BACK_DEEP, _BACK_SHORT)
    return [Polygon(outline, fill=BACKS["deeds"], line=TILE_LINE, thick=1)]


def _bar(space: PlacedSpace, tones: FaceTones) -> list[DrawnShape]:
    """Draw the low bar of a deed's owner, along the outer edge of its space."""
    return box(*_strip(space, -DEEP / 2 + 1, _BAR, 7), 0, _BAR_HIGH, tones)


def _sign(space: PlacedSpace, values: Json) -> list[DrawnShape]:
    x, y = space.middle
    if values["kind"]:
        kind = values["kind"]
        return [lying_disc(x, y, _SIGN + 3, KINDS[kind]), sign_on(x, y, _LETTER, "+2", ON_KINDS[kind])]
    match values["type"]:
        case "go":
            return [_arrow(space)]
        case "jail" | "go_to_jail":
            return _bars(space, locked=values["type"] == "jail")
        case "roll_for_resources":
            side = 1.7 * _SIGN
            outline = flat(x - side / 2, y - side / 2, side, side)
            pips = [lying_disc(x + step, y + step, 2.6, EDGE) for step in (-7.0, 0.0, 7.0)]
            return [Polygon(outline, fill="#ffffff", line=EDGE, thick=2.4), *pips]
        case kind if kind in _WORDS:
            ring_round = lying_disc(x, y, _SIGN, "#ffffff", EDGE, 2.4)
            return [ring_round, sign_on(x, y, _LETTER, _WORDS[kind], EDGE)]
        case _:
            return []


def _arrow(space: PlacedSpace) -> Polygon:
    """Draw the arrow on GO, the way that tokens go."""
    x, y = space.middle
    outline = ((-16, -6), (2, -6), (2, -14), (17, 0), (2, 14), (2, 6), (-16, 6))
    return Polygon(tuple(project(x + across, y + down) for across, down in outline), fill=GO_ON)


def _cell(space: PlacedSpace) -> tuple[float, float, float]:
    """Return the corner of the jail's cell that lies towards the town, and how large it is: the rest is a way past."""
    place, size = space.place, 0.66 * DEEP
    x = place.x + 2 if place.x > SIDE / 2 else place.x + place.width - size - 2
    y = place.y + 2 if place.y > SIDE / 2 else place.y + place.height - size - 2
    return x, y, size


def _bars(space: PlacedSpace, *, locked: bool) -> list[DrawnShape]:
    """Draw bars; of the jail itself only in the part of it in which one sits, not where one is just visiting."""
    x, y, size = _cell(space) if locked else (space.place.x + 8, space.place.y + 8, DEEP - 16)
    shapes: list[DrawnShape] = [Polygon(flat(x, y, size, size), fill=PAD, line=OUTLINE, thick=3)]
    for step in (0.25, 0.5, 0.75):
        line = (project(x + step * size, y), project(x + step * size, y + size))
        shapes.append(Polygon(line, line=OUTLINE, thick=3, closed=False))
    if not locked:
        cross = (project(x - 3, y - 3), project(x + size + 3, y + size + 3))
        shapes.append(Polygon(cross, line=BARRED, thick=5, closed=False))
    return shapes


def lying_chips(position: Json, words: Language, spaces: Sequence[PlacedSpace]) -> list[DrawnShape]:
    """Draw the chips that lie on spaces, where people find them."""
    shapes: list[DrawnShape] = []
    for number, chips in position["spaces"].items():
        space = spaces[int(number)]
        each = [kind for kind, count in chips.items() for _ in range(count)][:_SEEN_CHIPS]
        for at, kind in enumerate(each):
            x, y = space.along(14.0 * (at % 3 - 1), 13.0 - 15 * (at // 3))
            shapes.append(lying_disc(x, y, 8.5, KINDS[kind], EDGE, 1.2, z=3))
            shapes.append(sign_on(x, y, 18, letter(kind, words), ON_KINDS[kind], z=3))
    return shapes


def tokens(
    players: Mapping[str, Json], initials: Mapping[str, str], spaces: Sequence[PlacedSpace], mover: str | None
) -> Iterator[DrawnShape]:
    """Draw a token for each player who still moves, the nearest last; ``mover``: who moved last, larger and ringed.

    Those on one space stand side by side, a third and a fourth on longer poles, and whoever moved last above them.
    """
    together: dict[tuple[int, bool], list[str]] = {}
    for player, values in players.items():
        if not values["bankrupt"]:
            together.setdefault((int(values["space"]), bool(values["in_jail"])), []).append(player)
    feet = {where: _foot(spaces[where[0]], in_jail=where[1]) for where in together}
    for where in sorted(together, key=lambda where: -sum(feet[where])):
        standing = sorted(together[where], key=lambda player: player == mover)
        others = [player for player in standing if player != mover]
        for at, player in reversed(list(enumerate(standing))):
            row = (at + 1) // 2 if player == mover and others else at // 2
            across = 0.0 if player == mover or len(others) == 1 else _SIDEWAYS * (1 if at % 2 else -1)
            rise = row * (_BADGE + 6) + (_ABOVE if player == mover and others else 0)
            yield from _token(
                feet[where], player, initials.get(player, ""), across=across, rise=rise, leads=player == mover
            )


def _foot(space: PlacedSpace, *, in_jail: bool) -> tuple[float, float]:
    """Return where tokens stand on a space: in jail behind the bars, elsewhere towards the edge of the board."""
    if not in_jail:
        return space.along(0, -12)
    x, y, size = _cell(space)
    return x + size / 2, y + size / 2


def _token(
    foot: tuple[float, float], player: str, letters: str, *, across: float, rise: float, leads: bool
) -> Iterator[DrawnShape]:
    x, y = project(*foot)
    size = _BADGE_OF_MOVER if leads else _BADGE
    x = round(x + across, 1)
    middle = (x, round(y - _POLE - rise - size / 2, 1))
    yield lying_disc(*foot, 6, EDGE)
    yield Polygon(((project(*foot)[0], y), (x, middle[1])), line=OUTLINE, thick=5, closed=False)
    if leads:
        yield Disc(*middle, size * 0.74, fill="#fcf8f0", line=ACCENT, thick=6)
    tones = BLOCKS[player]
    yield from badge(player, letters, middle, size, tones.left, tones.on, edge="#fcf8f0" if not leads else EDGE)
