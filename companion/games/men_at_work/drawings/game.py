"""Men at Work as it is drawn: cards on paper, the action on screens."""

from collections.abc import Callable, Mapping, Sequence

from companion.engine.journal import Json
from companion.game_api.drawing import (
    CARD_HEIGHT,
    CARD_WIDTH,
    LABEL_LEFT,
    SAFE,
    Disc,
    Drawing,
    DrawnShape,
    Extra,
    Polygon,
    Prose,
    Rectangle,
    TextLine,
    moved,
)
from companion.game_api.ui import Language, TableView
from companion.games.men_at_work.drawings.instructions import HEIGHT, WIDTH, back, instruction, letter
from companion.games.men_at_work.drawings.pieces import beam, brick, girder, support, worker
from companion.games.men_at_work.rules.catalog import COLOURS, PIECES, pictured

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


_PAPER = "#fbf8f1"
_GIRDER, _WORKER = "#fbeed9", "#e6eef5"
_SECOND = "#5d5348"
_BAND = "#3a4a52"
_LEFT = SAFE + 1
_ROOM = CARD_WIDTH - 2 * _LEFT
_HALF = 42.0
TOKEN = 44.0
_PLAIN = "none"


class MenAtWorkDrawings:
    """Draws instruction cards with their backs, the boss, certificates and awards, and the action of the moment."""

    def front(self, card: str, catalog: Json, words: Language) -> Drawing:
        """Draw a card's two panels: how a girder is placed, and how a worker."""
        if card in catalog["boss"]:
            return self._boss(catalog["boss"][card], words)
        values = catalog["cards"][card]
        above, below = (catalog["instructions"][values[panel]] for panel in ("girder", "worker"))
        narrow = LABEL_LEFT - _LEFT - 1
        shapes: list[DrawnShape] = [
            Rectangle(0, 0, CARD_WIDTH, _HALF, fill=_GIRDER),
            Rectangle(0, _HALF, CARD_WIDTH, CARD_HEIGHT - _HALF, fill=_WORKER),
            TextLine(_LEFT, 8, 4.4, _said(above, "name", words), heading=True, room=_ROOM),
            *instruction(values["girder"], "any", "", _LEFT + 9, 9, 0.62),
            Prose(_LEFT, 32.4, _ROOM, 9, 2.8, _said(above, "text", words)),
            TextLine(_LEFT, 49, 4.4, _said(below, "name", words), heading=True, room=_ROOM),
            *instruction(values["worker"], "any", "", _LEFT - 1, 51, 0.5),
            Prose(_LEFT, 69.6, narrow, 12.6, 2.6, _said(below, "text", words)),
            TextLine(_LEFT, 85, 2.6, card, colour=_SECOND),
        ]
        return Drawing(CARD_WIDTH, CARD_HEIGHT, tuple(shapes))

    def back(self, card: str, catalog: Json, words: Language) -> Drawing:
        """Draw what a card's back says, large; nothing on it tells two cards with the same back apart."""
        boss = catalog["boss"].get(card)
        code = boss["back"] if boss else catalog["cards"][card]["back"]
        shapes: list[DrawnShape] = [Rectangle(0, 0, CARD_WIDTH, CARD_HEIGHT, fill=_BAND)]
        if code != _PLAIN:
            piece = "girder" if code.startswith("G") else "worker"
            shapes += [
                Rectangle(SAFE, SAFE, CARD_WIDTH - 2 * SAFE, 52, fill=_PAPER, round=2.5),
                *back(piece, pictured(code), words, 4.5, 8, 0.9),
                TextLine(_LEFT, 66, 5.4, words.say_in("value", piece), heading=True, colour="#ffffff", room=28),
            ]
            lines = enumerate(words.say_in("colour", colour) for colour in pictured(code))
            shapes += [TextLine(_LEFT, 73 + 5 * row, 4, said, colour="#ffffff", room=28) for row, said in lines]
        return Drawing(CARD_WIDTH, CARD_HEIGHT, tuple(shapes))

    def extras(self, catalog: Json, words: Language) -> Mapping[str, Extra]:
        """Draw certificates and awards."""
        certificate, award = words.say_in("field", "certificates"), words.say_in("field", "awards")
        box = catalog["box"]
        return {
            "certificates": Extra(certificate, (_token(certificate, "#dfe7dc", star=False),) * box["certificates"]),
            "awards": Extra(award, (_token(award, "#f3e2b8", star=True),) * box["awards"]),
        }

    def pictures(self, scene: TableView) -> Sequence[Drawing]:
        """Draw the action of the moment in each colour that may be used, and what pieces there are."""
        drawn = (self._action(scene), stock(scene.position, scene.words))
        return tuple(drawing for drawing in drawn if drawing is not None)

    def _action(self, scene: TableView) -> Drawing | None:
        action = scene.position["action"]
        if action is None or scene.position["finished"]:
            return None
        usable = tuple(action["colours"]) or pictured(action["back"])
        says = scene.words.listed((scene.words.say_in("colour", colour) for colour in usable), how="or")
        name = _said(scene.catalog["instructions"].get(action["how"], {}), "name", scene.words)
        shapes: list[DrawnShape] = []
        scale = 1.0 if len(usable) == 1 else 0.78
        for place, colour in enumerate(usable):
            shapes += instruction(action["how"], colour, letter(colour, scene.words), place * WIDTH * scale, 0, scale)
        return Drawing(WIDTH * scale * len(usable), HEIGHT * scale, tuple(shapes), f"{name}: {says}")

    def _boss(self, values: Json, words: Language) -> Drawing:
        middle = CARD_WIDTH / 2
        name = str(values["names"].get(words.language) or values["name"])
        shapes: tuple[DrawnShape, ...] = (
            Rectangle(0, 0, CARD_WIDTH, CARD_HEIGHT, fill="#f3e2b8"),
            TextLine(middle, 13, 8, name, "middle", heading=True, room=_ROOM),
            Disc(middle, 37, 10, fill="#e8c39e", line="#2b241d", thick=0.8),
            Polygon(
                ((middle - 14, 34), (middle - 10, 23), (middle + 10, 23), (middle + 14, 34)), "#f0c419", "#2b241d", 0.8
            ),
            Disc(middle - 4, 38, 1.1, fill="#2b241d"),
            Disc(middle + 4, 38, 1.1, fill="#2b241d"),
            Polygon(((middle - 4, 43), (middle + 4, 43)), line="#2b241d", thick=0.9, closed=False),
        )
        return Drawing(CARD_WIDTH, CARD_HEIGHT, shapes)


def _said(instruction: Json, key: str, words: Language) -> str:
    return str(instruction.get(f"{key}s", {}).get(words.language) or instruction.get(key, ""))


def _token(title: str, fill: str, *, star: bool) -> Drawing:
    middle = TOKEN / 2
    sign: DrawnShape = (
        Polygon(((middle, 8), (middle + 9, 26), (middle - 9, 26)), fill="#c79a1e", line="#2b241d", thick=0.5)
        if star
        else Rectangle(middle - 9, 9, 18, 17, fill="#ffffff", line="#2b241d", thick=0.5, round=1)
    )
    shapes = (
        Rectangle(0, 0, TOKEN, TOKEN, fill=fill),
        Rectangle(3, 3, TOKEN - 6, TOKEN - 6, line=_SECOND, thick=0.5, round=3),
        sign,
        TextLine(middle, 36, 4.4, title, "middle", heading=True, room=TOKEN - 10),
    )
    return Drawing(TOKEN, TOKEN, shapes)
