"""Men at Work and Monopoly Builder in pictures: bots play until there is something to see."""

import random
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from companion import bootstrap
from companion.service.access.logins import Caller
from companion.service.table.table import Request
from tests.browser.plain_hands import unfold
from tests.guide.camera_man import BANKER, PHONE, CameraMan
from tests.guide.stage import Game, Stage
from tests.opened import installed_games

SEED = 7
MANY_BLOCKS = 6
MANY_PIECES = 9


def men_at_work(man: CameraMan) -> None:
    """An action that stands there, a figure put right, the end, and a game that began without the app."""
    game = game_of(man.stage, "men_at_work", 3)
    game.until(lambda at: at["phase"] == "place" and sum(at["site"].values()) > MANY_PIECES + 9 and wants_two(at))
    _pictures(man, game, "men_at_work")
    with man.tablet(game) as page:
        _correct(page, "Certificates")
        man.take(page, "men_at_work_correct")
    _last_page(man, game, "men_at_work_end")
    _take_over(man, "men_at_work", "men_at_work_take_over")


def monopoly_builder(man: CameraMan) -> None:
    """A turn with something built, a trade, a figure put right, the end, and a game that began without the app."""
    game = game_of(man.stage, "monopoly_builder", 3)
    game.until(lambda at: at["phase"] == "act" and sum(block["height"] for block in at["board"].values()) > MANY_BLOCKS)
    _pictures(man, game, "monopoly_builder")
    with man.tablet(game) as page:
        _trade(page)
        man.take(page, "monopoly_builder_trade")
    with man.tablet(game) as page:
        _correct(page, "Money")
        man.take(page, "monopoly_builder_correct")
    _last_page(man, game, "monopoly_builder_end")
    _take_over(man, "monopoly_builder", "monopoly_builder_take_over")


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


def _correct(page: Page, figure: str) -> None:
    """Put a figure of the first player right, from a tap on their card to what would follow."""
    page.locator(".whole-card").first.click()
    page.locator("#sheet .pick", has_text=figure).click()
    amount, other = page.locator("#sheet [data-kind=amount]"), page.locator("#sheet .figure-choices [data-preview]")
    expect(amount.or_(other).first).to_be_visible()
    if amount.count():
        amount.fill("600")
    else:
        other.last.click()
    expect(page.locator("#sheet .follows")).to_be_visible()


def _trade(page: Page) -> None:
    """Put a trade together, a little of both sides."""
    opener = page.locator('[data-sheet=offer][data-like*="trade"]').first
    unfold(opener)
    opener.click()
    sides = page.locator("#sheet .deal-side")
    for side, more in ((0, "[data-add='50']"), (1, ".stepper:has([data-of]) [data-add='1']")):
        sides.nth(side).locator(more).first.click()


def _last_page(man: CameraMan, game: Game, name: str) -> None:
    """Store a picture of the tablet when the game is over."""
    game.until(lambda at: bool(at["finished"]))
    with man.tablet(game) as page:
        man.take(page, name)


def _take_over(man: CameraMan, game: str, name: str) -> None:
    with man.device(BANKER, path=f"/take-over?game={game}") as page:
        for player, called in zip(page.locator(".begun-player [data-name]").all(), ("Ada", "Ben"), strict=False):
            player.fill(called)
        man.take(page, name)


SCENES: tuple[Callable[[CameraMan], None], ...] = (men_at_work, monopoly_builder)
