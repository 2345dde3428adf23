"""The ring of spaces: any number of them, clockwise round a square from its upper left corner."""

from collections.abc import Mapping
from dataclasses import dataclass

from companion.engine.journal import Json
from companion.game_api.drawing import Disc, DrawnShape, Polygon, Prose, Rectangle, TextLine
from companion.game_api.ui import Language
from companion.games.monopoly_builder.drawings.chips import LINE, PAPER, SECOND, chip, of_set

SIDE = 380.0
DEEP = 48.0
"""Side of the board and depth of its spaces, in millimetres of the poster."""
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
    colours = tuple(dict.fromkeys(deed["colour"] for deed in catalog["deeds"].values()))
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
