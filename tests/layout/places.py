"""Every place of the pages that somebody may look at: whose device shows it, and what brings it about."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

from playwright.sync_api import Page, expect

from tests.pages import follows

Role = Literal["banker", "seat", "screen", "stranger"]
JsonObject = dict[str, Any]


@dataclass(frozen=True)
class Place:
    """A page at a moment of a game, with what is opened on it.

    ``path`` may name ``{table}`` and ``{player}``: the one whom the table waits for.  ``sheet`` is fetched as a
    tap would, with ``asks`` in its address; ``does`` is done last.
    """

    name: str
    role: Role
    path: str
    moment: str = ""
    sheet: str = ""
    asks: Callable[[JsonObject, str], dict[str, str]] = lambda _, player: {"player": player}
    does: Callable[[Page], None] | None = None
    mark: str = ""

    def __str__(self) -> str:
        """Return its name, as tests are called."""
        return self.name


OPEN = "async ([name, more]) => { const sheet = await import('/static/core/sheet.js'); await sheet.open(name, more); }"


DRESSED = "() => [...document.querySelectorAll('link[rel=stylesheet]')].every((one) => one.sheet || !one.href)"
"""A sheet brings its style along: on a busy machine it may come a moment after the words."""


def opened(page: Page, place: Place, shown: JsonObject, player: str) -> None:
    """Bring about what the place is to show, on its page."""
    if place.mark:
        expect(page.locator(place.mark).first).to_be_visible()
    if place.sheet:
        page.evaluate(OPEN, [place.sheet, place.asks(shown, player)])
        expect(page.locator("#sheet")).to_be_visible()
    if place.does is not None:
        place.does(page)
    page.wait_for_function(DRESSED)
    page.evaluate("document.fonts.ready.then(() => true)")


def _of(do: str, field: str) -> Callable[[JsonObject, str], dict[str, str]]:
    def ask(shown: JsonObject, player: str) -> dict[str, str]:
        offer = next(offer for offer in shown["offers"] if offer["do"] == do)
        value = offer.get(field) or offer["fields"][field]["values"][0]
        return {"player": player, field: str(value)}

    return ask


def _first_seq(shown: JsonObject, _: str) -> dict[str, str]:
    return {"seq": str(max(2, shown["version"] - 3))}


def _latest(shown: JsonObject, _: str) -> dict[str, str]:
    return {"seq": str(shown["version"])}


def _all_in(shown: JsonObject, player: str) -> dict[str, str]:
    most = next(offer for offer in shown["offers"] if offer["do"] == "bid")["fields"]["amount"]["most"]
    return {"player": player, "contract": shown["position"]["auction"]["contract"], "bid": str(most)}


def _left_out(shown: JsonObject, player: str) -> dict[str, str]:
    return _first_seq(shown, player) | {"instead": "null"}


def _account(name: str) -> Callable[[JsonObject, str], dict[str, str]]:
    return lambda _, player: {"account": name.format(player=player)}


def _guest(_: JsonObject, player: str) -> dict[str, str]:
    return {"guest": player}


def _suggested(_: JsonObject, player: str) -> dict[str, str]:
    return {"player": player, "suggest": "1"}


def _unfold(page: Page) -> None:
    for summary in page.locator("#entries summary").all():
        summary.click()


def _lose_contact(page: Page) -> None:
    follows(page)
    page.route("**/stream?*", lambda route: route.abort())
    page.evaluate("dispatchEvent(new Event('pagehide'))")
    expect(page.locator("#banner")).to_be_visible()


def _stay_without_contact(page: Page) -> None:
    page.route("**/healthz", lambda route: route.abort())  # it goes back as soon as somebody answers


def _refuse(page: Page) -> None:
    wrong = json.dumps({"do": "correct_money", "from": "red", "to": "red", "amount": 1000, "reason": "so"})
    page.evaluate("async (what) => (await import('/static/core/send.js')).send(JSON.parse(what))", wrong)
    expect(page.locator("#toast")).to_be_visible()


def _rules_of_the_house(page: Page) -> None:
    page.locator("[data-act=rules], .rules-line .button").first.click()
    expect(page.locator("dialog:modal")).to_be_visible()


def _seat_people(page: Page) -> None:
    page.locator("#people").fill("Bartholomew Maximilian Longbottom-Sm\nAnna-Sophie\nBen\nCleo\nDan")
    page.locator("#new-event .action-bar .filled").click()
    expect(page.locator("dialog:modal .planned-table")).to_have_count(2)


OPEN_EVENT = """async () => {
  const names = ["Bartholomew Maximilian Longbottom-S", "Anna-Sophie", "Ben", "Cleo"];
  const tables = Array.from({ length: 8 }, (_, at) => ({ name: at ? String(at) : "Blue room", players: names }));
  const plan = { name: "Winter meeting of the Guild", when: "2026-11-28T19:30", rules: {}, variants: [], tables };
  const body = JSON.stringify({ ...plan, game: "master_builder", catalog: "house" });
  const headers = { "Content-Type": "application/json", "Idempotency-Key": "layout" };
  const opened = await (await fetch("/api/v1/events", { method: "POST", headers, body })).json();
  return opened.id;
}"""


def _event(link: str) -> Callable[[Page], None]:
    """Show an event of eight tables, or the page behind a link there."""

    def show(page: Page) -> None:
        page.goto(f"/events/{page.evaluate(OPEN_EVENT)}")
        if link:
            page.locator(link).click()
            page.wait_for_load_state()

    return show


def _to_the_bin(page: Page) -> None:
    page.locator("[data-to-bin]").first.click()
    expect(page.locator("dialog:modal")).to_be_visible()


def _crew(page: Page) -> None:
    page.locator("[data-pick-workers]").first.click()
    page.locator("#crew input").first.check()


def _each_kind(page: Page) -> None:
    page.locator("#dial-kinds summary").click()


def _amend_back_to(mark: str) -> Callable[[Page], None]:
    """Step back through the journal to the latest entry whose form shows something."""

    def step(page: Page) -> None:
        seq = int(page.locator("#state").get_attribute("data-version") or 0)
        while not page.locator(f"#sheet {mark}").count():
            seq -= 1
            page.evaluate(OPEN, ["amend", {"seq": str(seq)}])

    return step


def _lend_all(page: Page) -> None:
    page.locator("input[name=worker]").first.check()


TABLET = "/tables/{table}"
DISPLAY = "/tables/{table}/display"
SEAT = "/tables/{table}/seats/{player}"

ALL = "first_hire later_hire reveal economy choice auction event_card event_choice build loan end".split()  # noqa: SIM905
HOUSE = "look looked from_hand lending lent may_borrow anytime dismissal covered".split()  # noqa: SIM905
SHOWN = ["covered", "lent", "sold", "settled"]
LATE = ["late_hire", "late_auction", "late_build", "late_end"]

_SHEETS: tuple[Place, ...] = (
    Place("menu", "banker", TABLET, "later_hire", "menu"),
    Place("menu_of_house_rules", "banker", TABLET, "anytime", "menu"),
    Place("journal", "banker", TABLET, "late_hire", "journal"),
    Place("prepare", "banker", TABLET, "first_hire", "prepare"),
    Place("count", "banker", TABLET, "later_hire", "count"),
    Place("correct", "banker", TABLET, "later_hire", "correct"),
    Place("money", "banker", TABLET, "later_hire", "money"),
    Place("card", "banker", TABLET, "later_hire", "card"),
    Place("turn", "banker", TABLET, "later_hire", "turn"),
    Place("rename", "banker", TABLET, "later_hire", "rename"),
    Place("bank_explained", "banker", TABLET, "late_hire", "explain", _account("bank")),
    Place("cash_explained", "banker", TABLET, "late_hire", "explain", _account("player:{player}")),
    Place("notes", "banker", TABLET, "later_hire", "notes"),
    Place("phones", "banker", TABLET, "later_hire", "phones"),
    Place("invitation", "banker", TABLET, "later_hire", "phones", _guest),
    Place("device", "banker", TABLET, "later_hire", "device"),
    Place("camera", "banker", TABLET, "asked", "camera"),
    Place("differences", "banker", TABLET, "differing", "differences"),
    Place("compare", "banker", TABLET, "late_hire", "compare"),
    Place("forecast", "banker", TABLET, "late_hire", "forecast"),
    Place("forecast_of_a_bid", "banker", TABLET, "late_auction", "forecast", _all_in),
    Place("crop", "banker", TABLET, "cropped", "crop", _latest),
    Place("journal_with_crops", "banker", TABLET, "cropped", "journal"),
    Place("then_with_a_crop", "banker", TABLET, "cropped", "then", _latest),
    Place("dial_of_each_kind", "banker", TABLET, "later_hire", "menu", does=_each_kind),
    Place("amend", "banker", TABLET, "late_hire", "amend", _first_seq),
    Place("amend_a_plan", "banker", TABLET, "late_hire", "amend", _latest, does=_amend_back_to("#plan")),
    Place("amend_a_pass", "banker", TABLET, "late_hire", "amend", _latest, does=_amend_back_to(".others-then[open]")),
    Place("amend_seen_before", "banker", TABLET, "late_hire", "amend", _left_out),
    Place("then", "banker", TABLET, "late_hire", "then", _first_seq),
    Place("then_in_a_plan", "banker", TABLET, "late_build", "then", _first_seq),
    Place("hire", "banker", TABLET, "first_hire", "hire"),
    Place("hire_later", "banker", TABLET, "late_hire", "hire"),
    Place("fire", "banker", TABLET, "late_hire", "fire"),
    Place("economy_card", "banker", TABLET, "economy", "economy"),
    Place("reveal_cards", "banker", TABLET, "reveal", "reveal"),
    Place("event_cards", "banker", TABLET, "event_card", "event"),
    Place("event_from_hand", "banker", TABLET, "from_hand", "event"),
    Place("open", "banker", TABLET, "choice", "open", _of("open_auction", "contract")),
    Place("workers", "banker", TABLET, "event_choice", "workers"),
    Place("workers_to_go", "banker", TABLET, "dismissal", "workers"),
    Place("sections", "banker", TABLET, "torn_down", "sections"),
    Place("repay", "banker", TABLET, "in_debt", "repay"),
    Place("borrow", "banker", TABLET, "anytime", "borrow"),
    Place("look_through", "banker", TABLET, "look", "look"),
    Place("lend", "banker", TABLET, "lending", "lend", does=_lend_all),
    Place("plan", "banker", TABLET, "late_build", "plan"),
    Place("plan_suggested", "banker", TABLET, "late_build", "plan", _suggested),
    Place("plan_at_first", "banker", TABLET, "build", "plan"),
)
_SEAT_SHEETS: tuple[Place, ...] = tuple(
    replace(place, name=f"seat_{place.name}", role="seat", path=SEAT)
    for place in _SHEETS
    if place.sheet in {"hire", "fire", "economy", "reveal", "event", "open", "workers", "sections", "repay", "borrow"}
    or place.name
    in {"plan", "plan_suggested", "look_through", "lend", "journal", "cash_explained", "notes", "then", "forecast"}
)

PLACES: tuple[Place, ...] = (
    Place("lobby", "banker", "/"),
    Place("house_rules", "banker", "/", does=_rules_of_the_house),
    Place("events", "banker", "/events"),
    Place("events_seating", "banker", "/events", does=_seat_people),
    Place("event", "banker", "/events", does=_event("")),
    Place("event_plan", "banker", "/events", does=_event(".event-tools [href$='/plan']")),
    Place("hall", "banker", "/events", does=_event(".event-tools [href^='/hall/']:not([href$=results])")),
    Place("event_results", "banker", "/events", does=_event(".event-tools [href$=results]")),
    Place("lobby_to_the_bin", "banker", "/", "end", does=_to_the_bin),
    Place("tables", "banker", "/tables", "end"),
    Place("tables_not_found", "banker", "/tables?search=Xanthippe+Bartholomew-Maximilian"),
    *(Place(f"welcome_{step}", "banker", f"/welcome?step={step}") for step in ("language", "camera", "deck", "laying")),
    Place("calibrate", "banker", "/calibrate"),
    Place("take_over", "banker", "/take-over"),
    Place("take_over_crew", "banker", "/take-over", does=_crew),
    Place("login", "stranger", "/login"),
    Place("login_refused", "stranger", "/login?error=pin"),
    Place("join_again", "stranger", "/login?error=taken"),
    Place("login_waits", "stranger", "/login?error=wait&seconds=58"),
    Place("no_contact", "stranger", "/no-contact", does=_stay_without_contact),
    Place("rules", "stranger", "/rules"),
    Place("words", "stranger", "/words"),
    Place("catalogs", "banker", "/catalogs"),
    Place("trust", "stranger", "/trust"),
    Place("own_screen", "stranger", "/screen"),
    Place("letters", "stranger", "/join?letters=AAAA"),
    Place("television", "stranger", "/tv"),
    Place("television_let_in", "banker", "/screens"),
    Place("captive", "stranger", "/captive"),
    Place("backups", "banker", "/backups?look"),
    Place("host", "banker", "/tables/{table}/host", "later_hire"),
    Place("report", "banker", "/tables/{table}/report", "end"),
    Place("report_late", "banker", "/tables/{table}/report", "late_end"),
    *(Place(f"tablet_{name}", "banker", TABLET, name) for name in (*ALL, *HOUSE, *LATE)),
    Place("tablet_asked", "banker", TABLET, "asked", mark=".proposal"),
    Place("tablet_asked_in_an_auction", "banker", TABLET, "asked_in_an_auction", mark=".proposal"),
    Place("tablet_differing", "banker", TABLET, "differing"),
    Place("tablet_noted", "banker", f"{TABLET}#notes", "late_hire"),
    Place("tablet_unfolded", "banker", TABLET, "late_hire", does=_unfold),
    Place("tablet_undone", "banker", TABLET, "undone"),
    Place("tablet_lost", "banker", TABLET, "later_hire", does=_lose_contact),
    Place("tablet_refused", "banker", TABLET, "later_hire", does=_refuse),
    Place("tablet_agreement", "banker", TABLET, "agreement", mark=".agreement"),
    *_SHEETS,
    *(Place(f"display_{name}", "screen", DISPLAY, name) for name in (*ALL, *SHOWN, *LATE)),
    *(Place(f"seat_{name}", "seat", SEAT, name) for name in (*ALL, *HOUSE, *LATE)),
    Place("seat_menu", "seat", SEAT, "later_hire", "seat_menu"),
    *_SEAT_SHEETS,
)
PLACE_CALLED = {place.name: place for place in PLACES}

DAILY = [
    PLACE_CALLED[name]
    for name in (
        *("lobby", "events", "event", "event_results", "take_over", "welcome_camera", "login", "rules", "catalogs"),
        *("backups", "host", "report", "tablet_auction", "tablet_asked", "tablet_late_hire", "menu", "journal"),
        *("hire_later", "display_later_hire", "display_auction", "seat_later_hire", "seat_auction"),
    )
]
"""Pages of each kind, moments of tablet, screen and phone, and sheets with many words: those looked at each time."""
