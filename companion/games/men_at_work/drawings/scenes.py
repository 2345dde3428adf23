"""Drawings on the stage of Men at Work: the action in its colours, an accident, the boss, tokens, piles."""

from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from math import cos, pi, sin

from companion.engine.journal import Json
from companion.game_api.drawing import (
    BARRED,
    GO_ON,
    GROUND,
    INK,
    OUTLINE,
    PAPER,
    PLACE,
    PLACE_LINE,
    SECOND,
    Disc,
    Drawing,
    DrawnShape,
    Polygon,
    Rectangle,
    TextLine,
    moved,
)
from companion.game_api.ui import Language
from companion.games.men_at_work.drawings.instructions import (
    HEIGHT,
    SHOWS_COLOUR,
    WIDTH,
    WORKER_LEFT,
    WORKER_WIDTH,
    back,
    free_place,
    instruction,
    letter,
)
from companion.games.men_at_work.drawings.pieces import (
    GIRDER_HIGH,
    GIRDERS,
    TABLE,
    YELLOW,
    OutlinePoints,
    Shapes,
    arrow,
    beam,
    brick,
    girder,
    half_ellipse,
    place,
    support,
    table,
    tilt,
    worker,
)
from companion.games.men_at_work.rules.catalog import COLOURS, colours_on_back

# The action of the moment: each piece that may be used, and where it goes.

_BETWEEN, _BELOW = 7.0, 5.0
"""Between two pictures of which one is chosen, beside and below each other."""


def action_picture(action: Json, words: Language) -> tuple[Drawing, Drawing]:
    """Draw an action in each colour that may be used: for a wide screen, and for a narrow one."""
    usable = tuple(action["colours"]) or colours_on_back(action["back"])
    says = words.listed((words.say_in("colour", colour) for colour in usable), how="or")
    is_worker = action["piece"] == "worker"
    if len(usable) == 1 or is_worker or action["how"] in SHOWS_COLOUR:
        left, width = (WORKER_LEFT, WORKER_WIDTH) if is_worker else (0.0, WIDTH)
        scenes = tuple(instruction(action["how"], colour, letter(colour, words), -left, 0, 1) for colour in usable)
        return _side_by_side(scenes, width, words, says), _stacked(scenes, width, words, says)
    scene = free_place(action["how"], usable, lambda colour: letter(colour, words))
    pieces = tuple(girder(0, 0, 16, colour, letter(colour, words)) for colour in usable)
    wide = (
        *moved(pieces[0], 0.5, 5, 1.5),
        *_or(words, 12.5, 16.6),
        *moved(pieces[1], 0.5, 19.5, 1.5),
        *arrow(27, 16, 32, 16),
        *moved(scene, 33, 0),
    )
    narrow = (
        *moved(pieces[0], 1, 1, 2.2),
        *_or(words, 48, 7.2),
        *moved(pieces[1], 23.8, 11.5, 2.2),
        *moved(scene, 0, 22),
    )
    return Drawing(33 + WIDTH, HEIGHT, wide, says), Drawing(WIDTH, 22 + HEIGHT, narrow, says)


def _or(words: Language, x: float, y: float) -> Shapes:
    return (TextLine(x, y, 3.6, words.say("or"), "middle", colour=SECOND),)


def _side_by_side(scenes: tuple[Shapes, ...], width: float, words: Language, says: str) -> Drawing:
    shapes: list[DrawnShape] = []
    for number, scene in enumerate(scenes):
        if number:
            shapes += _or(words, number * (width + _BETWEEN) - _BETWEEN / 2, 22)
        shapes += moved(scene, number * (width + _BETWEEN), 0)
    return Drawing(len(scenes) * (width + _BETWEEN) - _BETWEEN, HEIGHT, tuple(shapes), says)


def _stacked(scenes: tuple[Shapes, ...], width: float, words: Language, says: str) -> Drawing:
    shapes: list[DrawnShape] = []
    for number, scene in enumerate(scenes):
        if number:
            shapes += _or(words, width / 2, number * (HEIGHT + _BELOW) - 1)
        shapes += moved(scene, 0, number * (HEIGHT + _BELOW))
    return Drawing(width, len(scenes) * (HEIGHT + _BELOW) - _BELOW, tuple(shapes), says)


