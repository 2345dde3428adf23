"""Colours, and chips as they are drawn: in seats, on their way to somebody, and deeds beside them as a strip."""

from collections.abc import Iterator, Mapping, Sequence

from companion.engine.journal import Json
from companion.game_api.capabilities import Flight
from companion.game_api.drawing import HUES, INK, Disc, Drawing, DrawnShape, Polygon, Rectangle, TextLine
from companion.game_api.ui import Language
from companion.games.monopoly_builder.drawings.isometric import SIGNS
from companion.games.monopoly_builder.rules.catalog import KINDS as CHIP_KINDS

# The colours of sets, chips and seats.

KINDS = {"red": "#c8402f", "purple": "#7a4a9c", "green": "#3a8a4a", "yellow": "#e3b52a", "any": "#8a8278"}
"""Chips, and the blocks of the seat of that name."""
ON_KINDS = {"red": "#ffffff", "purple": "#ffffff", "green": "#ffffff", "yellow": "#2a231b", "any": "#ffffff"}
SECOND = "#5d5348"
LINE = "#8d8171"
PAPER = "#fbf8f1"
GROUND = "#e9e2d3"
BACKS = {"deeds": "#2d5a55", "chance": "#9a5b1f"}
_SETS = {**HUES, "red": "#c2332b", "yellow": "#e5c935", "dark_blue": HUES["navy"], "blue": "#2f68ad"}
_OTHERS = tuple(HUES.values())
_LIGHT = frozenset({HUES["light_blue"], "#e5c935", HUES["gold"]})


def of_set(colour: str, colours: tuple[str, ...]) -> str:
    """Return the colour of a set; of one that nobody foresaw, by its place among the catalog's."""
    return _SETS.get(colour) or _OTHERS[colours.index(colour) % len(_OTHERS)]


def colours_of(catalog: Json) -> tuple[str, ...]:
    """Return the colours of a catalog's sets, in their order."""
    return tuple(dict.fromkeys(deed["colour"] for deed in catalog["deeds"].values()))


def on_set(fill: str) -> str:
    """Return the colour of words on a set's."""
    return "#2a231b" if fill in _LIGHT else "#ffffff"


# Chips: a colour, an outline and a letter.


def letter(kind: str, words: Language) -> str:
    """Return the letter of a kind in a language; ``any`` has a sign instead."""
    return "*" if kind == "any" else words.say_in("chip letter", kind)


_CORES = {"red": "#a23023", "purple": "#5b3278", "green": "#276633", "yellow": "#f3d878", "any": "#6c655d"}
"""The field in the middle of a chip, which has the outline of its kind."""
_CORE_WIDE = 1.34
"""Width of that field, in radii of the chip."""


def chip(kind: str, x: float, y: float, radius: float, words: Language, says: str = "") -> tuple[DrawnShape, ...]:
    """Draw a chip about its middle: its kind by colour, by the outline of the field in it, and by a letter.

    ``says``: a number or word instead of the letter.
    """
    label = says or letter(kind, words)
    size = radius * (1.1 if len(label) == 1 else 0.92)
    wide = radius * _CORE_WIDE
    core = tuple(
        (round(x + (across / 100 - 0.5) * wide, 2), round(y + (down / 100 - 0.5) * wide, 2))
        for across, down in SIGNS.get(kind, ())
    )
    return (
        Disc(x, y, radius, fill=KINDS[kind], line="#2a231b", thick=radius * 0.08),
        *((Polygon(core, fill=_CORES[kind]),) if core else ()),
        TextLine(x, y + size * 0.36, size, label, "middle", bold=True, colour=ON_KINDS[kind]),
    )


def chip_token(kind: str, words: Language) -> Drawing:
    """Draw one chip alone; what it says is its kind."""
    return Drawing(20, 20, chip(kind, 10, 10, 9.5, words), words.say_in("kind", kind))


_DEED_WIDE, _DEED_HIGH, _DEED_BAND = 40.0, 30.0, 9.0


def small_deed(deed: str, catalog: Json, words: Language, *, mortgaged: bool = False) -> Drawing:
    """Draw a deed as small as a stamp: its set, the chip that it brings and on which totals; mortgaged crossed out."""
    values = catalog["deeds"][deed]
    fill = of_set(values["colour"], colours_of(catalog))
    shapes: list[DrawnShape] = [
        Rectangle(0.6, 0.6, _DEED_WIDE - 1.2, _DEED_HIGH - 1.2, fill="#fffdf7", line="#2a231b", thick=1.2, round=2.5),
        Rectangle(1.2, 1.2, _DEED_WIDE - 2.4, _DEED_BAND, fill=fill),
        *chip(values["kind"], 10.5, 19.5, 7, words),
        TextLine(19.5, 23, 9.5, "·".join(map(str, values["numbers"])), bold=True, colour="#2a231b", room=18),
    ]
    if mortgaged:
        cross = ((3.0, _DEED_HIGH - 3), (_DEED_WIDE - 3, 3.0))
        shapes.append(Polygon(cross, line="#97231b", thick=2.4, closed=False))
    return Drawing(_DEED_WIDE, _DEED_HIGH, tuple(shapes), words.card(deed, catalog))


