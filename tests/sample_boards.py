"""A game whose stage has all that the house draws from data: a board, a track, a row of cards and chips."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import Any

from companion.adapters.journal.memory import InMemoryJournal
from companion.bootstrap import load_bundled_catalog
from companion.bootstrap.games import load_game
from companion.game_api.boards import (
    CardRow,
    Cell,
    Chip,
    ChipRow,
    GameBoard,
    Marker,
    Surface,
    TableCard,
    Track,
    catalog_card,
)
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

    verb = "take"
    """What a tap on a card gives."""

    def stage(self, scene: TableView) -> Stage:
        """Return the scene."""
        market = (catalog_card(scene, card, {"do": self.verb, "card": card}) for card in scene.position["table"])
        return Stage(
            title="The field",
            surfaces=(
                GameBoard("Field", SIZE, SIZE, tuple(self._cells(scene))),
                Track("Points", SPACES, dict.fromkeys(scene.players, 7), 1, (Cell(7, pieces=self._full_cell(scene)),)),
                CardRow("Market", (*market, TableCard("Ox", drawn=OX, pieces=(STONE, SHEEP)))),
                ChipRow("Reserve", ((STONE, 5), (SHEEP, 0), (GRAIN, 12))),
            ),
            seats={
                player: StageSeat(amount=str(own["points"]), label="points") for player, own in scene.players.items()
            },
        )

    @staticmethod
    def _full_cell(scene: TableView) -> tuple[Marker, ...]:
        """Return so many markers that eight stand on the space."""
        return tuple(Marker(player) for player in scene.players)[: 8 - len(scene.players)]

    def _cells(self, scene: TableView) -> Iterator[Cell]:
        taken = dict(zip(scene.catalog["cards"], PLACES, strict=True))
        cards = {place: card for card, place in taken.items()}
        for column in range(1, SIZE + 1):
            for row in range(1, SIZE + 1):
                card = cards.get((column, row))
                command = {"do": self.verb, "card": card} if card else None
                says = scene.words.card(card, scene.catalog) if card else ""
                yield Cell(column, row, says, **self._pictures(scene, column, row), command=command)

    def _pictures(self, scene: TableView, column: int, row: int) -> Mapping[str, Any]:
        markers = tuple(map(Marker, scene.players))
        if (column, row) == (3, 3):
            return {"pieces": (*markers, *markers), "shade": "lawn"}
        if row == 5:
            return {"pieces": (STONE, SHEEP, GRAIN)[column % 3 : column % 3 + 1], "height": column % 4}
        if row == 8:
            return {"label": str(column), "shade": ("brown", "light_blue", "pink", "navy")[column % 4]}
        return {"pieces": markers[:1], "label": "9"} if (column, row) == (9, 9) else {}


def board_of(columns: int, rows: int, players: Iterable[str], most: int) -> GameBoard:
    """Return a board with labels, heights, up to so many pieces in a cell, and a hole."""
    pieces = tuple(map(Marker, players)) * 3
    places = [(x, y) for x in range(1, columns + 1) for y in range(1, rows + 1) if (x, y) != (2, 2)]
    cells = (
        Cell(x, y, label="ab" if x * y % 3 == 0 else "", height=(x + y) % 5, pieces=pieces[: (x + y) % most])
        for x, y in places
    )
    return GameBoard("Field", columns, rows, tuple(cells))


def row_of(cards: int) -> CardRow:
    """Return a row of cards with short and long names, and texts."""
    names, text = ("Donaudampfschiff", "Ox", "Market hall"), "Whoever has it takes another."
    facts = (("Points", "3"), ("Colour", "green"))
    return CardRow("Market", tuple(TableCard(names[at % 3], facts, text if at % 2 else "") for at in range(cards)))


VARIETIES: Mapping[str, Callable[[Iterable[str]], tuple[Surface, ...]]] = {
    "largest board": lambda players: (board_of(16, 16, players, 3),),
    "smallest board": lambda players: (board_of(3, 3, players, 9),),
    "board and longest track": lambda players: (
        board_of(8, 8, players, 4),
        Track("Points", 150, {player: 9 + 3 * place for place, player in enumerate(players)}),
    ),
    "two boards": lambda players: (board_of(5, 4, players, 5), board_of(4, 4, players, 5)),
    "cards and track": lambda players: (row_of(12), Track("Points", 20, dict.fromkeys(players, 3), 0)),
    "three cards": lambda _players: (row_of(3),),
    "thirty cards": lambda _players: (row_of(30),),
    "chips": lambda _players: (ChipRow("Reserve", ((STONE, 5), (SHEEP, 0), (GRAIN, 12))),),
}
"""What may lie on a table besides the sample: by name, for the players."""


def stage_of(variety: str) -> type[StageDirector]:
    """Return a stage with one of the varieties, below a picture."""

    class Variety(StageDirector):
        def stage(self, scene: TableView) -> Stage:
            return Stage(
                title="The field",
                text=("Ada has taken a card.",),
                picture=OX if variety == "three cards" else None,
                surfaces=VARIETIES[variety](tuple(scene.players)),
            )

    return Variety


def seat_four(
    manifest: Manifest,
    names: tuple[str, ...] = ("Ada", "Ben", "Cleo", "Dan"),
    stage: type[StageDirector] = SampleStage,
) -> tuple[Services, Table]:
    """Return a table of four at the game, on the sample stage or another one."""
    tables = tables_for(replace(manifest, stage=stage))
    players = [{"id": seat, "name": name} for seat, name in zip(manifest.seats.colours, names, strict=False)]
    start = {"do": "start_game", "game": manifest.name, "first": "red", "players": players}
    return services_over(tables), tables.start(Request(start, "banker", "test"))


def tables_for(manifest: Manifest) -> Tables:
    """Return tables for a game, at which nobody plays yet."""
    numbers = count(1)
    games = {manifest.name: load_game(manifest, {"house": load_bundled_catalog(manifest)})}
    return Tables(games, InMemoryJournal(), SystemClock(), lambda: f"t{next(numbers)}", list)
