"""Cards of games that do not draw their own: what a catalog says of them, set in type."""

from collections.abc import Mapping
from typing import Any

from companion.gamekit.drawing import Box, Drawing, Prose, Shape, Text
from companion.gamekit.draws import CARD_HEIGHT, CARD_WIDTH, LABEL_TOP, SAFE
from companion.gamekit.speaks import Speaks

_BAND = "#33454d"
_SECOND = "#5d5348"
_LEFT = SAFE + 1
_ROOM = CARD_WIDTH - 2 * _LEFT
_LINE = 4.6
_UNSAID = frozenset({"id", "name", "names", "texts"})


def typeset_front(kind: str, card: str, held: Mapping[str, Any], words: Speaks) -> Drawing:
    """Set a card's name, its text, and its other figures line by line, as many as have room."""
    name = str(held.get("names", {}).get(words.language) or held.get("name") or card)
    shapes: list[Shape] = [
        Box(0, 0, CARD_WIDTH, 17, fill=_BAND),
        Text(_LEFT, 9, 5.2, name, bold=True, colour="#ffffff", room=_ROOM),
        Text(_LEFT, 14.2, 3.2, kind, colour="#ffffff", room=_ROOM),
    ]
    y = 23.0
    for key, value in held.items():
        if key in _UNSAID or not isinstance(value, str | int | float) or value in ("", name):
            continue
        if key == "text":
            said = str(held.get("texts", {}).get(words.language) or value)
            shapes.append(Prose(_LEFT, y - 3, _ROOM, LABEL_TOP - y - 6, 4, said))
            break
        if y > LABEL_TOP - 3:
            break
        shapes.append(Text(_LEFT, y, 3.2, words.named("field", key), colour=_SECOND, room=_ROOM * 0.55))
        said = words.named("value", value) if isinstance(value, str) else str(value)
        shapes.append(Text(CARD_WIDTH - _LEFT, y, 3.8, said, "right", bold=True, room=_ROOM * 0.42))
        y += _LINE
    shapes.append(Text(_LEFT, 84, 3, card, colour=_SECOND))
    return Drawing(CARD_WIDTH, CARD_HEIGHT, tuple(shapes))


def typeset_back(kind: str) -> Drawing:
    """Set what lies in a pile on the back of its cards."""
    shapes: tuple[Shape, ...] = (
        Box(0, 0, CARD_WIDTH, CARD_HEIGHT, fill=_BAND),
        Box(4, 4, CARD_WIDTH - 8, CARD_HEIGHT - 8, line="#ffffff", thick=0.4, round=2),
        Text(CARD_WIDTH / 2, 46, 7, kind, "middle", bold=True, colour="#ffffff", room=CARD_WIDTH - 16),
    )
    return Drawing(CARD_WIDTH, CARD_HEIGHT, shapes)