def pile_picture(shown: str | None, words: Language) -> Drawing:
    """Draw the pile with what the back of its top card shows, and the way that the card goes."""
    shapes: list[DrawnShape] = [
        *tilt((Rectangle(8, 8, 46, 60, fill="#3a4a52", line=OUTLINE, thick=0.6),), -4, 30, 36),
        Rectangle(8, 6, 46, 60, fill="#3a4a52", line=OUTLINE, thick=0.6, round=2),
    ]
    says = ""
    if shown is not None:
        piece = "girder" if shown.startswith("G") else "worker"
        shapes += [
            Rectangle(10.5, 8.5, 41, 40, fill="#f3ead8", round=1.5),
            *back(piece, colours_on_back(shown), words, 9.2, 11, 0.7),
            TextLine(31, 59, 5.4, words.say_in("value", piece), "middle", heading=True, colour="#ffffff", room=40),
        ]
        says = words.say_in("back", shown)
    shapes += [
        *arrow(60, 36, 74, 36),
        Rectangle(80, 6, 46, 60, fill=PLACE, line=PLACE_LINE, thick=0.8, round=2, dash=3),
    ]
    return Drawing(130, 72, tuple(shapes), says)


# Moments.


def accident_picture() -> Drawing:
    """Draw a girder that has slipped, with a worker under it, between two barriers."""
    return Drawing(
        80,
        42,
        (
            Polygon(((1, 38), (79, 38)), line=GROUND, thick=0.6, closed=False),
            *_barrier(2),
            *_barrier(66),
            *moved((*support(20, TABLE), *support(36, TABLE)), 0, 4),
            *girder(12, 28 - GIRDER_HIGH, 32, "purple"),
            *worker(20, 28 - GIRDER_HIGH, sad=True),
            *tilt(worker(46, 35.6, sad=True), -84, 46, 35.6),
            *tilt(girder(34, 23, 32, "orange"), 28, 38, 23),
            *brick(61, 38),
        ),
    )


def _barrier(x: float) -> Shapes:
    stripes = tuple(
        Polygon(((x + left, 32.5), (x + left + 2, 28), (x + left + 4, 28), (x + left + 2, 32.5)), "#97231b")
        for left in (0, 4, 8)
    )
    legs = tuple(Polygon(((leg, 32), (leg, 38)), line=OUTLINE, thick=0.9, closed=False) for leg in (x + 2.5, x + 9.5))
    return (
        *legs,
        Rectangle(x, 28, 12, 4.5, fill="#f7f4ec"),
        *stripes,
        Rectangle(x, 28, 12, 4.5, line=OUTLINE, thick=0.5, round=0.4),
    )


def highest_picture(*, won: bool) -> Drawing:
    """Draw a site whose highest girder counts: with an award above it, or the question how high it is."""
    upper, lower = TABLE - 20 - 2 * GIRDER_HIGH, TABLE - 10 - GIRDER_HIGH
    site = (
        *table(4, 56),
        *support(14, TABLE),
        *support(46, TABLE),
        *girder(6, lower, 48, "purple"),
        *support(24, lower),
        *support(40, lower),
        *girder(18, upper, 28, "orange"),
    )
    top = 15.0
    shapes: list[DrawnShape] = [*moved(site, 0, top)]
    if won:
        shapes += worker(26, upper + top, cheers=True)
        shapes += moved(helmet().shapes, 34, upper + top - 12, 0.17)
    else:
        shapes += (
            *arrow(56, TABLE + top, 56, upper + top),
            Polygon(((14, upper + top), (58, upper + top)), line=PLACE_LINE, thick=0.6, closed=False, dash=2),
            *worker(30, upper + top),
        )
    return Drawing(WIDTH, HEIGHT + top, tuple(shapes))


def boss_picture() -> Drawing:
    """Draw the boss: a helmet of her own, and the plan in her hand."""
    face: Shapes = (
        Disc(30, 26, 13, fill="#e8c39e", line=OUTLINE, thick=0.9),
        Disc(25, 26, 1.4, fill="#2a2118"),
        Disc(35, 26, 1.4, fill="#2a2118"),
        Polygon(
            ((25, 32), (26.6, 33), (28.5, 33.6), (31.5, 33.6), (33.4, 33), (35, 32)),
            line="#2a2118",
            thick=1,
            closed=False,
        ),
        Polygon(half_ellipse(15.5, 44.5, 23, 17, 24), "#f7f4ec", OUTLINE, 0.9),
        Rectangle(27, 7, 6, 14, fill="#d8cfbc"),
        Polygon(((11, 23), (49, 23)), line=OUTLINE, thick=3.4, closed=False),
        Polygon(((12, 23), (48, 23)), line="#f7f4ec", thick=1.6, closed=False),
    )
    plan: Shapes = (
        Rectangle(38, 44, 18, 14, fill="#f7f4ec", line=OUTLINE, thick=0.9, round=1),
        *(Polygon(((41, row), (53, row)), line="#827259", thick=0.8, closed=False) for row in (48, 51, 54)),
    )
    shoulders: DrawnShape = Polygon(
        ((8, 60), (12, 45), (22, 40), (38, 40), (48, 45), (52, 60)), "#b4472f", OUTLINE, 0.9
    )
    return Drawing(60, 60, (shoulders, *face, *plan))


