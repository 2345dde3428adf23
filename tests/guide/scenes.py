"""One evening in pictures: what is played, and when the shutter goes."""

from collections.abc import Callable, Mapping

from playwright.sync_api import Page, expect

from companion.service.access.logins import Caller
from tests.guide.camera_man import BANKER, SCREEN, CameraMan
from tests.guide.printed import sheets
from tests.guide.stage import Game

SEED = 7
STORY = (900, 900)


def lobby(man: CameraMan) -> None:
    """The welcome; the lobby, with three names; what is laid ready for them."""
    with man.device(BANKER, path="/welcome?step=laying") as page:
        man.take(page, "welcome")
    with man.device(BANKER, path="/") as page:
        for place, name in enumerate(("Ada", "Ben", "Cleo")):
            page.get_by_role("textbox", name="Name").nth(place).fill(name)
        man.take(page, "lobby")
        page.get_by_role("button", name="Start the game").click()
        page.get_by_role("button", name="What to lay out").click()
        for step in ("Sections", "Workers", "Money"):
            page.get_by_role("dialog").get_by_role("button", name=step).click()
        man.take(page, "prepare")
    with man.device(BANKER, path="/words") as page:
        man.take(page, "words")


def first_round(man: CameraMan) -> None:
    """Hiring, by tap and by camera; the code for a phone; an auction on three kinds of screen."""
    game = man.stage.game(3, SEED)
    for _ in range(4):
        game.play_on()
    with man.tablet(game) as page:
        page.get_by_role("button", name="Hire", exact=True).click()
        man.take(page, "hire")
        page.keyboard.press("Escape")
        page.get_by_role("button", name="More").click()
        expect(page.get_by_role("dialog")).to_be_visible()
        man.take(page, "menu")
        page.get_by_role("button", name="Phones at the table").click()
        expect(page.locator(".invitation")).to_be_visible()
        man.take(page, "phones")
        page.keyboard.press("Escape")
        _camera(man, game, page)
    game.until(lambda at: at["auction"] is not None and len(at["auction"]["still_in"]) > 1)
    with man.tablet(game) as page:
        man.take(page, "auction")
    with man.device(Caller("spectator", None, game.table.id), SCREEN) as page:
        man.take(page, "display_auction")
    man.phone(game, game.position["waiting_for"][0], "phone_bid")


def _camera(man: CameraMan, game: Game, page: Page) -> None:
    workers = next(offer for offer in game.table.show("banker")["offers"] if offer["do"] == "hire_worker")
    card = workers["fields"]["worker"]["values"][-1]
    man.stage.simulated_table.lay_on_tray(card)
    expect(page.locator(".proposal")).to_be_visible()
    man.take(page, "camera")
    page.locator(".proposal").get_by_role("button", name="No").click()
    expect(page.locator(".proposal")).to_have_count(0)
    man.stage.simulated_table.take_away(card)


def middle_of_the_game(man: CameraMan) -> None:
    """The panels, a plan, and the display while everybody builds."""
    game = man.stage.game(3, SEED)
    game.until(lambda at: at["round"] == 2 and at["phase"] == "hire")
    with man.tablet(game) as page:
        man.take(page, "tablet")
    game.until(lambda at: at["round"] == 2 and at["phase"] == "build" and len(at["waiting_for"]) > 1)
    planner = _plan(man, game)
    man.phone(game, planner, "phone_seat")
    # the event stays on the big screen until the first plan is locked
    game.until(lambda at: bool(at["planned"]) or at["phase"] != "build")
    with man.device(Caller("spectator", None, game.table.id), SCREEN, dark=True) as page:
        expect(page.locator(".yards")).to_be_visible()
        man.take(page, "display_yards")


def _plan(man: CameraMan, game: Game) -> str:
    """Use the plan that is proposed to the first player who can build something; return the player's id."""
    for planner in game.position["waiting_for"]:
        with man.tablet(game) as page:
            page.locator(f"[data-sheet=plan][data-player={planner}]").click()
            page.get_by_role("button", name="Suggest").click()
            page.locator("#sheet .plan-why .reasons, #sheet .plan-why .refusal").first.wait_for()
            if page.get_by_role("button", name="Use this plan").count():
                page.get_by_role("button", name="Use this plan").click()
                page.locator("#sheet [data-take]").wait_for(state="detached")
            if page.get_by_role("button", name="Lock the plan").is_enabled():
                man.take(page, "plan")
                return str(planner)
    raise LookupError("nobody can build anything")


