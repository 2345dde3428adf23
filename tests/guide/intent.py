"""Render pages beside their pictures of intent: ``python -m tests.guide.intent PICTURES OUT [NAME...]``.

PICTURES is their folder.  For each, bots play until a table has the same content, a device of the same size
shows it, and OUT receives both beside each other: the intent on the left, the page on the right.  Differences that are
meant are printed.
"""

import argparse
import random
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Page, expect

from companion import bootstrap
from companion.bot_games.games import bots_of
from companion.service.access.logins import Caller
from companion.service.access.screens import LobbySeat
from companion.service.table.table import Request, Table
from tests.guide.camera_man import BANKER, CameraMan, camera_man
from tests.guide.stage import Stage, stage
from tests.opened import installed_games
from tests.pages import settled

At = dict[str, Any]
NAMES = ("Bartholomew", "Anne-Sophie", "Maximiliane", "Theo")
SIZES = {"display": (1920, 1080), "tablet": (1280, 800), "phone": (390, 844)}
SEEDS = range(7, 13)
STRENGTH = "middle"
UNDER_CLOTHS = 2
FINISHED_BUILDINGS, OFFERED = 4, 4
WHOLE_END_MS = 60_000
"""The big screen shows opened plans and steps of the end one after the other, some seconds each."""
GAMES = {"mb": "master_builder", "mo": "monopoly_builder", "mw": "men_at_work"}


@dataclass(frozen=True)
class Intent:
    """A picture of intent: the name without its ending, and the table that has its content.

    ``there`` says of a position and of the latest events whether the table is there; ``then`` is tapped on the page.
    ``owner``: on a phone, what its player is: ``waiting`` or not (``onlooking``), or a guest who has no seat yet
    (``joining``).  ``is_moment``: the page is open before the next act, and shows what becomes of it.
    """

    name: str
    there: Callable[[At, frozenset[str]], bool]
    then: Callable[[Page], object] = bool
    owner: str = "waiting"
    size: tuple[int, int] | None = None
    is_moment: bool = False

    @property
    def device(self) -> str:
        """Return ``display``, ``tablet`` or ``phone``."""
        return self.name.split("-")[0]

    @property
    def game(self) -> str:
        """Return the game's name."""
        return GAMES[self.name.split("-")[1]]

    @property
    def is_dark(self) -> bool:
        """Return whether it is shown by night."""
        return self.name.endswith(("-dark", "-night"))


def happened(*kinds: str) -> Callable[[At, frozenset[str]], bool]:
    """Return whether the latest entry has an event of one of these kinds."""
    return lambda _, events: bool(events & set(kinds))


def tap(*names: str) -> Callable[[Page], object]:
    """Return what taps one button after the other."""

    def tapped(page: Page) -> None:
        for name in names:
            page.get_by_role("button", name=name).first.click()
        expect(page.get_by_role("dialog")).to_be_visible()

    return tapped


def _opens_trade(page: Page) -> None:
    """Open the sheet on which a trade with somebody is put together."""
    fold = page.locator("[popovertarget=over-trades], summary").filter(has_text="Trade with a player")
    if fold.count():
        fold.first.click()
    page.locator("[data-sheet=offer]:visible").filter(has_text="Trade").first.click()
    expect(page.get_by_role("dialog")).to_be_visible()


def _opens_entry(page: Page) -> None:
    """Open the sheet on which the latest entry that can be put right is put right."""
    tap("More", "Journal")(page)
    page.locator("[data-sheet=amend]:visible").first.click()
    expect(page.locator(".over form, .over [data-preview]").first).to_be_visible()


def _shows_plan(page: Page) -> None:
    expect(page.locator("#stage .unfolds")).to_be_visible()


def _shows_cloths(page: Page) -> None:
    """Wait, through the plans that open, until the big screen has settled all places but two."""
    expect(page.locator("#stage .account-step .cloth")).to_have_count(UNDER_CLOTHS, timeout=WHOLE_END_MS)


