"""Men at Work as it is drawn: cards on paper, the action on screens."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

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
from companion.games.men_at_work.drawings.instructions import back, instruction
from companion.games.men_at_work.drawings.scenes import command_picture, helmet, seal
from companion.games.men_at_work.rules.catalog import colours_on_back

Json: TypeAlias = Mapping[str, Any]
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
                *back(piece, colours_on_back(code), words, 4.5, 8, 0.9),
                TextLine(_LEFT, 66, 5.4, words.say_in("value", piece), heading=True, colour="#ffffff", room=28),
            ]
            lines = enumerate(words.say_in("colour", colour) for colour in colours_on_back(code))
            shapes += [TextLine(_LEFT, 73 + 5 * row, 4, said, colour="#ffffff", room=28) for row, said in lines]
        return Drawing(CARD_WIDTH, CARD_HEIGHT, tuple(shapes))

    def extras(self, catalog: Json, words: Language) -> Mapping[str, Extra]:
        """Draw certificates and awards."""
        certificate, award = words.say_in("field", "certificates"), words.say_in("field", "awards")
        box = catalog["box"]
        return {
            "certificates": Extra(certificate, (_token(certificate, "#dfe7dc", seal()),) * box["certificates"]),
            "awards": Extra(award, (_token(award, "#f3e2b8", helmet()),) * box["awards"]),
        }

    def command(self, word: str, words: Language) -> Drawing | None:
        """Draw what a command card says."""
        return command_picture(word, words)

    def pictures(self, scene: TableView) -> Sequence[Drawing]:
        """Return nothing: positions stand on the stage."""
        del scene
        return ()

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


def _token(title: str, fill: str, sign: Drawing) -> Drawing:
    shapes = (
        Rectangle(0, 0, TOKEN, TOKEN, fill=fill),
        Rectangle(3, 3, TOKEN - 6, TOKEN - 6, line=_SECOND, thick=0.5, round=3),
        *moved(sign.shapes, TOKEN / 2 - 0.2 * sign.width, 5.5, 0.4),
        TextLine(TOKEN / 2, 37, 4.4, title, "middle", heading=True, room=TOKEN - 10),
    )
    return Drawing(TOKEN, TOKEN, shapes)
