"""Master Builder as it is drawn on paper; its screens are its face's own."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.game_api.drawing import CARD_HEIGHT, CARD_WIDTH, Drawing, DrawnShape, Extra, Polygon, Rectangle, TextLine
from companion.game_api.ui import Language, TableView
from companion.games.master_builder.drawings.buildings import BACKS, PAPER
from companion.games.master_builder.drawings.cards import front
from companion.games.master_builder.drawings.extras import ious, notes, wage_tracks

_TABLES = {"C": "contracts", "W": "workers", "E": "events", "Y": "economy"}


class MasterBuilderDrawings:
    """Draws the deck, money, slips for loans and wage tracks."""

    def front(self, card: str, catalog: Mapping[str, Any], words: Language) -> Drawing:
        """Draw the front of a card."""
        table = _TABLES[card[0]]
        return front(table, card, catalog[table][card], words)

    def back(self, card: str, catalog: Mapping[str, Any], words: Language) -> Drawing:
        """Draw the back of a card: one for each pile."""
        del catalog
        table = _TABLES[card[0]]
        shapes: list[DrawnShape] = [
            Rectangle(0, 0, CARD_WIDTH, CARD_HEIGHT, fill=BACKS[table]),
            *_bricks(),
            Rectangle(6, 34, CARD_WIDTH - 12, 20, fill=PAPER, round=2),
            TextLine(CARD_WIDTH / 2, 46.2, 6.4, words.named("deck", table), "middle", bold=True, room=CARD_WIDTH - 16),
        ]
        return Drawing(CARD_WIDTH, CARD_HEIGHT, tuple(shapes))

    def extras(self, catalog: Mapping[str, Any], words: Language) -> Mapping[str, Extra]:
        """Draw money, slips for loans and a wage track for each player."""
        del catalog
        return {
            "money": Extra(words.say("Money"), notes(words)),
            "ious": Extra(words.say("Loans"), ious(words)),
            "track": Extra(words.say("Wage track"), wage_tracks(words)),
        }

    def pictures(self, scene: TableView) -> Sequence[Drawing]:
        """Draw nothing: its own face does."""
        del scene
        return ()


def _bricks() -> list[DrawnShape]:
    """Lay joints of masonry over the whole card."""
    joints: list[DrawnShape] = []
    for row in range(11):
        y = 8.0 * row
        joints.append(Polygon(((0, y), (CARD_WIDTH, y)), line="#ffffff", thick=0.25, closed=False))
        joints += [
            Polygon(((x, y), (x, y + 8)), line="#ffffff", thick=0.25, closed=False)
            for x in (15.75 * step + 7.9 * (row % 2) for step in range(1, 4))
        ]
    return joints
