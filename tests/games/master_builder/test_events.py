"""Phase 3: event cards."""

import pytest

from companion.games.master_builder.rules.catalog import Effect, Lasting, Per
from tests.games.master_builder.decks import deck
from tests.opened import house_deck
from tests.scenario import Scenario

BLUE = ("W01", "W09", "W18", "W28", "W29")  # MC F T A A: 14,000; quirks S S H N S
YELLOW = ("W02", "W10", "W19", "W30", "W31")  # MC F T A A: 14,000; quirks D D W SD DH


def before_an_event(*effects: Effect, round_: int = 1) -> Scenario:
    """Blue and yellow with a team of 14,000 each, about to turn E05, which has these effects."""
    given = Scenario("blue", "yellow", catalog=deck(events={"E05": effects, "E06": effects}))
    given.hire(blue=BLUE, yellow=YELLOW)
    given.to("events", round_)
    return given


def after(*effects: Effect) -> Scenario:
    given = before_an_event(*effects)
    given.do("turn_event", card="E05")
    return given


def unavailable(given: Scenario) -> tuple[list[str], list[str]]:
    return given.player("blue")["unavailable"], given.player("yellow")["unavailable"]


def wages(given: Scenario) -> tuple[int, int]:
    return given.player("blue")["wages"], given.player("yellow")["wages"]


def test_a_worker_made_unavailable_is_paid_and_comes_back_mb_39() -> None:
    given = after(Effect("unavailable", type=("MC",)))
    assert given.position["phase"] == "build"
    assert unavailable(given) == (["W01"], ["W02"])
    assert wages(given) == (14_000, 14_000)
    contract = next(iter(given.player("blue")["contracts"]))
    refusal = given.refuses("plan", player="blue", work={contract: {"wall-1": ["W01"]}})
    assert refusal == "worker_face_down"
    assert "W01" not in given.offers("blue")[0]["fields"]["work"]["workers"]
    cash = given.cash("blue")
    given.to("hire", 2)
    assert unavailable(given) == ([], [])
    assert given.cash("blue") == cash - 14_000


def test_dismissal_lowers_the_marker_at_once_mb_40() -> None:
    given = after(Effect("dismiss", type=("F",)))
    assert wages(given) == (10_000, 10_000)
    assert given.player("blue")["workers"] == ["W01", "W18", "W28", "W29"]
    given.to("hire", 2)
    assert "W09" in given.offer("hire_worker")["fields"]["worker"]["values"]


def test_a_used_event_does_not_come_again_mb_41() -> None:
    given = before_an_event()
    given.do("turn_event", card="E05")
    given.to("events", 2)
    assert given.refuses("turn_event", card="E05") == "turned_before"
    assert given.refuses("turn_event", card="E17") == "unknown_event"
    assert given.refuses("turn_event", card="Y01") == "unknown_event"
    assert given.refuses("turn_event", card="E06", from_hand=True) == "no_event_in_hand"
    offer = given.offer("turn_event")
    assert offer["by"] == "yellow"
    assert len(offer["fields"]["card"]["values"]) == 15
    assert "E05" not in offer["fields"]["card"]["values"]


def test_an_event_touches_all_from_the_start_player_clockwise_mb_42() -> None:
    given = before_an_event(Effect("receive", amount=1_000), round_=2)
    events = given.do("turn_event", card="E06")
    reached = [event["player"] for event in events if event["event"] == "EventReached"]
    assert reached == ["yellow", "blue"]
    paid = [event["player"] for event in events if event["event"] == "EventReceived"]
    assert paid == ["yellow", "blue"]


def test_the_start_player_turns_the_card_and_nothing_else_is_possible() -> None:
    given = before_an_event(Effect("manual"))
    assert given.asks() == (["blue"], ["turn_event"])
    assert "event" not in given.position
    assert given.refuses("choose_workers", player="blue", workers=["W01"]) == "no_workers_to_choose"
    assert given.refuses("choose_sections", player="blue", sections={}) == "no_sections_to_choose"
    assert given.refuses("choose_workers", player="yellow", workers=["W01"]) == "not_your_turn"
    assert given.refuses("borrow", player="blue", loan="small") == "not_in_this_phase"
    assert given.offers("yellow") == []


def test_a_manual_card_leaves_all_to_the_banker() -> None:
    given = before_an_event(Effect("manual"))
    cash = given.cash("blue"), given.cash("yellow")
    events = given.do("turn_event", card="E05")
    assert {"event": "EffectLeftToBanker", "player": "yellow"} in events
    assert given.position["phase"] == "build"
    assert (given.cash("blue"), given.cash("yellow")) == cash


