"""Master Builder with hidden money: what is due can be tapped on every device, and no offer tells a purse."""

import json
import random
import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from companion.service.table.registry import Tables
from companion.service.table.table import Request, Table
from tests.extent import of_all
from tests.strategies import command_of
from tests.web_pages.whole_games import SHEET_OF, Moment, chosen, player_of, started

Json = dict[str, Any]
AsCaller = Callable[[Caller], FlaskClient]
RULES: Json = {"event_debt": "loan", "wage_overflow": "dismiss", "premium_funds_bid": True}
VARIANTS = ("choosing_workers", "selective_events", "loaning_workers")
RANDOM_GAMES = (
    Moment("bare", 2, lambda _: False, rules={"money": "hidden"}),
    Moment("anytime", 3, lambda _: False, rules={"money": "hidden", "loans": "voluntary_anytime_but_phase2", **RULES}),
    Moment("by turns", 4, lambda _: False, rules={"money": "hidden", "loans": "voluntary_phase5"}, variants=VARIANTS),
)
MOST = 600


def has_control(html: str, offer: Json) -> bool:
    """Return whether a page has a button for an offer: its command, its form, or one that opens its sheet."""
    page = unescape(html)
    command = command_of(offer)
    given = [json.loads(text) for text in re.findall(r"""data-(?:command|send)=['"]?(\{.*?\})['"]?[\s>]""", page)]
    if command in given or any({**command, **values} == values for values in given):
        return True
    return any(
        "data-player" not in button or f'data-player="{player_of(offer)}"' in button
        for button in re.findall(rf'<button[^>]*data-sheet="{SHEET_OF.get(offer["do"], "none")}"[^>]*>', page)
    )


def random_moments(tables: Tables, game: Moment, seed: int) -> Iterator[tuple[Table, list[Json]]]:
    """Play a game at random; yield it at each new kind of moment, with what is due there."""
    table, chance, kinds = started(tables, game), random.Random(seed), set[str]()
    for _ in range(MOST):
        shown = table.show("banker")
        due = [offer for offer in shown["offers"] if offer["urgency"] == "due"]
        if not due:
            return
        kind = repr((shown["position"]["phase"], shown["position"]["expects"], sorted({offer["do"] for offer in due})))
        if kind not in kinds:
            kinds.add(kind)
            yield table, due
        offer = chance.choice(due)
        command = chosen(offer, chance)
        for name in {"bid", "amount"} & {*offer["fields"]}:
            command[name] = chance.randrange(command[name], offer["fields"][name]["most"] + 1, 1_000)
        table.submit(Request(command, "banker", "test"))


@pytest.mark.parametrize("game", RANDOM_GAMES, ids=[game.name for game in RANDOM_GAMES])
@pytest.mark.parametrize("seed", range(of_all(1, 4)))
def test_whatever_is_due_can_be_tapped_on_the_tablet_and_on_the_phone_of_its_player(
    tables: Tables, as_caller: AsCaller, game: Moment, seed: int
) -> None:
    # given a random game with hidden money, a tablet in the middle, one of a banker, and everybody's phone
    middle, banker = as_caller(Caller("banker")), as_caller(Caller("banker"))
    banker.set_cookie("banker", "1")
    seen: set[str] = set()
    for table, due in random_moments(tables, game, seed):
        tablets = [client.get(f"/tables/{table.id}/live?part=tablet").text for client in (middle, banker)]
        phones = {
            player: as_caller(Caller("player", player, table.id)).get(f"/tables/{table.id}/live?part=seat").text
            for player in map(player_of, due)
        }

        # then each has a button for whatever is due
        for offer in due:
            seen.add(offer["do"])
            for page in (*tablets, phones[player_of(offer)]):
                assert has_control(page, offer), (offer, table.position_json("banker"))
    assert {"hire_worker", "open_auction", "bid", "pass", "turn_event", "plan"} <= seen


def taken_over(tables: Tables, phase: str, purse: int, **more: Any) -> Table:
    """Return a game taken over in round 2 at which it is Ben's turn, who holds so much; money is hidden."""
    players: Json = {
        "blue": {"name": "Ada", "cash": 40_000, "loans": {"small": 1}, "workers": ["W28"], "contracts": {"C01": []}},
        "yellow": {"name": "Ben", "cash": purse, "loans": {"small": 1}, "workers": ["W29"], "contracts": {"C02": []}},
    }
    about: Json = {"game": "master_builder", "round": 2, "phase": phase, "start_player": "yellow"}
    position = {**about, "players": players, "rules": {"money": "hidden"}, **more}
    return tables.start(Request({"do": "take_over", "position": position}, "banker", "test"))


CHOOSING: Json = {"display": {"C03": 0, "C04": 0}, "economy_due": False, "reveal_due": 0}
BIDDING: Json = {
    **CHOOSING,
    "start_player": "blue",
    "auction": {"contract": "C03", "bid": 6_000, "leader": "blue", "still_in": ["blue", "yellow"]},
    "waiting_for": ["yellow"],
}


@pytest.mark.parametrize(
    ("phase", "more", "purses", "parts"),
    [
        ("contracts", CHOOSING, (7_000, 12_000, 13_000, 200_000), ("tablet", "open&contract=C03", "repay")),
        ("contracts", BIDDING, (5_000, 6_000, 13_000, 200_000), ("tablet", "repay")),
        ("hire", {}, (0, 12_000, 13_000), ("tablet", "repay", "hire")),
    ],
    ids=["choose", "bid", "hire"],
)
def test_a_covered_tablet_is_the_same_however_much_anybody_holds(
    tables: Tables, banker: FlaskClient, phase: str, more: Json, purses: tuple[int, ...], parts: tuple[str, ...]
) -> None:
    # given tables with hidden money that differ in what Ben holds
    there = [taken_over(tables, phase, purse, **more) for purse in purses]

    # when the tablet lies in the middle, then its page and its sheets are the same at each
    for part in parts:
        pages = {
            banker.get(f"/tables/{table.id}/live?part={part}").text.replace(f"/{table.id}/", "/").replace(table.id, "")
            for table in there
        }
        assert len(pages) == 1, part
        assert "All in" not in "".join(pages)


def test_nobody_is_asked_to_choose_a_contract_but_who_is_up(tables: Tables, banker: FlaskClient) -> None:
    # given Ben, who starts and cannot pay the lowest cost, so that Ada chooses
    table = taken_over(tables, "contracts", 0, **CHOOSING, waiting_for=["blue"])

    # then the covered tablet offers contracts to Ada alone
    page = banker.get(f"/tables/{table.id}/live?part=tablet").text
    assert re.findall(r'data-sheet="open"[^>]*data-player="(\w+)"', page, re.DOTALL) == ["blue", "blue"]
    assert '"player":"yellow"' not in unescape(page).replace(": ", ":")
