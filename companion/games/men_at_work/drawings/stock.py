"""How many pieces of each kind lie where: a strip of pieces with their counts, read at a glance."""

from collections.abc import Callable, Mapping

from companion.engine.journal import Json
from companion.game_api.drawing import Drawing, DrawnShape, TextLine, moved
from companion.game_api.ui import Language
from companion.games.men_at_work.drawings.instructions import letter
from companion.games.men_at_work.drawings.pieces import beam, brick, girder, support, worker
from companion.games.men_at_work.rules.catalog import COLOURS, PIECES

_LABELS = 24.0
_CELL = 14.0
_PIECES_HIGH = 15.0
_ROW = 9.0
_FOOT = 13.0
_MIDDLE = _CELL / 2
_NONE = "#a39a8c"
_FIGURE, _LABEL = 6.6, 4.6

_STANDING: Mapping[str, Callable[[float, float], tuple[DrawnShape, ...]]] = {
    "workers": worker,
    "supports": support,
    "beams": beam,
    "bricks": brick,
}


def stock(position: Json, words: Language) -> Drawing | None:
    """Draw what lies in reserve, on the site and, where anything does, on the floor; nothing where nobody counts."""
    heaps = {place: pieces for place in ("reserve", "site", "floor") if (pieces := position[place])}
    if not heaps:
        return None
    if not any(heaps["floor"].values()):
        del heaps["floor"]
    shapes: list[DrawnShape] = []
    for column, piece in enumerate(PIECES):
        shapes += moved(_piece(piece, words), _LABELS + column * _CELL, 0, 1)
    for row, (place, pieces) in enumerate(heaps.items()):
        line = _PIECES_HIGH + row * _ROW + 6
        shapes.append(TextLine(1.5, line - 0.6, _LABEL, words.say_in("field", place), room=_LABELS - 3))
        for column, piece in enumerate(PIECES):
            shapes.append(_count(pieces[piece], _LABELS + column * _CELL + _MIDDLE, line))
    says = ". ".join(f"{words.say_in('field', place)}: {_counts(pieces, words)}" for place, pieces in heaps.items())
    size = (_LABELS + len(PIECES) * _CELL, _PIECES_HIGH + len(heaps) * _ROW + 1)
    return Drawing(*size, tuple(shapes), says)


def _counts(pieces: Mapping[str, int], words: Language) -> str:
    """Return how many of each kind there are."""
    return ", ".join(f"{count} {words.say_in('value', kind)}" for kind, count in pieces.items() if count)


def _count(count: int, middle: float, line: float) -> TextLine:
    if not count:
        return TextLine(middle, line, _FIGURE, "0", "middle", colour=_NONE)
    return TextLine(middle, line, _FIGURE, str(count), "middle", bold=True)


def _piece(piece: str, words: Language) -> tuple[DrawnShape, ...]:
    if piece in COLOURS:
        return girder(1, _FOOT - 5.5, _CELL - 2, piece, letter(piece, words))
    return _STANDING[piece](_MIDDLE, _FOOT)