def _is_hiring(at: At, events: frozenset[str]) -> bool:
    return at["phase"] == "hire" and at["round"] > 1 and "WorkerHired" in events


def _has_settled(at: At, events: frozenset[str]) -> bool:
    return "WagesPaid" in events and at["round"] > 2 and any(own["completed"] for own in at["players"].values())


def _turned_economy(at: At, events: frozenset[str]) -> bool:
    return "ContractsRevealed" in events and at["round"] > 1 and "open_auction" in at["expects"]


def _has_finished_buildings(at: At, events: frozenset[str]) -> bool:
    completed = sum(len(own["completed"]) for own in at["players"].values())
    between = at["phase"] == "events" and "event" not in at and "ContractSold" not in events
    return between and completed >= FINISHED_BUILDINGS


def _could_trade(at: At, events: frozenset[str]) -> bool:
    return "TokenMoved" in events and sum(bool(own["deeds"]) for own in at["players"].values()) > 1


def _is_bidding(at: At, _: frozenset[str]) -> bool:
    return at["auction"] is not None and at["round"] > 1 and len(at["auction"]["still_in"]) > 1


def _is_building(at: At, _: frozenset[str]) -> bool:
    return at["round"] > 1 and at["phase"] == "build" and len(at["waiting_for"]) > 1


def _opens_plans(at: At, _: frozenset[str]) -> bool:
    return at["round"] > 1 and at["phase"] == "build" and len(at["waiting_for"]) == 1


def _ends_with_it(at: At, _: frozenset[str]) -> bool:
    return at["round"] == at["last_round"] and at["phase"] == "build" and len(at["waiting_for"]) == 1


def _has_ended(at: At, _: frozenset[str]) -> bool:
    return bool(at["finished"])


def _is_offered(at: At, _: frozenset[str]) -> bool:
    offered = [lot for lot in at["display"] if at["phase"] == "contracts" and at["auction"] is None]
    return len(offered) >= OFFERED and "open_auction" in at["expects"]


def _lacks_wages(at: At, _: frozenset[str]) -> bool:
    return at["phase"] == "income" and "borrow" in at["expects"]


def _is_on_sale(at: At, _: frozenset[str]) -> bool:
    return at["auction"] is not None and bool(at["auction"]["leader"])


def _has_town(at: At, events: frozenset[str]) -> bool:
    return "FloorBuilt" in events and sum(block["height"] for block in at["board"].values()) > len("blocks")


def _may_build(at: At, _: frozenset[str]) -> bool:
    return "build" in at["expects"] and sum(block["height"] for block in at["board"].values()) > len("blocks")


def _may_buy(at: At, events: frozenset[str]) -> bool:
    return "TokenMoved" in events and "buy" in at["expects"]


def _is_placing(at: At, _: frozenset[str]) -> bool:
    return at["phase"] == "place" and len(at["action"]["pieces"]) > 1 and sum(at["site"].values()) > len("many pieces")


