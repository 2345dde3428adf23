"""The fronts of the cards: what people need of them at the table, readable from across it."""

from collections.abc import Callable, Mapping
from math import cos, pi, sin

from companion.engine.journal import Json
from companion.game_api.drawing import (
    CARD_HEIGHT,
    CARD_WIDTH,
    LABEL_LEFT,
    LABEL_TOP,
    SAFE,
    Disc,
    Drawing,
    DrawnShape,
    Polygon,
    Prose,
    Rectangle,
    TextLine,
    moved,
)
from companion.game_api.ui import Language
from companion.games.master_builder.drawings.buildings import (
    BACKS,
    ON_WORKERS,
    PAPER,
    RANKS,
    SECOND,
    TINT,
    WORKERS,
    building,
    mark,
)
from companion.games.master_builder.drawings.pictures import draw_builder, draw_picture, economy_picture, event_picture

# The signs of the five quirks, in outlines of 24 units.

_INK = "#3b322a"


def _arc(x: float, y: float, radius: float, begin: float, end: float) -> tuple[tuple[float, float], ...]:
    """Approach an arc by a line of 25 points; angles in degrees, clockwise from the right."""
    angles = [(begin + (end - begin) * step / 24) * pi / 180 for step in range(25)]
    return tuple((x + radius * cos(angle), y + radius * sin(angle)) for angle in angles)


SIGNS: dict[str, tuple[DrawnShape, ...]] = {
    "S": (Polygon(((12, 3), *_arc(12, 14.5, 6, -20, 200)), line=_INK, thick=2),),
    "D": (Polygon(_arc(12, 12, 8.5, -90, 90), fill=_INK), Disc(12, 12, 8.5, line=_INK, thick=2)),
    "W": (
        Polygon(((6, 21), *_arc(12, 10.5, 6, 180, 360), (18.6, 13)), line=_INK, thick=2, closed=False),
        Polygon(((15.2, 11), (18.8, 13.6), (21.5, 10)), line=_INK, thick=2, closed=False),
    ),
    "N": (
        Polygon(_arc(12, 12, 8.5, 25, 330), line=_INK, thick=2, closed=False),
        Disc(12, 12, 1.8, fill=_INK),
    ),
    "H": (Polygon(((13, 2.5), (15.5, 7.5), *_arc(12, 15, 6, -25, 205), (8.5, 9.5), (10.5, 11.5)), line=_INK, thick=2),),
}


def sign(quirk: str, x: float, y: float, side: float) -> tuple[DrawnShape, ...]:
    """Draw a quirk's sign, its upper left corner at a place; one that is not known has none."""
    return moved(SIGNS.get(quirk, ()), x, y, side / 24)


_INNER = CARD_WIDTH - 2 * SAFE - 2
_LEFT = SAFE + 1
_QUIRK = 6.6
_BUILDER = 18.0
"""The width of the builder on a worker's card."""
_PICTURE = (_LEFT, LABEL_TOP, LABEL_LEFT - _LEFT - 2.4)
"""Left, top and width of a picture: beside the label, at a distance from it."""


def front(table: str, card: str, card_values: Json, words: Language) -> Drawing:
    """Draw a card of one of the catalog's tables."""
    shapes = _FRONTS[table](card, card_values, words)
    return Drawing(CARD_WIDTH, CARD_HEIGHT, tuple(shapes))


def _named(card_values: Json, words: Language) -> str:
    return str(card_values["names"].get(words.language) or card_values["name"])


def _texted(card_values: Json, words: Language) -> str:
    return str(card_values["texts"].get(words.language) or card_values.get("text", ""))


def _head(colour: str, title: str, second: str, on: str = "#ffffff", ground: str = PAPER) -> list[DrawnShape]:
    """Begin a card: its ground, a band with its name, and what it is."""
    return [
        Rectangle(0, 0, CARD_WIDTH, CARD_HEIGHT, fill=ground),
        Rectangle(0, 0, CARD_WIDTH, 17, fill=colour),
        TextLine(_LEFT, 9, 5.2, title, heading=True, colour=on, room=_INNER),
        TextLine(_LEFT, 14.2, 3.2, second, colour=on, room=_INNER),
    ]


