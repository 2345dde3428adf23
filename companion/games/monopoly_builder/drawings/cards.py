"""The fronts of deeds, Chance and reference cards."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.engine.journal import Json
from companion.game_api.drawing import (
    CARD_HEIGHT,
    CARD_WIDTH,
    INK,
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
)
from companion.game_api.ui import Language
from companion.games.monopoly_builder.drawings.chips import (
    BACKS,
    KINDS,
    ON_KINDS,
    PAPER,
    SECOND,
    chip,
    colours_of,
    of_set,
    on_set,
)

_LEFT = SAFE + 1
_ROOM = CARD_WIDTH - 2 * _LEFT
_POINTS = (1, 3, 6, 10, 16)


_PRINT = "#2a231b"
"""What is printed on a card, by day and by night."""


def on_paper(drawing: Drawing) -> Drawing:
    """Return a card as it lies on a stage: its paper stays light in the dark, so its words stay dark."""
    shapes = (
        replace(shape, colour=_PRINT) if isinstance(shape, TextLine | Prose) and shape.colour == INK else shape
        for shape in drawing.shapes
    )
    return replace(drawing, shapes=tuple(shapes))


def deed(card: str, catalog: Json, words: Language) -> Drawing:
    """Draw a deed: its set, price, rents, and which totals bring chips."""
    values = catalog["deeds"][card]
    fill = of_set(values["colour"], colours_of(catalog))
    on = on_set(fill)
    name = str(values["names"].get(words.language) or values["name"])
    money = words.money
    shapes: list[DrawnShape] = [
        Rectangle(0, 0, CARD_WIDTH, CARD_HEIGHT, fill=PAPER),
        Rectangle(0, 0, CARD_WIDTH, 19, fill=fill),
        TextLine(_LEFT, 10, 5.6, name, heading=True, colour=on, room=_ROOM),
        TextLine(_LEFT, 15.6, 3.6, money(values["price"]), colour=on),
        TextLine(CARD_WIDTH - _LEFT, 15.6, 3.2, _points(values["colour"], catalog, words), "right", colour=on, room=34),
    ]
    lines = [
        (words.say("Rent"), values["rent"]),
        (words.say("Rent with both deeds"), values["set_rent"]),
        (words.say("Mortgage"), values["mortgage"]),
        (words.say("To lift it"), values["unmortgage"]),
    ]
    for row, (said, amount) in enumerate(lines):
        y = 26.5 + 6.4 * row + (1.6 if row > 1 else 0)
        shapes += [
            TextLine(_LEFT, y, 3.6 if row < 2 else 3.2, said, colour=SECOND, room=36),  # noqa: PLR2004 - rents, then the rest
            TextLine(CARD_WIDTH - _LEFT, y, 5.4 if row < 2 else 4, money(amount), "right", bold=True, room=18),  # noqa: PLR2004
        ]
    shapes.append(TextLine(_LEFT, 57.4, 3.2, words.say("Two chips on a roll of"), colour=SECOND, room=_ROOM))
    shapes += _totals(values["numbers"])
    shapes += chip(values["kind"], _LEFT + 4.4, 79.6, 4.2, words)
    shapes.append(TextLine(_LEFT + 10, 81, 3.6, words.say_in("value", values["kind"]), room=LABEL_LEFT - _LEFT - 11))
    return Drawing(CARD_WIDTH, CARD_HEIGHT, tuple(shapes))


def _totals(numbers: Sequence[int]) -> list[DrawnShape]:
    """Draw the totals of dice that bring chips, above the kind of chip: up to two large, more in two lower rows."""
    is_large = len(numbers) <= 2  # noqa: PLR2004 - one row
    columns, top, high, size = (2, 61.0, 9.0, 6.6) if is_large else (-(-len(numbers) // 2), 60.0, 6.4, 4.8)
    room = (LABEL_LEFT - _LEFT - 1) / columns
    wide = room - min(1.4, room / 6)
    size = min(size, wide * 0.85)
    shapes: list[DrawnShape] = []
    for place, number in enumerate(numbers):
        x, y = _LEFT + room * (place % columns), top + (high + 0.8) * (place // columns)
        shapes += [
            Rectangle(x, y, wide, high, fill="#ffffff", line=SECOND, thick=0.3, round=1.6),
            TextLine(x + wide / 2, y + high / 2 + size * 0.36, size, str(number), "middle", bold=True, room=wide),
        ]
    return shapes


def chance(card: str, catalog: Json, words: Language) -> Drawing:
    """Draw a Chance card."""
    values = catalog["chance"][card]
    name = str(values["names"].get(words.language) or values["name"])
    text = str(values["texts"].get(words.language) or values["text"])
    shapes: list[DrawnShape] = [
        Rectangle(0, 0, CARD_WIDTH, CARD_HEIGHT, fill=PAPER),
        Rectangle(0, 0, CARD_WIDTH, 17, fill=BACKS["chance"]),
        TextLine(_LEFT, 9, 5.4, name, heading=True, colour="#ffffff", room=_ROOM),
        TextLine(_LEFT, 14.2, 3.2, words.say_in("space", "chance"), colour="#ffffff"),
        Prose(_LEFT, 22, _ROOM, LABEL_TOP - 25, 5, text),
        TextLine(_LEFT, 84, 3, card, colour=SECOND),
    ]
    if values["keep"]:
        shapes.append(TextLine(_LEFT, 66, 3.4, words.say("Keep this card"), bold=True, room=LABEL_LEFT - _LEFT - 2))
    shapes += _sign(values["effects"], 75.0 if values["keep"] else 70.0, words)
    return Drawing(CARD_WIDTH, CARD_HEIGHT, tuple(shapes))


# What a Chance card does, as a sign beside its label.

_SIGN_LEFT, _SIGN_MIDDLE = 5.0, 18.5
_SIGN_HIGH = 11.0
_GOLD, _MINUS = "#e3b52a", "\u2212"


def _sign(effects: Sequence[Json], y: float, words: Language) -> list[DrawnShape]:
    """Draw what a card does first: coins or chips that come or go, an arrow, a pin, bars; nothing of what is said."""
    first = effects[0] if effects else {"do": ""}
    match first:
        case {"do": "receive" | "pay" as do, "amount": amount}:
            return [*_coin(_SIGN_LEFT + 5.5, y), _figure(("+" if do == "receive" else _MINUS) + str(amount), 18.5, y)]
        case {"do": "gain" | "lose" as do}:
            kinds = [each["kind"] for each in effects if each["do"] == do for _ in range(max(1, each["count"]))]
            chips = [
                shape for at, kind in enumerate(kinds[:2]) for shape in _piece(kind, 16.5 + 10.4 * at, y, words, 4.7)
            ]
            return [_figure("+" if do == "gain" else _MINUS, _SIGN_LEFT, y), *chips]
        case {"do": "steal"}:
            return [_arrow(_SIGN_LEFT, y, 12, forwards=False), *_piece("any", 24.5, y, words)]
        case {"do": "forced_trade"}:
            arrows = [_arrow(13.6, y - 3, 9.5, forwards=True, high=5), _arrow(13.6, y + 3, 9.5, forwards=False, high=5)]
            return [*_piece("any", 8.6, y, words, 4.3), *arrows, *_piece("any", 28.2, y, words, 4.3)]
        case {"do": "move", "by": int() as by}:
            return [_arrow(_SIGN_LEFT, y, 15, forwards=by > 0), _figure(str(abs(by)), 23.0, y)]
        case {"do": "move_to"}:
            tip = ((_SIGN_MIDDLE - 4.4, y - 1), (_SIGN_MIDDLE + 4.4, y - 1), (_SIGN_MIDDLE, y + 7.5))
            red = KINDS["red"]
            return [
                Polygon(tip, fill=red),
                Disc(_SIGN_MIDDLE, y - 2.6, 4.9, fill=red),
                Disc(_SIGN_MIDDLE, y - 2.6, 1.8, fill="#ffffff"),
            ]
        case {"do": "go_to_jail"}:
            return [*_bars(_SIGN_MIDDLE, y)]
        case {"do": "out_of_jail"}:
            return [*_bars(10.0, y), _arrow(18.0, y, 13, forwards=True)]
        case _:
            return []


def _figure(words: str, x: float, y: float) -> TextLine:
    return TextLine(x, y + 3.2, 9, words, bold=True, room=LABEL_LEFT - x - 2.5)


def _coin(x: float, y: float) -> tuple[DrawnShape, ...]:
    rim = Disc(x, y, 5.5, fill=_GOLD, line=_PRINT, thick=0.5)
    return (rim, Disc(x, y, 4.2, line=_PRINT, thick=0.3), TextLine(x, y + 2.1, 5.8, "M", "middle", bold=True))


def _piece(kind: str, x: float, y: float, words: Language, radius: float = 5.0) -> tuple[DrawnShape, ...]:
    """Draw a chip of a kind; of a player's own kind, as of whichever, one without a letter."""
    return chip(kind if kind in KINDS else "any", x, y, radius, words)