INTENTS: Sequence[Intent] = (
    *(Intent(f"display-mb-{name}", _is_bidding) for name in ("auction", "auction-dark")),
    Intent("display-mb-contracts", _is_offered),
    Intent("display-mb-economy", _turned_economy),
    *(Intent(f"display-mb-{name}", happened("EventTurned")) for name in ("event", "event-dark")),
    Intent("display-mb-hire", _is_hiring),
    Intent("display-mb-settlement", _has_settled),
    *(Intent(f"display-mb-{name}", _has_finished_buildings) for name in ("town", "town-night")),
    Intent("display-mb-end-before", _ends_with_it, _shows_cloths, is_moment=True),
    Intent("display-mb-end", _has_ended),
    *(Intent(f"display-mb-{name}", _opens_plans, _shows_plan, is_moment=True) for name in ("reveal", "reveal-dark")),
    Intent("tablet-mb-auction", _is_bidding),
    Intent("tablet-mb-corrections", _is_hiring, _opens_entry),
    Intent("tablet-mb-hire", _is_hiring, tap("Hire")),
    Intent("tablet-mb-loan", _lacks_wages),
    Intent("tablet-mb-more", _is_hiring, tap("More")),
    Intent("tablet-mb-panels", _is_hiring),
    Intent("tablet-mb-plan", _is_building, lambda page: page.locator("[data-sheet=plan]").first.click()),
    Intent("phone-mb-bid", _is_bidding),
    Intent("phone-mb-bid-664", _is_bidding, size=(390, 664)),
    Intent("phone-mb-contracts", _is_offered, owner="onlooking"),
    Intent("phone-mb-end", _has_ended),
    Intent("phone-mb-hire", _is_hiring),
    Intent("phone-mb-join", _is_hiring, owner="joining"),
    Intent("phone-mb-plan", _is_building),
    Intent("phone-mb-waiting", _is_hiring, owner="onlooking"),
    Intent("display-mo-auction", _is_on_sale),
    *(Intent(f"display-mo-{name}", _has_town) for name in ("built", "built-dark")),
    Intent("display-mo-end", _has_ended),
    Intent("display-mo-rent", happened("RentFell", "RentClaimed")),
    Intent("display-mo-turn", _may_buy),
    Intent("tablet-mo-build", _may_build, tap("Build a floor")),
    Intent("tablet-mo-trade", _could_trade, _opens_trade),
    Intent("tablet-mo-turn", _may_build),
    Intent("phone-mo-auction", _is_on_sale),
    Intent("phone-mo-trade", _could_trade, _opens_trade),
    Intent("phone-mo-turn", _may_buy),
    Intent("display-mw-accident", happened("AccidentHappened")),
    *(Intent(f"display-mw-{name}", _is_placing) for name in ("action", "action-dark")),
    Intent("display-mw-end", _has_ended),
    Intent("tablet-mw-action", _is_placing),
    Intent("phone-mw-action", _is_placing),
)
"""What a bot game comes to by itself."""
LOBBY = Intent("display-mb-lobby", _has_ended)
"""The big screen before any game."""

