"""Monopoly Builder as it is drawn: on paper its cards, board and money, on screens the board as it stands."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.game_api.drawing import CARD_HEIGHT, CARD_WIDTH, Disc, Drawing, DrawnShape, Extra, Rectangle, TextLine
from companion.game_api.ui import Language, TableView
from companion.games.monopoly_builder.drawings.cards import chance, deed, reference
from companion.games.monopoly_builder.drawings.chips import BACKS, KINDS, ON_KINDS, PAPER, SECOND, chip
from companion.games.monopoly_builder.drawings.groups import outlines
from companion.games.monopoly_builder.drawings.reckoning import reckoning
from companion.games.monopoly_builder.drawings.ring import DEEP, SIDE, Place, places, ring
from companion.games.monopoly_builder.drawings.town import above, beside, cell_of

SEATS = ("red", "purple", "green", "yellow")
NOTES = {5: "#e5e0d2", 10: "#d6e2ee", 20: "#dfe7dc", 50: "#f3e2b8", 100: "#ecd9e6", 500: "#eed3cf"}
NOTES_EACH = 20
NOTE_WIDTH, NOTE_HEIGHT = 88.0, 44.0
_GAP = 12.0
_STOREYS_FROM = 0.62
"""Where the grid ends and the town from the side begins, as a share of the room inside the ring."""


class MonopolyBuilderDrawings:
    """Draws deeds, Chance, board, references and money, and the board of a game."""

    def front(self, card: str, catalog: Mapping[str, Any], words: Language) -> Drawing:
        """Draw the front of a deed or a Chance card; of what else a box is taught by, the part that it is about."""
        if card in catalog["deeds"]:
            return deed(card, catalog, words)
        if card in catalog["chance"]:
            return chance(card, catalog, words)
        if card[0] not in "FR":
            return _board(catalog, words)
        player = SEATS[int(card[1:]) - 1] if card[0] == "R" else SEATS[0]
        values = catalog["references"].get(player, {"player": player, "kind": player, "token": ""})
        return reference(values, catalog, words)

    def back(self, card: str, catalog: Mapping[str, Any], words: Language) -> Drawing:
        """Draw the back of a pile."""
        del catalog
        table = "deeds" if card.startswith("D") else "chance"
        shapes: list[DrawnShape] = [
            Rectangle(0, 0, CARD_WIDTH, CARD_HEIGHT, fill=BACKS[table]),
            Rectangle(5, 5, CARD_WIDTH - 10, CARD_HEIGHT - 10, line="#ffffff", thick=0.6, round=3),
        ]
        for place, kind in enumerate(SEATS):
            shapes += chip(kind, CARD_WIDTH / 2 - 18 + 12 * place, 62, 4.6, words)
        title = words.named("deck", table)
        shapes.append(
            TextLine(CARD_WIDTH / 2, 42, 8, title, "middle", bold=True, colour="#ffffff", room=CARD_WIDTH - 16)
        )
        return Drawing(CARD_WIDTH, CARD_HEIGHT, tuple(shapes))

    def extras(self, catalog: Mapping[str, Any], words: Language) -> Mapping[str, Extra]:
        """Draw the board as a poster, a reference card for each seat, and money."""
        references = tuple(reference(card_values, catalog, words) for card_values in catalog["references"].values())
        notes = tuple(_note(worth, words) for worth in NOTES for _ in range(NOTES_EACH))
        return {
            "board": Extra(words.say("Board"), (_board(catalog, words),)),
            "references": Extra(words.say("Reference cards"), references),
            "money": Extra(words.say("Money"), notes),
        }

    def pictures(self, scene: TableView) -> Sequence[Drawing]:
        """Draw the board as it stands: owners, tokens, chips, the town from above and from the side; the reckoning."""
        drawn = (_board(scene.catalog, scene.words, scene), reckoning(scene))
        return tuple(drawing for drawing in drawn if drawing is not None)


def _board(catalog: Mapping[str, Any], words: Language, scene: TableView | None = None) -> Drawing:
    position: Mapping[str, Any] = {} if scene is None else scene.position
    players: Mapping[str, Any] = position.get("players", {})
    owners = {card: KINDS[player] for player, player_values in players.items() for card in player_values["deeds"]}
    rows, board = catalog["foundation"]["rows"], position.get("board", {})
    initials = {} if scene is None else scene.initials
    inner = SIDE - 2 * DEEP - 2 * _GAP
    shapes: list[DrawnShape] = [Rectangle(0, 0, SIDE, SIDE, fill=PAPER), *ring(catalog, words, owners)]
    if scene is None and rows:
        shapes += above(rows, board, initials, DEEP + _GAP + 18, DEEP + _GAP + 18, inner - 36)
    elif scene is not None:
        grid = inner * _STOREYS_FROM
        left, top = DEEP + _GAP + (inner - grid) / 2, DEEP + _GAP
        shapes += above(rows, board, initials, left, top, grid)
        shapes += outlines(catalog, board, left, top, cell_of(rows, grid))
        shapes += beside(rows, board, DEEP + _GAP, SIDE - DEEP - _GAP, inner, inner * (0.96 - _STOREYS_FROM) / 6)
        ring_places = places(len(catalog["spaces"]))
        shapes += _lying(position, words, ring_places) + _tokens(players, initials, ring_places)
    return Drawing(SIDE, SIDE, tuple(shapes), _told(board, scene))


def _told(board: Mapping[str, Any], scene: TableView | None) -> str:
    """Return who has built what where, for those who do not see it."""
    if scene is None:
        return ""
    built = (
        f"{cell} {scene.names.get(building['owner'], '')} {building['height']}" for cell, building in board.items()
    )
    return ": ".join(part for part in (scene.words.say("Board"), scene.words.listed(built)) if part)


def _lying(position: Mapping[str, Any], words: Language, ring_places: Sequence[Place]) -> list[DrawnShape]:
    """Draw the chips that lie on spaces, where people find them: in the middle of the space."""
    shapes: list[DrawnShape] = []
    for number, chips in position["spaces"].items():
        place = ring_places[int(number)]
        each = [kind for kind, count in chips.items() for _ in range(count)]
        for at, kind in enumerate(each[:6]):
            shapes += chip(kind, place.x + 8 + 6.5 * at, place.y + place.height * 0.56, 4, words)
    return shapes


def _tokens(players: Mapping[str, Any], initials: Mapping[str, str], ring_places: Sequence[Place]) -> list[DrawnShape]:
    """Draw a token for each player who still moves; several on one space stand beside each other."""
    shapes: list[DrawnShape] = []
    there: dict[int, int] = {}
    for player, player_values in players.items():
        if player_values["bankrupt"]:
            continue
        number = int(player_values["space"])
        at = there[number] = there.get(number, -1) + 1
        place = ring_places[number]
        x, y = place.x + place.width - 9 - 11 * at, place.y + place.height * 0.56
        shapes += [
            Disc(x, y, 8, fill=KINDS[player], line="#ffffff", thick=1.6),
            Disc(x, y, 8.9, line=SECOND, thick=0.5),
            TextLine(x, y + 3.2, 9, initials.get(player, ""), "middle", bold=True, colour=ON_KINDS[player]),
        ]
    return shapes


def _note(worth: int, words: Language) -> Drawing:
    figure = words.money(worth)
    shapes: tuple[DrawnShape, ...] = (
        Rectangle(0, 0, NOTE_WIDTH, NOTE_HEIGHT, fill=NOTES[worth]),
        Rectangle(4, 4, NOTE_WIDTH - 8, NOTE_HEIGHT - 8, line=SECOND, thick=0.5, round=2),
        TextLine(NOTE_WIDTH / 2, NOTE_HEIGHT / 2 + 5, 14, figure, "middle", bold=True, room=NOTE_WIDTH - 24),
        TextLine(8, 11.5, 4.4, figure, bold=True),
        TextLine(NOTE_WIDTH - 8, NOTE_HEIGHT - 8.5, 4.4, figure, "right", bold=True),
    )
    return Drawing(NOTE_WIDTH, NOTE_HEIGHT, shapes)