def award_picture() -> Drawing:
    """Draw a worker on the highest girder, and the award that they win."""
    return highest_picture(won=True)


def event_picture(event: str) -> Drawing:
    """Draw what an event is about: an accident, an award or the boss."""
    return {"AccidentHappened": accident_picture, "AwardWon": award_picture}.get(event, boss_picture)()


# Small drawings: pieces for the reserve, certificates and awards, the hook.

_SMALL: Mapping[str, Callable[[float, float], Shapes]] = {
    "workers": worker,
    "supports": support,
    "beams": beam,
    "bricks": brick,
}
_SMALL_SIZE: Mapping[str, tuple[float, float]] = {
    "workers": (12.4, 12.4),
    "supports": (7, 11),
    "beams": (10, 6),
    "bricks": (6, 4),
}


def piece_picture(piece: str, words: Language) -> Drawing:
    """Draw a piece alone, as small as beside a number."""
    says = words.say_in("piece", piece)
    if piece in COLOURS:
        return Drawing(11, GIRDER_HIGH + 1, girder(0.5, 0.5, 10, piece, letter(piece, words)), says)
    width, height = _SMALL_SIZE[piece]
    return Drawing(width, height, _SMALL[piece](width / 2, height - (2.2 if piece == "beams" else 0.4)), says)


def back_picture(shown: str, words: Language) -> Drawing:
    """Draw a back, small: what is placed, and in which two colours."""
    first, second = colours_on_back(shown)
    high, left = 11.0, 11.0 if shown.startswith("H") else 0.5
    shapes: list[DrawnShape] = [
        *girder(left, high - 10.2, 14, first, letter(first, words)),
        *girder(left, high - 4.6, 14, second, letter(second, words)),
    ]
    if shown.startswith("H"):
        shapes += (
            Polygon(half_ellipse(1.6, 8.4, 7.6, 4.4), YELLOW, OUTLINE, 0.4),
            Polygon(((0.9, 7.8), (9.1, 7.8)), line=OUTLINE, thick=1, closed=False),
        )
    return Drawing(left + 14.5, high, tuple(shapes), words.say_in("back", shown))


def card_picture(values: Json | None) -> Drawing:
    """Draw both panels of a card, the girder's before the worker's; without values the boss."""
    return boss_picture() if values is None else _panels(values["girder"], values["worker"])


@lru_cache(maxsize=64)  # each card of a pile is drawn anew for every page otherwise
def _panels(girder: str, worker: str) -> Drawing:
    girders, workers = (instruction(panel, "any", "", 0, 0, 1) for panel in (girder, worker))
    middle = WIDTH + _BETWEEN / 2
    parted = Polygon(((middle, 4), (middle, HEIGHT - 4)), line=GROUND, thick=0.6, closed=False)
    return Drawing(2 * WIDTH + _BETWEEN, HEIGHT, (*girders, parted, *moved(workers, WIDTH + _BETWEEN, 0)))


def command_picture(word: str, words: Language) -> Drawing | None:
    """Draw what a command card says: a piece, or what has become of the action."""
    if word in COLOURS:
        return piece_picture(word, words)
    if f"{word}s" in _SMALL:
        return piece_picture(f"{word}s", words)
    site = (*table(), *support(18, TABLE), *support(42, TABLE))
    placed, free = girder(8, TABLE - 10 - GIRDER_HIGH, 44), place(8, TABLE - 10 - GIRDER_HIGH, 44, GIRDER_HIGH)
    match word:
        case "done":
            tick = Polygon(((21, 6), (28, 13), (40, -3)), line=GO_ON, thick=3, closed=False)
            return Drawing(60, TABLE + 6, moved((*site, *placed, tick), 0, 5))
        case "impossible":
            cross = (((14, 2), (46, 32)), ((46, 2), (14, 32)))
            bars = tuple(Polygon(ends, line=BARRED, thick=2.4, closed=False) for ends in cross)
            return Drawing(60, TABLE + 1, (*site, *free, *bars))
        case "exhausted":
            pieces = tuple(place(left, top, 16, 7) for top in (4, 15, 26) for left in (3, 22, 41))
            bar = Polygon(((4, 34), (56, 3)), line=BARRED, thick=2.4, closed=False)
            return Drawing(60, 37, (*(shape for piece in pieces for shape in piece), bar))
        case "accident" | "highest":
            return accident_picture() if word == "accident" else highest_picture(won=False)
        case _:
            return None


def seal() -> Drawing:
    """Draw a certificate."""
    ribbon = ((18, 36), (13, 58), (23, 53), (30, 59), (37, 53), (47, 58), (42, 36))
    return Drawing(
        60,
        62,
        (
            Polygon(ribbon, "#7d888c"),
            Disc(30, 26, 22, fill=PAPER, line=INK, thick=4),
            Polygon(((20, 26), (27.5, 34), (41, 18)), line=INK, thick=5.5, closed=False),
        ),
    )