DIFFERENCES = {
    "display-*": "The code to join stands on the stage until the first acts are over, and nowhere later (ADR 60).",
    "display-mb-auction*": "Who leads is named once, below the bid; earlier bids are badges with amounts.",
    "display-mb-contracts": "Walls and houses have the outlines that they are built in; bids begin at *min.*",
    "display-mb-economy": "The number of contracts stands beside their drawings, with pay and least bid in one line.",
    "display-mb-end*": "Seats stay in their order, so that nobody looks for theirs; the account says how long it took.",
    "display-mb-event*": "Four struck cards stand closer together; who is spared has a tick and no frame.",
    "display-mb-hire": "A worker is called by type and number; markers on one field stand one above the other.",
    "display-mb-lobby": "The address is that of this machine, with its port where it has one.",
    "display-mb-reveal*": "Wages are told with the income; what is new is framed, what was built before is stone.",
    "display-mb-settlement": "The mallet is seen to move between the seats; the band says who acts.",
    "display-mb-town*": "One skyline in two depths, so that eight to twenty-four buildings fit; owners on poles.",
    "tablet-mb-auction": "Bidders stand at the left with their crews; the pad says up to what it is safe.",
    "tablet-mb-corrections": "An entry is put right on a sheet over the table, with what follows beside it.",
    "tablet-mb-hire": "Every worker of a pile can be chosen, for their quirks differ; piles stand above.",
    "tablet-mb-loan": "Everybody's income and wages stand above the two notes: who borrows sees what for.",
    "tablet-mb-more": "Corrections come first, and all entries are in one menu of four groups.",
    "tablet-mb-panels": "Shelves stand beside each player, the journal at the right.",
    "tablet-mb-plan": "Plans are secret: the table names who plans, and each opens their own.",
    "phone-*": "The colour of the player is a stripe at the top; the menu is at the right.",
    "phone-mb-bid*": "What the bid leads to is said in words, with the contract's workers.",
    "phone-mb-contracts": "Needs are single workers, as they lie on the building.",
    "phone-mb-end": "The reckoning comes first, with its lines; the picture to send is below.",
    "phone-mb-hire": "The own crew and contracts stand above; *Hire* opens the piles.",
    "phone-mb-join": "Names that are taken say how; one can just watch.",
    "phone-mb-plan": "The event of the round stands above the crew; *Plan* opens the sections.",
    "phone-mb-waiting": "Wages and contracts of one's own, then everybody's money.",
    "display-mo-auction": "The deed stands in the middle, for its chips are read from afar.",
    "display-mo-built*": "The ring is lower, so that the fifth floor fits.",
    "display-mo-end": "Points are piles of their sources; turning points stand above.",
    "display-mo-rent": "The amount is in the sentence, and a strap from seat to seat shows it while it is new.",
    "display-mo-turn": "Dice stand above the town, clear of its far corner.",
    "tablet-mo-build": "The plan is flat: cells are tapped without a tower in front of them.",
    "tablet-mo-trade": "Amounts have steps to tap; both sides are one sheet.",
    "tablet-mo-turn": "The last floor is named; what is paid with stands at the seats.",
    "phone-mo-auction": "The form is due and stands above; the deed below.",
    "phone-mo-trade": "Both sides stand beside each other, so that nothing is scrolled away.",
    "phone-mo-turn": "Buying is at the thumb; the town stands below the deed.",
    "display-mw-accident": "Where it is not known yet, the question for the colour stands below.",
    "display-mw-action*": "Both colours are drawn whole where the card allows two; site and reserve are counted.",
    "display-mw-end": "Turning points stand above the piles.",
    "tablet-mw-action": "Words stand above the picture, so that they are never covered.",
    "phone-mw-action": "Words stand below the picture, whole, and the picture takes what they leave.",
}
"""Differences that are meant between an intent and its page, by name; ``*`` stands for any ending."""


def played(scene: Stage, game: str, seed: int) -> Table:
    """Begin a table of bots."""
    manifest = installed_games().manifest(game)
    start: At = {**bots_of(manifest).beginning(len(NAMES), seed), "catalog": "house"}
    for player, name in zip(start["players"], NAMES, strict=True):
        player["name"] = name
    return scene.services.tables.start(Request(start, "banker", "tap"))


def take(man: CameraMan, game: str, wanted: set[str], keep: Callable[[Intent, Image.Image], None]) -> None:
    """Play games until the table has had the content of every picture in ``wanted``, and take each once."""
    manifest = installed_games().manifest(game)
    bots = bots_of(manifest)
    for seed in SEEDS:
        table, lots = played(man.stage, game, seed), random.Random(seed)
        piles = bots.shuffled(bootstrap.load_bundled_catalog(manifest), seed)
        strengths = dict.fromkeys(table.names(), STRENGTH)
        while wanted and table.position is not None:
            at, latest = dict(table.position_json("banker") or {}), table.journal("banker")[-1]
            events = frozenset(event["event"] for event in latest.get("events", ()))
            due = [intent for intent in INTENTS if intent.name in wanted and intent.there(at, events)]
            for intent in due:
                if not intent.is_moment:
                    with opened(man, intent, table, at) as page:
                        keep(intent, pictured(man, intent, page))
            act = bots.next_act(table.position, piles, strengths, lots.randrange)
            with ExitStack() as devices:
                moments = [
                    (intent, devices.enter_context(opened(man, intent, table, at)))
                    for intent in due
                    if intent.is_moment
                ]
                if act is not None:
                    table.submit(Request(table.game.codec.command_json(act.command), "banker", "tap"))
                for intent, page in moments:
                    keep(intent, pictured(man, intent, page))
            wanted.difference_update(intent.name for intent in due)
            if act is None:
                break


