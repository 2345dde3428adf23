"""Men at Work and Monopoly Builder in pictures: bots play until there is something to see."""

import random
from collections.abc import Callable
from typing import Any

from companion import bootstrap
from companion.service.access.logins import Caller
from companion.service.table.table import Request
from tests.guide.camera_man import PHONE, CameraMan
from tests.guide.stage import Game, Stage
from tests.opened import installed_games

SEED = 7
MANY_BLOCKS = 6
MANY_PIECES = 9


def men_at_work(man: CameraMan) -> None:
    """An action that stands there."""
    game = game_of(man.stage, "men_at_work", 3)
    game.until(lambda at: at["phase"] == "place" and sum(at["site"].values()) > MANY_PIECES + 9 and wants_two(at))
    _pictures(man, game, "men_at_work")


def monopoly_builder(man: CameraMan) -> None:
    """A turn with something built."""
    game = game_of(man.stage, "monopoly_builder", 3)
    game.until(lambda at: at["phase"] == "act" and sum(block["height"] for block in at["board"].values()) > MANY_BLOCKS)
    _pictures(man, game, "monopoly_builder")


def wants_two(position: dict[str, Any]) -> bool:
    """Return whether more than a girder is to be placed."""
    return len(position["action"]["pieces"]) > 1


def game_of(stage: Stage, name: str, players: int) -> Game:
    """Open a table of bots of any game."""
    manifest = installed_games().manifest(name)
    if manifest.bots is None:
        raise LookupError(name)
    bots, lots = manifest.bots(), random.Random(SEED)
    start = {**bots.beginning(players), "catalog": "house"}
    table = stage.services.tables.start(Request(start, "banker", "tap"))
    piles = bots.shuffled(bootstrap.load_bundled_catalog(manifest), SEED)
    seats = table.game.rules.overview(table.position).seats if table.position else ()
    strengths = dict.fromkeys(seats, "steady" if name == "men_at_work" else "strong")

    def play_on() -> bool:
        act = bots.next_act(table.position, piles, strengths, lots.randrange) if table.position else None
        if act is not None:
            table.submit(Request(table.game.codec.command_json(act.command), "banker", "tap"))
        return act is not None

    return Game(table, play_on)


def _pictures(man: CameraMan, game: Game, name: str) -> None:
    with man.tablet(game) as page:
        man.take(page, name)
    (up,) = game.position["waiting_for"]
    with man.device(Caller("player", up, game.table.id), PHONE) as page:
        man.take(page, f"{name}_phone")


SCENES: tuple[Callable[[CameraMan], None], ...] = (men_at_work, monopoly_builder)
