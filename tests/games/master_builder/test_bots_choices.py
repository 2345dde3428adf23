"""Bots choose what they give up where an event asks, and what they play from their hand."""

from typing import Any

import pytest

from companion.games.master_builder.bots.chancy import chancy
from companion.games.master_builder.bots.dealer import next_act
from companion.games.master_builder.bots.middle import middle
from companion.games.master_builder.bots.strong import strong
from companion.games.master_builder.bots.turn import Bot
from companion.games.master_builder.rules.catalog import Effect
from companion.service.table.table import Request
from tests.games.master_builder.bot_games import game_by_lot
from tests.games.master_builder.decks import deck
from tests.opened import shuffled
from tests.scenario import ALL_SEATS, Json, Scenario

BOTS = pytest.mark.parametrize("bot", [chancy, middle, strong])
EASY = {"*": {"sections": {"*": ["A"]}}}


def in_events(effects: list[Effect], **options: Any) -> Scenario:
    """Two players with a crew of five each and a contract, and E05 just turned."""
    given = Scenario("blue", "yellow", catalog=deck(events={"E05": effects}, contracts=EASY), **options)
    given.hire()
    given.to("events")
    return given


def answered(given: Scenario, bot: Bot) -> Json:
    """Submit the bot's next command, and return it."""
    assert given.table.position is not None
    act = next_act(given.table.position, shuffled(deck(), 1), dict.fromkeys(ALL_SEATS, bot))
    assert act is not None
    command: Json = given.table.game.codec.command_json(act.command)
    given.table.submit(Request(command, "banker", "test"))
    return command


@BOTS
def test_a_section_comes_down_where_one_must(bot: Bot) -> None:
    given = in_events([Effect("raze", count=1)])
    given.give_cards("blue", "C03")
    given.to("build")
    workers = given.player("blue")["workers"]
    places = ["wall-1", "gable-1", "wall-2", "gable-2"]
    built = {section: [worker] for section, worker in zip(places, workers, strict=False)}
    given.do("plan", player="blue", work={"C03": built})
    given.to("events", 2)
    given.do("turn_event", card="E05")

    while given.position["waiting_for"] == ["yellow"]:
        answered(given, bot)
    command = answered(given, bot)

    assert command["do"] == "choose_sections"
    assert len(given.player("blue")["contracts"]["C03"]) == 3


@BOTS
def test_just_enough_workers_go_where_wages_are_too_high(bot: Bot) -> None:
    given = in_events([Effect("wage_change", amount=6_000)], rules={"wage_overflow": "dismiss"})
    given.do("turn_event", card="E05")
    before = given.player("blue")["workers"]

    command = answered(given, bot)

    assert (command["do"], command["player"]) == ("choose_workers", "blue")
    assert given.player("blue")["workers"] == sorted(set(before) - set(command["workers"]))
    assert given.player("blue")["wages"] <= 30_000


@BOTS
def test_an_event_comes_from_the_hand(bot: Bot) -> None:
    given = in_events([Effect("manual")], variants=["selective_events"])
    dealt = shuffled(deck(), 1).events[:2]

    command = answered(given, bot)

    assert command["from_hand"]
    assert command["card"] in dealt


def test_the_strong_bot_plays_what_hurts_the_others_most() -> None:
    first, second = shuffled(deck(), 1).events[:2]
    harmless = [Effect("receive", amount=1_000, per="worker"), Effect("raze", count=1), Effect("manual")]
    harmful = [Effect("pay", amount=2_000, per="worker"), Effect("dismiss"), Effect("wage_change", amount=1_000)]
    given = Scenario(
        "blue", "yellow", catalog=deck(events={first: harmless, second: harmful}), variants=["selective_events"]
    )
    given.hire()
    given.to("events")
    given.give_cards("blue", *given.player("yellow")["workers"][:1])
    for worker in given.player("blue")["workers"]:
        given.do("correct_card", card=worker, to="supply", reason="counted again")

    assert answered(given, strong)["card"] == second


@pytest.mark.parametrize("seed", [8, 14])
def test_what_is_seldom_due_is_chosen_without_a_refusal(seed: int) -> None:
    """Hands of events, roofs that wait, piles that were paid to be seen: these lots meet them."""
    assert game_by_lot(seed).refusals == 0