def lost_seal() -> Drawing:
    """Draw a certificate that is lost."""
    return Drawing(
        60,
        62,
        (
            Disc(30, 28, 22, line=GROUND, thick=3, dash=6),
            Polygon(((21, 19), (39, 37)), line=GROUND, thick=4, closed=False),
            Polygon(((39, 19), (21, 37)), line=GROUND, thick=4, closed=False),
        ),
    )


def helmet() -> Drawing:
    """Draw an award: a helmet with a star."""
    edge = "#7a5600"
    return Drawing(
        60,
        62,
        (
            Polygon(half_ellipse(8, 52, 29, 21, 20), YELLOW, edge, 4),
            Polygon(((6, 31), (54, 31)), line=edge, thick=7, closed=False),
            Polygon(star(30, 48, 13), YELLOW, edge, 3),
        ),
    )


def missing_helmet() -> Drawing:
    """Draw an award that is still to be won."""
    arch: DrawnShape = Polygon(half_ellipse(8, 52, 30, 20), line=GROUND, thick=3, dash=6, closed=False)
    return Drawing(60, 62, (arch, Polygon(((4, 32), (56, 32)), line=GROUND, thick=3, dash=6, closed=False)))


def star(x: float, y: float, radius: float) -> OutlinePoints:
    """Return the outline of a star with five points."""
    corners = ((radius if corner % 2 == 0 else radius * 0.45, pi * corner / 5 - pi / 2) for corner in range(10))
    return tuple((x + length * cos(angle), y + length * sin(angle)) for length, angle in corners)


def hook(says: str) -> Drawing:
    """Draw the hook of the crane."""
    bow = tuple((12 + 5 * sin(pi * step / 8), 15 - 5 * cos(pi * step / 8)) for step in range(13))
    return Drawing(24, 24, (Polygon(((12, 2), (12, 10), *bow[1:]), line=INK, thick=2.8, closed=False),), says)


# The end: what each player has, as a pile of girders with a worker on top.

PILE_WIDTH = 60.0
_LAYER, _ABOVE, _FEWEST_LAYERS = 6.0, 19.0, 3
_OVERALLS = {"red": "#9e2138", "blue": "#235196", "yellow": "#b98b17", "green": "#37702b", "grey": "#67727a"}


def piles(players: Json, winners: Collection[str], words: Language) -> dict[str, Drawing]:
    """Draw what each player has in the end, all as high as the highest pile needs."""
    layers = max(figures["certificates"] + figures["awards"] for figures in players.values())
    height = _LAYER * max(_FEWEST_LAYERS, layers) + _ABOVE
    return {
        player: _pile(figures, player, words, height, wins=player in winners) for player, figures in players.items()
    }


def _pile(figures: Json, player: str, words: Language, height: float, *, wins: bool) -> Drawing:
    """Draw white girders for certificates, orange ones for awards, and the worker; of whoever is out the helmet."""
    certificates, awards = figures["certificates"], figures["awards"]
    says = f"{words.say_in('field', 'certificates')}: {certificates}, {words.say_in('field', 'awards')}: {awards}"
    shapes: list[DrawnShape] = []
    foot = height
    for layer, kind in enumerate((*("certificate",) * certificates, *("award",) * awards)):
        foot -= _LAYER
        left = 9 + (layer * 7 % 5) * 0.9
        shapes += moved(
            girder(0, 0, 27, "white" if kind == "certificate" else "orange"), left, foot, _LAYER / GIRDER_HIGH
        )
        middle, tones = left + 27 * _LAYER / GIRDER_HIGH / 2, GIRDERS["white" if kind == "certificate" else "orange"]
        shapes.append(Rectangle(middle - 2.6, foot + 1.2, 5.2, 3.6, fill=tones.face))
        if kind == "award":
            shapes.append(Polygon(star(middle, foot + 3, 2), tones.letter))
        else:
            check = ((middle - 1.6, foot + 3), (middle - 0.4, foot + 4.4), (middle + 1.8, foot + 1.6))
            shapes.append(Polygon(check, line=tones.letter, thick=0.7, closed=False))
    if figures["out"]:
        shapes += (
            Polygon(half_ellipse(25, 35, foot - 1, 5, 20), YELLOW, OUTLINE, 0.5),
            Polygon(((23.5, foot - 0.8), (36.5, foot - 0.8)), line=OUTLINE, thick=1.4, closed=False),
        )
    else:
        figure = worker(0, 0, overalls=_OVERALLS.get(player, _OVERALLS["blue"]), cheers=wins)
        shapes += moved(figure, PILE_WIDTH / 2, foot, 1.35)
    return Drawing(PILE_WIDTH, height, tuple(shapes), says)
