"""The fronts of deeds, Chance and reference cards."""

from dataclasses import replace

from companion.engine.journal import Json
from companion.game_api.drawing import (
    CARD_HEIGHT,
    CARD_WIDTH,
    INK,
    LABEL_LEFT,
    LABEL_TOP,
    SAFE,
    Drawing,
    DrawnShape,
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
    room = (LABEL_LEFT - _LEFT - 1) / 2
    for place, number in enumerate(values["numbers"][:4]):
        x, y = _LEFT + room * (place % 2), 61 + 10.4 * (place // 2)
        shapes += [
            Rectangle(x, y, room - 1.4, 9, fill="#ffffff", line=SECOND, thick=0.3, round=1.6),
            TextLine(x + (room - 1.4) / 2, y + 6.9, 6.6, str(number), "middle", bold=True),
        ]
    shapes += chip(values["kind"], _LEFT + 4.4, 79.6, 4.2, words)
    shapes.append(TextLine(_LEFT + 10, 81, 3.6, words.say_in("value", values["kind"]), room=LABEL_LEFT - _LEFT - 11))
    return Drawing(CARD_WIDTH, CARD_HEIGHT, tuple(shapes))


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
    return Drawing(CARD_WIDTH, CARD_HEIGHT, tuple(shapes))


def reference(values: Json, catalog: Json, words: Language) -> Drawing:
    """Draw a player's reference card: the blocks and chips, what floors cost and count."""
    player, kind = values["player"], values["kind"]
    shapes: list[DrawnShape] = [
        Rectangle(0, 0, CARD_WIDTH, CARD_HEIGHT, fill=PAPER),
        Rectangle(0, 0, CARD_WIDTH, 17, fill=KINDS[player]),
        TextLine(_LEFT, 10.8, 6, values["token"], heading=True, colour=ON_KINDS[player], room=_ROOM - 12),
        *chip(kind, CARD_WIDTH - _LEFT - 5, 8.5, 5, words),
        TextLine(_LEFT, 25, 3.4, words.say("Floors"), colour=SECOND, room=30),
        TextLine(CARD_WIDTH - _LEFT, 25, 3.4, words.say("Points"), "right", colour=SECOND, room=22),
    ]
    for floor, cost in enumerate(catalog["floors"]):
        y = 33 + 11 * floor
        paid = [each for each, count in cost.items() for _ in range(count)]
        shapes.append(TextLine(_LEFT, y + 1.6, 5, str(floor + 1), bold=True))
        for place, each in enumerate(paid[:6]):
            shapes += chip(each, _LEFT + 10 + 7 * place, y, 3.2, words)
        points = TextLine(CARD_WIDTH - _LEFT, y + 1.8, 5.4, str(_POINTS[floor]), "right", bold=True)
        shapes.append(points)
    return Drawing(CARD_WIDTH, CARD_HEIGHT, tuple(shapes))


def _points(colour: str, catalog: Json, words: Language) -> str:
    points = catalog["sets"].get(colour, 0)
    return words.several("Both: {count} point", "Both: {count} points", points)