def chance_back(card: str, catalog: Json, words: Language) -> Drawing:
    """Draw a kept Chance card as small as such a deed."""
    shapes: list[DrawnShape] = [
        Rectangle(
            0.6, 0.6, _DEED_WIDE - 1.2, _DEED_HIGH - 1.2, fill=BACKS["chance"], line="#2a231b", thick=1.2, round=2.5
        ),
        TextLine(_DEED_WIDE / 2, 22.5, 20, "?", "middle", bold=True, colour="#ffffff"),
    ]
    return Drawing(_DEED_WIDE, _DEED_HIGH, tuple(shapes), words.card(card, catalog))


_HALF, _STRIP_HIGH, _BETWEEN = 9.0, 9.0, 4.0


def deed_strip(catalog: Json, owned: Sequence[str], mortgaged: Sequence[str]) -> Drawing:
    """Draw a place for each deed in the order of the board, set beside set: owned ones filled, whole sets outlined.

    Of a mortgaged deed half is filled.
    """
    by_set: dict[str, list[str]] = {}
    for deed, values in catalog["deeds"].items():
        by_set.setdefault(values["colour"], []).append(deed)
    colours, shapes, x = tuple(by_set), list[DrawnShape](), 2.0
    for colour, deeds in by_set.items():
        fill = of_set(colour, colours)
        for deed in deeds:
            shapes.append(Rectangle(x, 2, _HALF, _STRIP_HIGH, line=LINE, thick=0.8, round=1))
            if deed in mortgaged:
                half = ((x, 2), (x + _HALF, 2), (x, 2 + _STRIP_HIGH))
                shapes.append(Polygon(half, fill=fill))
            elif deed in owned:
                shapes.append(Rectangle(x, 2, _HALF, _STRIP_HIGH, fill=fill, round=1))
            x += _HALF + 0.6
        if all(deed in owned for deed in deeds):
            width = len(deeds) * (_HALF + 0.6) + 1.8
            whole = Rectangle(x - width + 0.3, 0.8, width, _STRIP_HIGH + 2.4, line=INK, thick=1.5, round=2)
            shapes.append(whole)
        x += _BETWEEN
    return Drawing(x - _BETWEEN + 2, _STRIP_HIGH + 4, tuple(shapes))


# Chips that come to players: gathered by a roll, picked up, chosen, stolen, traded for others.

_SIDE = 20.0
_MOST_SEEN = 12
"""More than that at once is a cloud, in which nobody sees what goes where."""


class MonopolyBuilderFlights:
    """Shows chips on their way."""

    def flights(self, event: Json, words: Language) -> Sequence[Flight]:
        """Return a chip for each that comes to somebody."""
        middle = _SIDE / 2
        drawn: dict[str, Drawing] = {
            kind: Drawing(_SIDE, _SIDE, chip(kind, middle, middle, 9, words)) for kind in CHIP_KINDS
        }
        flying = (Flight(to, drawn[kind], source) for to, kind, source in _coming(event))
        return [flight for flight, _ in zip(flying, range(_MOST_SEEN), strict=False)]


def _coming(event: Json) -> Iterator[tuple[str, str, str]]:
    """Return to whom chips come, of which kind, and from which player."""
    match event["event"]:
        case "ChipsGathered" | "ChipsPicked":
            yield from ((event["player"], kind, "") for kind in _each(event["chips"]))
        case "ChipsChosen" if event["what"] == "take":
            yield from ((event["player"], kind, "") for kind in _each(event["chips"]))
        case "ChipStolen":
            yield event["player"], event["kind"], event["from"]
        case "ParkingTraded" | "BankTraded":
            yield event["player"], event["get"], ""
        case "Traded":
            yield from ((event["with"], kind, event["player"]) for kind in _each(event["give"]["chips"]))
            yield from ((event["player"], kind, event["with"]) for kind in _each(event["get"]["chips"]))
        case _:
            pass


def _each(chips: Mapping[str, int]) -> Iterator[str]:
    return (kind for kind, count in chips.items() for _ in range(count))