def trouble(man: CameraMan) -> None:
    """A figure explained, an entry put right, notes handed over."""
    game = man.stage.game(3, SEED)
    game.until(lambda at: at["round"] == 2 and at["phase"] == "hire")
    with man.tablet(game) as page:
        page.locator(".purse [data-sheet=explain]").first.click()
        expect(page.get_by_role("dialog")).to_be_visible()
        man.take(page, "explain")
        page.keyboard.press("Escape")
        _menu(page, "Notes on the table")
        page.get_by_role("dialog").get_by_role("button", name="Announce notes after each entry").click()
        man.take(page, "notes")
        page.keyboard.press("Escape")
        _menu(page, "Journal")
        man.take(page, "journal")


def _menu(page: Page, entry: str) -> None:
    page.get_by_role("button", name="More").click()
    page.get_by_role("dialog").get_by_role("button", name=entry).click()
    expect(page.get_by_role("heading", name=entry).last).to_be_visible()


def money_short(man: CameraMan) -> None:
    """Somebody must borrow; an event asks its owner."""
    careless: Mapping[str, str] = {"blue": "random", "yellow": "random", "red": "middle"}
    _at_some_table(man, careless, lambda game: game.until(lambda at: "choose_workers" in at["expects"]), "event")
    _at_some_table(
        man, careless, lambda game: game.until(lambda at: at["phase"] == "income" and "borrow" in at["expects"]), "loan"
    )


def _at_some_table(man: CameraMan, names: Mapping[str, str], play: Callable[[Game], object], name: str) -> None:
    for seed in range(SEED, SEED + 12):
        game = man.stage.game(3, seed, names)
        try:
            play(game)
        except LookupError:
            continue
        with man.tablet(game) as page:
            man.take(page, name)
        return
    raise LookupError(name)


def last_page(man: CameraMan) -> None:
    """The town before the last event, and the final score."""
    game = man.stage.game(3, SEED)
    game.until(lambda at: "turn_event" in at["expects"] and at["round"] == at["last_round"] and not _sold(game))
    for name, dark in (("display_town", False), ("display_town_dark", True)):
        with man.device(_onlooker(game), SCREEN, dark=dark) as page:
            expect(page.locator(".town.whole-screen")).to_be_visible()
            man.take(page, name)
    game.until(lambda at: bool(at["finished"]))
    with man.tablet(game) as page:
        man.take(page, "reckoning")
    for story, theme in (("story", "day"), ("story_dark", "night")):
        dark = theme == "night"
        with man.device(_onlooker(game), STORY, f"/tables/{game.table.id}/story?look={theme}", dark=dark) as page:
            man.take(page, story, ".story-picture")


def moments(man: CameraMan) -> None:
    """A sale, and plans that open, on big screens that see them."""
    game = man.stage.game(3, SEED)
    game.until(lambda at: at["round"] == 2 and bool(at["auction"]))
    while game.position["phase"] != "contracts" or not _sold(game):
        game.play_on()
    for name, dark in (("display_sold", False), ("display_sold_dark", True)):
        with man.device(_onlooker(game), SCREEN, dark=dark) as page:
            man.take(page, name)
    game.until(lambda at: at["phase"] == "build" and len(at["waiting_for"]) == 1)
    with (
        man.device(_onlooker(game), SCREEN) as light,
        man.device(_onlooker(game), SCREEN, dark=True) as dark_one,
    ):
        for page in (light, dark_one):
            page.evaluate("import('/games/master_builder/reveal.js').then(() => true)")
        game.play_on()
        for page, name in ((light, "display_reveal"), (dark_one, "display_reveal_dark")):
            expect(page.locator("#stage .unfolds")).to_be_visible()
            man.take(page, name)


def _sold(game: Game) -> bool:
    """Return whether the last act was a sale, and nobody has opened another one."""
    latest = game.table.journal("banker")[-1]["events"]
    return game.position["auction"] is None and any(event["event"] == "ContractSold" for event in latest)


def _onlooker(game: Game) -> Caller:
    return Caller("spectator", None, game.table.id)


SCENES: tuple[Callable[[CameraMan], None], ...] = (
    lobby,
    first_round,
    middle_of_the_game,
    trouble,
    money_short,
    moments,
    last_page,
    sheets,
)