def _arrow(x: float, y: float, wide: float, *, forwards: bool, high: float = 9.0) -> Polygon:
    shaft, neck = high / 4, wide - high / 2
    outline = (
        (0.0, -shaft),
        (neck, -shaft),
        (neck, -high / 2),
        (wide, 0.0),
        (neck, high / 2),
        (neck, shaft),
        (0.0, shaft),
    )
    return Polygon(tuple((x + (across if forwards else wide - across), y + down) for across, down in outline), _PRINT)


def _bars(x: float, y: float) -> list[DrawnShape]:
    high = _SIGN_HIGH
    window = Rectangle(x - 5, y - high / 2, 10, high, fill="#ffffff", line=_PRINT, thick=0.9, round=1)
    bars = (Rectangle(x - 3.6 + 2.9 * at, y - high / 2, 1.4, high, fill=_PRINT) for at in range(3))
    return [window, *bars]


def reference(values: Json, catalog: Json, words: Language) -> Drawing:
    """Draw a player's reference card: the blocks and chips, what floors cost and count."""
    player, kind, token = values["player"], values["kind"], words.say_in("token", values["token"])
    shapes: list[DrawnShape] = [
        Rectangle(0, 0, CARD_WIDTH, CARD_HEIGHT, fill=PAPER),
        Rectangle(0, 0, CARD_WIDTH, 17, fill=KINDS[player]),
        TextLine(_LEFT, 10.8, 6, token, heading=True, colour=ON_KINDS[player], room=_ROOM - 12),
        *chip(kind, CARD_WIDTH - _LEFT - 5, 8.5, 5, words),
        TextLine(_LEFT, 25, 3.4, words.say("Floors"), colour=SECOND, room=30),
        TextLine(CARD_WIDTH - _LEFT, 25, 3.4, words.say("Points"), "right", colour=SECOND, room=22),
    ]
    for floor, cost in enumerate(catalog["floors"]):
        y = 33 + 11 * floor
        shapes.append(TextLine(_LEFT, y + 1.6, 5, str(floor + 1), bold=True))
        shapes += _cost(cost, y, words)
        points = TextLine(CARD_WIDTH - _LEFT, y + 1.8, 5.4, str(_POINTS[floor]), "right", bold=True)
        shapes.append(points)
    return Drawing(CARD_WIDTH, CARD_HEIGHT, tuple(shapes))


_MOST_CHIPS_IN_A_ROW = 6


def _cost(cost: Mapping[str, int], y: float, words: Language) -> list[DrawnShape]:
    """Draw what a floor costs chip by chip; where they are more than fit, each kind once with its number below."""
    paid = [each for each, count in cost.items() for _ in range(count)]
    if len(paid) <= _MOST_CHIPS_IN_A_ROW:
        return [shape for at, each in enumerate(paid) for shape in chip(each, _LEFT + 10 + 7 * at, y, 3.2, words)]
    shapes: list[DrawnShape] = []
    for at, (kind, count) in enumerate(each for each in cost.items() if each[1]):
        x = _LEFT + 10 + 7.6 * at
        shapes += [*chip(kind, x, y - 1.8, 2.6, words), TextLine(x, y + 4.8, 4, str(count), "middle", bold=True)]
    return shapes


def _points(colour: str, catalog: Json, words: Language) -> str:
    points = catalog["sets"].get(colour, 0)
    return words.several("Both: {count} point", "Both: {count} points", points)