@pytest.mark.parametrize(
    ("effect", "blue", "yellow"),
    [
        pytest.param(Effect("unavailable", quirk=("S",)), ["W01", "W09", "W29"], ["W30"], id="by quirk"),
        pytest.param(
            Effect("unavailable", type=("A", "T")), ["W18", "W28", "W29"], ["W19", "W30", "W31"], id="by types"
        ),
        pytest.param(Effect("unavailable", type=("A",), quirk=("H", "N")), ["W28"], ["W31"], id="by both"),
        pytest.param(Effect("unavailable", type=("MC",), count=1), ["W01"], ["W02"], id="count of them"),
        pytest.param(Effect("unavailable", type=("MC",), count=3), ["W01"], ["W02"], id="fewer than count"),
        pytest.param(Effect("unavailable", quirk=("W",), count=1), [], ["W19"], id="nobody or the only one"),
    ],
)
def test_an_event_without_choice_is_carried_out_at_once(effect: Effect, blue: list[str], yellow: list[str]) -> None:
    given = after(effect)
    assert given.position["phase"] == "build"
    assert unavailable(given) == (blue, yellow)


def test_where_everybody_lies_face_down_nobody_builds() -> None:
    given = before_an_event(Effect("unavailable"))
    events = given.do("turn_event", card="E05")
    hit = [event["workers"] for event in events if event["event"] == "WorkersMadeUnavailable"]
    assert hit == [list(BLUE), list(YELLOW)]
    assert given.position["phase"] == "hire"  # nobody was waited for to plan


def test_owners_choose_in_turn_order() -> None:
    given = after(Effect("unavailable", type=("A",), count=1))
    assert given.asks() == (["blue"], ["choose_workers"])
    assert given.position["event"] == {"card": "E05", "player": "blue", "effect": 0, "hit": [], "rest": ["yellow"]}
    field = {"kind": "some_of", "values": ["W28", "W29"], "least": 1, "most": 1}
    assert given.offers("blue") == [
        {"do": "choose_workers", "player": "blue", "urgency": "due", "fields": {"workers": field}}
    ]
    assert given.offers("yellow") == []
    assert given.refuses("turn_event", card="E06") == "event_not_due"
    assert given.refuses("choose_workers", player="yellow", workers=["W30"]) == "not_your_turn"
    assert given.refuses("choose_sections", player="blue", sections={}) == "no_sections_to_choose"
    given.do("choose_workers", player="blue", workers=["W29"])
    assert given.asks() == (["yellow"], ["choose_workers"])
    given.do("choose_workers", player="yellow", workers=["W30"])
    assert unavailable(given) == (["W29"], ["W30"])
    assert given.position["phase"] == "build"


@pytest.mark.parametrize(
    ("workers", "rule"),
    [
        ([], "choose_so_many"),
        (["W28", "W29"], "choose_so_many"),
        (["W28", "W28"], "named_twice"),
        (["W01"], "worker_not_among_them"),
        (["W30"], "worker_not_among_them"),
        (["W99"], "worker_not_among_them"),
        ("W28", "wrong_type"),
        ([28], "wrong_type"),
        (None, "wrong_type"),
    ],
)
def test_a_choice_that_is_none_is_refused(workers: object, rule: str) -> None:
    given = after(Effect("unavailable", type=("A",), count=1))
    assert given.refuses("choose_workers", player="blue", workers=workers) == rule


def test_all_effects_meet_one_player_before_the_next_d22() -> None:
    given = after(
        Effect("unavailable", type=("A",), count=1),
        Effect("dismiss", type=("A",), count=1),
        Effect("pay", amount=1_000),
    )
    cash = given.cash("blue")
    given.do("choose_workers", player="blue", workers=["W28"])
    met = {"card": "E05", "player": "blue", "effect": 1}
    assert given.position["event"] == {**met, "hit": ["W28"], "rest": ["yellow"]}
    given.do("choose_workers", player="blue", workers=["W28"])  # face down ones are chosen from like the others
    assert given.cash("blue") == cash - 1_000
    assert given.position["event"] == {"card": "E05", "player": "yellow", "effect": 0, "hit": [], "rest": []}


def test_wages_for_the_round_lapse_with_it() -> None:
    given = after(Effect("wage_change", type=("A",), amount=2_000, lasting="round"))
    assert wages(given) == (18_000, 18_000)
    assert given.position["workers"] == {"W28": 3_000, "W29": 3_000, "W30": 3_000, "W31": 3_000}
    blue = given.cash("blue")
    given.to("hire", 2)
    assert given.cash("blue") == blue - 18_000
    assert wages(given) == (14_000, 14_000)
    assert given.position["workers"] == {}