def _worker(card: str, card_values: Json, words: Language) -> list[DrawnShape]:
    kind = card_values["type"]
    on = ON_WORKERS[kind]
    shapes: list[DrawnShape] = [
        Rectangle(0, 0, CARD_WIDTH, CARD_HEIGHT, fill=TINT[kind]),
        Rectangle(0, 0, CARD_WIDTH, 24, fill=WORKERS[kind]),
        TextLine(_LEFT, 17.6, 14, kind, bold=True, colour=on),
        TextLine(CARD_WIDTH - _LEFT, 20, 4.4, words.say_in("worker", kind), "right", heading=True, colour=on, room=33),
    ]
    shapes += [Rectangle(CARD_WIDTH - _LEFT - 3 - 4.4 * notch, 5.5, 3, 6, fill=on) for notch in range(RANKS[kind])]
    shapes += [
        TextLine(_LEFT, 31.5, 3.4, words.say("Wage"), colour=SECOND),
        TextLine(_LEFT, 42, 10.5, words.money(card_values["wage"]), bold=True, room=_INNER - _BUILDER - 1),
        *draw_builder(kind, CARD_WIDTH - _LEFT - _BUILDER, 24.6, _BUILDER, WORKERS[kind]),
    ]
    for place, quirk in enumerate(card_values["quirks"]):
        top = 45.5 + 7.4 * place
        room = (LABEL_LEFT if top + _QUIRK > LABEL_TOP else CARD_WIDTH) - _LEFT - 16
        shapes += [
            Rectangle(_LEFT, top, _QUIRK, _QUIRK, fill="#ffffff", line=SECOND, thick=0.25, round=1.2),
            TextLine(_LEFT + _QUIRK / 2, top + 5, 5, quirk, "middle", bold=True),
            *sign(quirk, _LEFT + 7.6, top + 0.2, 6.2),
            TextLine(_LEFT + 15, top + 4.6, 3.6, words.say_in("quirk", quirk), room=room),
        ]
    return [*shapes, TextLine(_LEFT, 84, 3, card, colour=SECOND)]


def _contract(card: str, card_values: Json, words: Language) -> list[DrawnShape]:
    del card
    kind = words.say_in("building", card_values["kind"])
    shapes = _head(BACKS["contracts"], _named(card_values, words), f"{card_values['number']} · {kind}")
    shapes += building(card_values, _LEFT, 20.5, _INNER)
    shapes += [
        TextLine(_LEFT, 48.6, 3.2, words.say("Price"), colour=SECOND),
        TextLine(_LEFT, 56.6, 8, words.money(card_values["price"]), bold=True, room=34),
        TextLine(CARD_WIDTH - _LEFT, 48.6, 3.2, words.say("Lowest bid"), "right", colour=SECOND, room=20),
        TextLine(CARD_WIDTH - _LEFT, 55.6, 5.2, words.money(card_values["cost"]), "right", bold=True, room=18),
    ]
    needed = [kind for team in card_values["sections"].values() for kind in team]
    shapes.append(TextLine(_LEFT, 64.2, 3.2, words.say("Workforce"), colour=SECOND, room=LABEL_LEFT - _LEFT - 1))
    present = [kind for kind in RANKS if kind in needed]
    for place, kind in enumerate(present):
        x, y = _LEFT + 15 * (place % 2), 66.4 + 9.4 * (place // 2)
        shapes += [*mark(kind, x, y, 7.2), TextLine(x + 8, y + 5.6, 5, str(needed.count(kind)), bold=True)]
    return shapes


def _event(card: str, card_values: Json, words: Language) -> list[DrawnShape]:
    shapes = _head(BACKS["events"], _named(card_values, words), words.say("Event"))
    return [
        *shapes,
        Prose(_LEFT, 21, _INNER, LABEL_TOP - 23, 4.1, _texted(card_values, words)),
        *draw_picture(event_picture(card_values["effects"]), *_PICTURE),
        TextLine(_LEFT, 84.6, 3, card, colour=SECOND),
    ]


def _economy(card: str, card_values: Json, words: Language) -> list[DrawnShape]:
    shapes = _head(BACKS["economy"], _named(card_values, words), words.say("Economic situation"))
    shapes.append(Prose(_LEFT, 20.5, _INNER, 10, 3.6, _texted(card_values, words), SECOND))
    shapes.append(TextLine(_LEFT, 35.4, 3.2, words.say("Contracts to turn up"), colour=SECOND, room=_INNER))
    wide = _INNER / 3
    for place, count in enumerate(card_values["reveal"]):
        x = _LEFT + wide * place
        shapes += [
            Rectangle(x + 0.6, 37.4, wide - 1.2, 20, fill="#ffffff", line=SECOND, thick=0.25, round=1.5),
            TextLine(x + wide / 2, 47.8, 9, str(count), "middle", bold=True),
            TextLine(x + wide / 2, 54.6, 2.9, words.say("{count} players", count=place + 2), "middle", room=wide - 3),
        ]
    shapes += draw_picture(economy_picture(card_values["reveal"]), *_PICTURE)
    return [*shapes, TextLine(_LEFT, 84.6, 3, card, colour=SECOND)]


_FRONTS: Mapping[str, Callable[[str, Json, Language], list[DrawnShape]]] = {
    "workers": _worker,
    "contracts": _contract,
    "events": _event,
    "economy": _economy,
}
