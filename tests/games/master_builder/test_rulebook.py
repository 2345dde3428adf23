"""Every flow of money has its rule, and every figure is what its explanation adds up to."""

import re
from pathlib import Path

import pytest

from companion.engine.explanation import Explainer
from companion.games.master_builder.handbook import HANDBOOK
from companion.games.master_builder.rules import accounting
from companion.games.master_builder.rules.explanation import FLOWS, WAGES
from companion.games.master_builder.rules.rulebook import BY_ID, CHAPTERS, RULES
from companion.service.table.past import Explanation, explain
from companion.service.table.table import Table
from tests.games.master_builder.test_random_games import RandomGame
from tests.scenario import Scenario

PACKAGE = Path(__file__).resolve().parents[3] / "companion"
LINES = {"000": 239, "001": 825, "004": 646}
"""How long the rule texts are."""
RULINGS = {f"D{number:02}" for number in range(1, 49)} | {f"V{number}" for number in range(1, 5)}
OF_THE_COMPANION = {"corrections", "forcing", "taking_over", "undoing", "amending", "commands"}
"""No text of the box speaks of these: they are about the companion itself."""


def explainer_of(table: Table) -> Explainer:
    assert table.game.can.explainer is not None
    return table.game.can.explainer


def every_figure(given: Scenario) -> list[str]:
    kinds = ("player", "wages", "owes", "worth")
    contracts = [f"contract:{card}" for card in given.table.catalog_json()["contracts"]]
    return ["bank", *contracts, *(f"{kind}:{seat}" for kind in kinds for seat in given.seats)]


def explained(given: Scenario, account: str) -> Explanation:
    return explain(given.table, account, "banker")


def in_the_text(passage: str) -> bool:
    """Return whether these lines (``004:36`` or ``004:145-148``) run forward within a rule text."""
    match = re.fullmatch(r"(00[014]):(\d+)(?:-(\d+))?", passage)
    return match is not None and 1 <= int(match[2]) <= int(match[3] or match[2]) <= LINES[match[1]]


def test_every_flow_of_the_money_page_has_its_rule_and_no_other_event_has() -> None:
    assert set(FLOWS) == set(accounting.BOOKED)
    assert set(FLOWS.values()) | set(WAGES.values()) <= set(BY_ID)


def test_nothing_but_the_fold_over_the_money_page_posts_to_a_ledger() -> None:
    posting = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if re.search(r"\.post\((?!\")", path.read_text(encoding="utf-8"))
    }
    # a position as its asker may know it, which is never kept
    covering = {"bot_games/hidden.py", "game_api/manifest.py"}
    assert posting - covering == {"engine/timeline.py"}


@pytest.mark.parametrize("seed", range(4))
def test_what_explains_a_figure_adds_up_to_it(seed: int) -> None:
    # given a game played at random to its end
    game = RandomGame(2 + seed % 3, seed)
    while not game.scenario.position["finished"]:
        game.step(game.scenario.position)

    # then each figure is the sum of its lines, and of its parts where it has any
    seen: set[str] = set()
    for account in every_figure(game.scenario):
        explanation = explained(game.scenario, account)
        assert explanation.balance == sum(line.amount for line in explanation.lines), account
        assert not explanation.lines or explanation.lines[-1].balance == explanation.balance
        assert not explanation.parts or sum(entry.part.amount for entry in explanation.parts) == explanation.balance, (
            account
        )
        assert {line.rule for line in explanation.lines} | {entry.rule for entry in explanation.parts} <= set(BY_ID)
        seen |= {line.rule for line in explanation.lines}
    assert {"start_money", "purchase", "wages", "wage_track"} <= seen


def test_the_money_lying_on_a_contract_reaches_its_buyer_by_a_rule_of_its_own() -> None:
    # given a contract that was left over in round 1, and its buyer in round 2
    given = Scenario("blue", "yellow")
    given.to("contracts", 2)
    while given.position["phase"] == "contracts" and "open_auction" not in given.position["expects"]:
        given.idle()
    card = next(card for card, premium in given.position["display"].items() if premium)
    buyer = given.position["waiting_for"][0]
    given.sell(card, buyer)

    # then two lines of one entry say so
    last = explained(given, f"player:{buyer}").lines[-2:]
    assert [line.rule for line in last] == ["purchase", "premium"]
    assert last[0].seq == last[1].seq
    assert last[1].amount == 5_000
    assert [line.rule for line in explained(given, f"contract:{card}").lines] == ["premium", "premium"]


def test_loans_explain_debts_and_what_made_them_dearer() -> None:
    # given a player who had to borrow
    given = Scenario("blue", "yellow")
    given.to("build", 2)
    given.give_money("blue", 0)
    given.to("income", 2)
    given.do("borrow", player="blue", loan="small")

    # then their debts are that loan
    explanation = explained(given, "owes:blue")
    assert [(line.rule, line.amount) for line in explanation.lines] == [("borrowing", 13_000)]
    assert [(entry.part.kind, entry.part.count, entry.part.each) for entry in explanation.parts] == [
        ("small", 1, 13_000)
    ]


def test_hidden_money_is_explained_to_its_owner_and_the_banker_only() -> None:
    given = Scenario("blue", "yellow", rules={"money": "hidden"})
    position = given.table.position
    assert position is not None
    hides = explainer_of(given.table).hides
    for account in ("player:blue", "worth:blue"):
        hidden = {viewer: hides(position, account, viewer) for viewer in ("banker", "blue", "yellow", "spectator")}
        assert hidden == {"banker": False, "blue": False, "yellow": True, "spectator": True}
    assert hides(position, "bank", "blue")
    assert not hides(position, "wages:blue", "yellow")
    assert not hides(position, "contract:C01", "yellow")


def test_a_correction_of_a_worker_changes_wages_by_the_bankers_hand() -> None:
    given = Scenario("blue", "yellow")
    given.give_cards("blue", "W01")
    assert [line.rule for line in explained(given, "wages:blue").lines] == ["corrections"]


def test_rules_stand_in_chapters_and_cite_what_there_is() -> None:
    assert len(BY_ID) == len(RULES)
    for rule in RULES:
        assert rule.chapter in CHAPTERS
        assert all(in_the_text(passage) for passage in rule.source.texts), rule.id
        assert set(rule.source.rulings) <= RULINGS, rule.id


def test_every_rule_of_the_game_names_its_passage_and_its_ruling() -> None:
    assert {rule.id for rule in RULES if not rule.source.texts} == OF_THE_COMPANION
    assert {rule.id for rule in RULES if not rule.source.rulings} == OF_THE_COMPANION


def test_no_ruling_is_without_a_rule() -> None:
    assert {ruling for rule in RULES for ruling in rule.source.rulings} == RULINGS


def test_no_two_rules_of_the_game_have_one_source() -> None:
    sources = [rule.source for rule in RULES if rule.id not in OF_THE_COMPANION]
    assert len(set(sources)) == len(sources)


def test_a_rule_is_found_by_its_own_id_and_by_that_of_a_refusal() -> None:
    assert HANDBOOK.about("wages") is BY_ID["wages"]
    assert HANDBOOK.about("wage_limit") is BY_ID["wage_track"]
    assert HANDBOOK.about("nonsense") is None
