"""A game whose stage has all that the house draws from data: a board, a track, a row of cards and chips."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import Any

from companion.adapters.journal.memory import InMemoryJournal
from companion.bootstrap import load_bundled_catalog
from companion.bootstrap.games import load_game
from companion.game_api.boards import CardRow, Cell, Chip, ChipRow, GameBoard, Marker, TableCard, Track, catalog_card
from companion.game_api.drawing import OUTLINE, Disc, Drawing, Rectangle
from companion.game_api.manifest import Manifest
from companion.game_api.stage import Stage, StageDirector, StageSeat
from companion.game_api.ui import TableView
from companion.service.runtime import SystemClock
from companion.service.services import Services
from companion.service.table.registry import Tables
from companion.service.table.table import Request, Table
from tests.every_game import services_over

OX = Drawing(63, 88, (Rectangle(1, 1, 61, 86, fill="#d9b13b", line=OUTLINE), Disc(31, 40, 20, fill="#7b4f33")))
SIZE = 12
SPACES = 40
STONE, SHEEP, GRAIN = Chip("Stone", "square"), Chip("Sheep", "disc", "green"), Chip("Grain", "triangle", "gold")
PLACES = ((1, 1), (12, 1), (6, 6), (7, 6), (1, 12), (12, 12))
"""Where the cards of the game lie on the board."""


class SampleStage(StageDirector):
    """Shows the cards of the game on a board as large as any, beside a track with a crowd on one space."""

    def stage(self, scene: TableView) -> Stage:
        """Return the scene."""
        market = (catalog_card(scene, card, {"do": "take", "card": card}) for card in scene.position["table"])
        return Stage(
            title="The field",
            surfaces=(
                GameBoard("Field", SIZE, SIZE, tuple(self._cells(scene))),
                Track("Points", SPACES, dict.fromkeys(scene.players, 7), 1, (Cell(7, pieces=self._crowd(scene)),)),
                CardRow("Market", (*market, TableCard("Ox", drawn=OX, pieces=(STONE, SHEEP)))),
                ChipRow("Reserve", ((STONE, 5), (SHEEP, 0), (GRAIN, 12))),
            ),
            seats={
                player: StageSeat(amount=str(own["points"]), label="points") for player, own in scene.players.items()
            },
        )

    @staticmethod
    def _crowd(scene: TableView) -> tuple[Marker, ...]:
        """Return so many markers that eight stand on the space."""
        return tuple(Marker(player) for player in scene.players)[: 8 - len(scene.players)]

    def _cells(self, scene: TableView) -> Iterator[Cell]:
        taken = dict(zip(scene.catalog["cards"], PLACES, strict=True))
        cards = {place: card for card, place in taken.items()}
        for column in range(1, SIZE + 1):
            for row in range(1, SIZE + 1):
                card = cards.get((column, row))
                command = {"do": "take", "card": card} if card else None
                says = scene.words.card(card, scene.catalog) if card else ""
                yield Cell(column, row, says, **self._looks(scene, column, row), command=command)

    def _looks(self, scene: TableView, column: int, row: int) -> Mapping[str, Any]:
        markers = tuple(map(Marker, scene.players))
        if (column, row) == (3, 3):
            return {"pieces": (*markers, *markers), "shade": "lawn"}
        if row == 5:
            return {"pieces": (STONE, SHEEP, GRAIN)[column % 3 : column % 3 + 1], "height": column % 4}
        if row == 8:
            return {"label": str(column), "shade": ("brown", "light_blue", "pink", "navy")[column % 4]}
        return {"pieces": markers[:1], "label": "9"} if (column, row) == (9, 9) else {}


def seat_four(manifest: Manifest, names: tuple[str, ...] = ("Ada", "Ben", "Cleo", "Dan")) -> tuple[Services, Table]:
    """Return a table of four at the game, on the sample stage."""
    shown = replace(manifest, stage=SampleStage)
    numbers = count(1)
    games = {shown.name: load_game(shown, {"house": load_bundled_catalog(shown)})}
    tables = Tables(games, InMemoryJournal(), SystemClock(), lambda: f"t{next(numbers)}", list)
    players = [{"id": seat, "name": name} for seat, name in zip(shown.seats.colours, names, strict=False)]
    start = {"do": "start_game", "game": shown.name, "first": "red", "players": players}
    return services_over(tables), tables.start(Request(start, "banker", "test"))