def test_wages_for_the_game_stay_until_the_worker_leaves() -> None:
    given = after(Effect("wage_change", type=("F",), amount=-1_000, lasting="game"))
    assert wages(given) == (13_000, 13_000)
    given.to("hire", 2)
    assert wages(given) == (13_000, 13_000)
    given.do("fire_worker", player="yellow", worker="W10")
    given.do("hire_worker", player="blue", worker="W10")
    assert wages(given) == (17_000, 10_000)


@pytest.mark.parametrize(
    ("effects", "now", "later"),
    [
        pytest.param([("game", -9_000)], 0, 0, id="down to nothing for the game"),
        pytest.param([("round", -9_000)], 0, 4_000, id="down to nothing for the round"),
        pytest.param([("round", -3_000), ("game", -2_000)], 0, 2_000, id="the lasting part is whole"),
        pytest.param([("round", 2_000), ("game", -9_000)], 0, 0, id="a rise does not hide below nothing"),
        pytest.param([("game", -9_000), ("game", 1_000)], 1_000, 1_000, id="up again from nothing"),
        pytest.param([("round", -9_000), ("round", 1_000)], 1_000, 4_000, id="up again in the round"),
        pytest.param([("game", 1_000), ("round", 1_000)], 6_000, 5_000, id="both add up"),
    ],
)
def test_no_wage_falls_below_nothing(effects: list[tuple[str, int]], now: int, later: int) -> None:
    changes = [Effect("wage_change", type=("F",), amount=amount, lasting=_lasting(kind)) for kind, amount in effects]
    given = after(*changes)
    assert wages(given)[0] - 10_000 == now
    given.to("hire", 2)
    assert wages(given)[0] - 10_000 == later


def _lasting(kind: str) -> Lasting:
    return "game" if kind == "game" else "round"


def test_a_wage_change_may_be_of_the_owners_choice() -> None:
    given = after(Effect("wage_change", type=("A",), count=1, amount=3_000, lasting="game"))
    given.do("choose_workers", player="blue", workers=["W29"])
    assert given.position["workers"] == {"W29": 4_000}


@pytest.mark.parametrize(
    ("per", "before", "amount"),
    [
        pytest.param("player", (), 2_000, id="per player"),
        pytest.param("worker", (Effect("unavailable", type=("MC",)),), 10_000, id="per worker, face down too"),
        pytest.param("affected", (Effect("unavailable", type=("A",)),), 4_000, id="per affected"),
        pytest.param("affected", (Effect("dismiss", type=("A",)),), 4_000, id="per affected, dismissed ones too"),
        pytest.param("affected", (), 0, id="nobody affected"),
        pytest.param(
            "affected",
            (Effect("unavailable", type=("A",)), Effect("wage_change", type=("A", "T"), amount=1_000)),
            6_000,
            id="hit twice counts once",
        ),
        pytest.param("contract", (), 2_000, id="per contract"),
    ],
)
def test_money_follows_what_it_is_counted_by(per: Per, before: tuple[Effect, ...], amount: int) -> None:
    for do, sign in (("pay", -1), ("receive", 1)):
        effect = Effect("pay" if do == "pay" else "receive", amount=2_000, per=per)
        given = before_an_event(*before, effect)
        cash = given.cash("blue")
        assert len(given.player("blue")["contracts"]) == 1
        given.do("turn_event", card="E05")
        assert given.cash("blue") == cash + sign * amount


def test_an_event_takes_at_most_what_a_player_holds() -> None:
    given = before_an_event(Effect("pay", amount=9_000))
    given.give_money("blue", 7_000)
    given.give_money("yellow", 0)
    events = given.do("turn_event", card="E05")
    paid = [(event["player"], event["amount"]) for event in events if event["event"] == "EventPaid"]
    assert paid == [("blue", 7_000), ("yellow", 0)]
    assert (given.cash("blue"), given.cash("yellow")) == (0, 0)


def test_wages_above_30_cost_30_and_bar_from_hiring_d06() -> None:
    given = Scenario(
        "blue", "yellow", catalog=deck(events={"E05": [Effect("wage_change", amount=9_000, lasting="game")]})
    )
    given.hire(blue=BLUE, yellow=YELLOW)
    given.to("events")
    given.do("turn_event", card="E05")
    assert wages(given) == (59_000, 59_000)
    cash = given.cash("blue")
    given.to("hire", 2)
    assert given.cash("blue") == cash - 30_000
    assert given.refuses("hire_worker", player="yellow", worker="W32") == "wage_limit"


def test_every_event_of_the_house_deck_can_be_met() -> None:
    for card in house_deck().events:
        given = Scenario("blue", "yellow", "green", catalog=house_deck())
        given.to("events")
        given.do("turn_event", card=card.id)
        given.to("hire", 2)
        assert given.position["turned"]["events"] == [card.id]