@contextmanager
def opened(man: CameraMan, intent: Intent, table: Table, at: At) -> Generator[Page]:
    """Open the device of an intent at a table."""
    caller, path, seats = BANKER, f"/tables/{table.id}", list(table.names())
    if intent.device == "display" or intent.owner == "joining":
        caller, path = Caller("spectator", None, table.id), ""
    elif intent.device == "phone":
        waiting = list(at["waiting_for"])
        others = [player for player in seats if player not in waiting]
        caller, path = Caller("player", ((waiting if intent.owner == "waiting" else others) or seats)[0], table.id), ""
    with ExitStack() as devices:
        if intent.owner == "joining":
            devices.enter_context(man.device(Caller("player", seats[1], table.id)))
            services = man.stage.services
            path = f"/who/{services.logins.open_invitation_token(services.guests.invitation_epoch, table.id)}"
        size = intent.size or SIZES[intent.device]
        page = devices.enter_context(man.device(caller, size, path, dark=intent.is_dark))
        expect(page.locator("#state, #names")).to_be_visible()
        if intent.is_moment:
            page.evaluate("import('/games/master_builder/reveal.js').then(() => true)")
        yield page


def pictured(man: CameraMan, intent: Intent, page: Page) -> Image.Image:
    """Return what a device shows, once it is in its style and was tapped as the intent says."""
    if not intent.is_moment:
        settled(page)
    intent.then(page)
    return man.screenshot(page)


def lobby(man: CameraMan) -> Image.Image:
    """Return the big screen before a game, with three names typed."""
    seats = zip(("red", "green", "blue", "yellow"), (*NAMES[:3], ""), strict=True)
    man.stage.services.lobby.seat("master_builder", tuple(LobbySeat(player, name) for player, name in seats))
    with man.device(BANKER, SIZES["display"], "/screen") as page:
        expect(page.locator(".lobby-seats")).to_be_visible()
        return pictured(man, LOBBY, page)


def paired(intended: Image.Image, taken: Image.Image) -> Image.Image:
    """Return two pictures of one height beside each other."""
    height = min(intended.height, taken.height, SIZES["tablet"][1])
    left, right = (image.resize((round(image.width * height / image.height), height)) for image in (intended, taken))
    both = Image.new("RGB", (left.width + right.width + 12, height), "white")
    both.paste(left, (0, 0))
    both.paste(right, (left.width + 12, 0))
    return both


def main() -> int:
    """Write the pairs that were asked for, or all; return 1 when a table came to no such content."""
    parser = argparse.ArgumentParser(prog="python -m tests.guide.intent", description=__doc__)
    parser.add_argument("pictures", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("name", nargs="*", help="names without ending; all when none is named")
    asked = parser.parse_args()
    wanted = {intent.name for intent in (LOBBY, *INTENTS)}
    if unknown := set(asked.name) - wanted:
        parser.error(f"no such picture: {', '.join(sorted(unknown))}; there are {', '.join(sorted(wanted))}")
    wanted &= set(asked.name) or wanted
    asked.out.mkdir(parents=True, exist_ok=True)

    def keep(intent: Intent, taken: Image.Image) -> None:
        intended = Image.open(asked.pictures / f"{intent.name}.png").convert("RGB")
        paired(intended, taken.convert("RGB")).save(asked.out / f"{intent.name}.png")
        wished = " ".join(said for name, said in DIFFERENCES.items() if fnmatch(intent.name, name))
        sys.stdout.write(f"{intent.name}: {wished}\n")

    with stage() as scene, camera_man(scene, asked.out) as man:
        if LOBBY.name in wanted:
            keep(LOBBY, lobby(man))
            wanted.discard(LOBBY.name)
        for game in GAMES.values():
            left = {intent.name for intent in INTENTS if intent.game == game} & wanted
            take(man, game, left, keep)
            wanted -= {intent.name for intent in INTENTS if intent.game == game} - left
    for name in sorted(wanted):
        sys.stdout.write(f"{name}: no table came to it\n")
    return int(bool(wanted))


if __name__ == "__main__":
    raise SystemExit(main())
