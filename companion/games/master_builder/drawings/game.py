"""Master Builder as it is drawn on paper: cards, notes, slips for loans, wage tracks."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.game_api.drawing import CARD_HEIGHT, CARD_WIDTH, Drawing, DrawnShape, Extra, Polygon, Rectangle, TextLine
from companion.game_api.ui import Language, TableView
from companion.games.master_builder.drawings.buildings import BACKS, PAPER, SECOND
from companion.games.master_builder.drawings.cards import front
from companion.games.master_builder.rules.loans import LENT
from companion.games.master_builder.rules.setup import NOTES

NOTE_WIDTH, NOTE_HEIGHT = 88.0, 44.0
_COLOURS = {1_000: "#dfe7dc", 5_000: "#f3e2b8", 10_000: "#d6e2ee", 50_000: "#eed3cf"}
_SLIPS = 8
_TRACK_WIDTH, _TRACK_HEIGHT = 190.0, 26.0
_SEATS = {"red": "#c8402f", "blue": "#2c6fb3", "yellow": "#d9a514", "green": "#3a8a4a"}
_LIMIT = 30


def notes(words: Language) -> tuple[Drawing, ...]:
    """Draw all notes of the box, smallest first."""
    return tuple(_note(words, worth) for worth, count in NOTES.items() for _ in range(count))


def ious(words: Language) -> tuple[Drawing, ...]:
    """Draw slips for Small and Large loans."""
    small = _slip(words.say("Small loan"), words.money(LENT["small"]), words)
    large = _slip(words.say("Large loan"), words.money(LENT["large"]), words)
    return (small,) * _SLIPS + (large,) * _SLIPS


def wage_tracks(words: Language) -> tuple[Drawing, ...]:
    """Draw a track from 0 to 30 for each colour."""
    return tuple(_track(words, colour) for colour in _SEATS.values())


def _note(words: Language, worth: int) -> Drawing:
    middle, foot = NOTE_WIDTH / 2, NOTE_HEIGHT
    figure = words.money(worth)
    shapes: tuple[DrawnShape, ...] = (
        Rectangle(0, 0, NOTE_WIDTH, NOTE_HEIGHT, fill=_COLOURS[worth]),
        Rectangle(4, 4, NOTE_WIDTH - 8, foot - 8, line=SECOND, thick=0.5, round=2),
        Rectangle(5.5, 5.5, NOTE_WIDTH - 11, foot - 11, line=SECOND, thick=0.2, round=1.5),
        TextLine(middle, foot / 2 + 4.4, 12.5, figure, "middle", bold=True, room=NOTE_WIDTH - 24),
        TextLine(8.5, 11.5, 4.4, figure, bold=True),
        TextLine(NOTE_WIDTH - 8.5, foot - 8.5, 4.4, figure, "right", bold=True),
    )
    return Drawing(NOTE_WIDTH, NOTE_HEIGHT, shapes)


def _slip(title: str, paid: str, words: Language) -> Drawing:
    middle = NOTE_WIDTH / 2
    shapes: tuple[DrawnShape, ...] = (
        Rectangle(0, 0, NOTE_WIDTH, NOTE_HEIGHT, fill=PAPER),
        Rectangle(4, 4, NOTE_WIDTH - 8, NOTE_HEIGHT - 8, line="#7a2f3d", thick=0.8, round=2),
        TextLine(middle, 16, 7, title, "middle", heading=True, room=NOTE_WIDTH - 16),
        TextLine(middle, 29, 9.5, paid, "middle", bold=True, room=NOTE_WIDTH - 16),
        TextLine(middle, 36, 3.2, words.say("Owed to the bank"), "middle", colour=SECOND, room=NOTE_WIDTH - 16),
    )
    return Drawing(NOTE_WIDTH, NOTE_HEIGHT, shapes)


def _track(words: Language, colour: str) -> Drawing:
    step = (_TRACK_WIDTH - 8) / (_LIMIT + 1)
    shapes: list[DrawnShape] = [
        Rectangle(0, 0, _TRACK_WIDTH, _TRACK_HEIGHT, fill=PAPER),
        TextLine(4, 7.4, 4, words.say("Wage track"), heading=True, colour=colour),
    ]
    for place in range(_LIMIT + 1):
        x = 4 + place * step
        tenth = place % 5 == 0
        shapes += [
            Rectangle(x, 10, step, 12, fill=colour if tenth else "#ffffff", line=SECOND, thick=0.2),
            TextLine(x + step / 2, 17.6, 3.4, str(place), "middle", bold=tenth, colour="#ffffff" if tenth else SECOND),
        ]
    shapes.append(Polygon(((4, 10), (_TRACK_WIDTH - 4, 10)), line=SECOND, thick=0.4, closed=False))
    return Drawing(_TRACK_WIDTH, _TRACK_HEIGHT, tuple(shapes))


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
            TextLine(
                CARD_WIDTH / 2, 46.2, 6.4, words.named("deck", table), "middle", heading=True, room=CARD_WIDTH - 16
            ),
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
        """Draw nothing: the game's own UI draws it."""
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
