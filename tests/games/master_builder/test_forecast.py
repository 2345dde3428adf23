"""The solvency forecast, against the game played on by the rules themselves."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from time import thread_time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from companion.bot_games.games import play_game
from companion.engine.game import Refused
from companion.engine.ledger import BANK, player_account, transfer
from companion.games.master_builder import GAME
from companion.games.master_builder.advice import best_plan, needs_of, needs_view
from companion.games.master_builder.forecast.money import Forecast, play_on
from companion.games.master_builder.forecast.view import answer_of, forecast, forecast_view, safe_bids, what_if_bid
from companion.games.master_builder.rules.building import allowed_states
from companion.games.master_builder.rules.catalog import Catalog
from companion.games.master_builder.rules.house_rules import Rules
from companion.games.master_builder.rules.state import (
    BuildingSite,
    Contracts,
    Employed,
    GamePosition,
    Hire,
    cash,
    contract_account,
    contract_card,
)
from tests.games.master_builder.decks import deck
from tests.games.master_builder.played_on import Story, played_on
from tests.opened import house_deck
from tests.scenario import Scenario

QUIET: dict[str, Any] = {"reveal": {"*": (0, 0, 0)}}
"""No contract comes up after round 1, so that the deck lasts and the game with it."""
WORKERS = [card.id for card in deck().workers]
CONTRACTS = [card.id for card in deck().contracts]


@cache
def at(phase: str, round_: int) -> GamePosition:
    """A quiet game of blue and yellow that has come to a phase."""
    story = Scenario("blue", "yellow", catalog=deck(**QUIET))
    story.to(phase, round_)
    return position(story)


def position(story: Scenario) -> GamePosition:
    position = story.table.position
    assert position is not None
    return position


def with_blue(
    position: GamePosition,
    *,
    money: int,
    crew: Sequence[Employed] = (),
    sites: Sequence[BuildingSite] = (),
    catalog: Catalog | None = None,
    **changes: Any,
) -> GamePosition:
    """Let blue hold just this, and the state be otherwise as named."""
    blue = replace(position.state.player("blue"), crew=tuple(crew), sites=tuple(sites), completed=(), small=0, large=0)
    contracts = {site.contract for site in sites}
    others = tuple(
        replace(player, sites=tuple(site for site in player.sites if site.contract not in contracts), crew=())
        for player in position.state.players
    )
    state = replace(position.state, players=others).with_player(blue)
    display = tuple(card for card in state.display if card not in contracts)
    state = replace(state, display=display, catalog=catalog or state.catalog, **changes)
    ledger = position.ledger.post(transfer(player_account("blue"), BANK, cash(position, "blue") - money))
    return replace(position, state=state, ledger=ledger)


def holds(prediction: Forecast, story: Story) -> None:
    """Check every figure of a forecast against what the rules made of it."""
    wages = {movement.round: movement.cash for movement in prediction.movements if movement.why == "wages"}
    assert wages == story.cash
    loans: dict[int, list[str | None]] = {}
    for movement in prediction.movements:
        if movement.why == "loan":
            loans.setdefault(movement.round, []).append(movement.loan)
    assert loans == story.loans
    first = min(story.least) if story.least else None
    if prediction.next is None:
        assert first is None
    else:
        assert prediction.next.forced == len(story.loans.get(first or 0, ()))
        assert prediction.next.short == max(0, -story.least[first or 0])
    assert prediction.end.forced == sum(map(len, story.loans.values()))
    assert prediction.end.short == max(0, *(-left for left in story.least.values()), 0)
    assert (prediction.late, prediction.worth) == (story.late, story.worth)


@some.composite
def positions(draw: some.DrawFn) -> GamePosition:
    """Any phase of any round; small crews with odd wages; contracts at any stage; the rules that matter here."""
    phase = draw(some.sampled_from(["hire", "contracts", "events", "build"]))
    position = at(phase, draw(some.integers(2, 6))) if phase != "contracts" else at("events", draw(some.integers(2, 6)))
    ids = draw(some.lists(some.sampled_from(WORKERS), max_size=5, unique=True))
    crew = [
        Employed(
            worker,
            draw(some.integers(0, 8)) * 1_000,
            extra=draw(some.sampled_from([0, 0, 2_000])),
            face_up=draw(some.sampled_from([True, True, False])),
        )
        for worker in ids
    ]
    sites = []
    for contract in draw(some.lists(some.sampled_from(CONTRACTS), max_size=2, unique=True)):
        stages = allowed_states(contract_card(position.state, contract).kind)
        sites.append(BuildingSite(contract, tuple(sorted(draw(some.sampled_from(stages[:-1]))))))
    switches: dict[str, Sequence[str | bool]] = {
        "roof_timing": ("same_phase", "next_phase"),
        "roof_pair": ("separate", "together"),
        "city_wall_order": ("strict", "free"),
        "wage_overflow": ("cap", "full"),
        "final_rate": ("as_usual", "always_late"),
        "iou_supply": ("unlimited", "limited"),
        "unstarted_pays": (True, False),
    }
    rules = draw(some.builds(Rules, **{key: some.sampled_from(values) for key, values in switches.items()}))
    money = draw(some.integers(0, 30)) * 1_000
    return with_blue(position, money=money, crew=crew, sites=sites, rules=rules, deck=draw(some.sampled_from([0, 3])))


@settings(max_examples=150, deadline=None)
@given(positions())
def test_a_forecast_is_what_the_rules_make_of_a_game_played_on_like_that(position: GamePosition) -> None:
    prediction = forecast(position, "blue")

    holds(prediction, played_on(position, "blue", lambda now: best_plan(now, "blue")))


@settings(max_examples=80, deadline=None)
@given(positions(), some.sampled_from(CONTRACTS), some.integers(0, 30))
def test_what_a_bid_would_lead_to_is_what_the_rules_make_of_it(
    position: GamePosition, contract: str, more: int
) -> None:
    # given a moment before contracts are chosen, this one on display and paid for with 5,000 that lie on it
    position = on_display(position, contract)
    card = contract_card(position.state, contract)
    amount = card.cost + more * 1_000
    if cash(position, "blue") < amount:
        with pytest.raises(Refused):
            what_if_bid(position, "blue", contract, amount)
        return

    prediction = what_if_bid(position, "blue", contract, amount)

    holds(prediction, played_on(position, "blue", lambda now: best_plan(now, "blue"), (contract, amount)))
    assert [(movement.why, movement.amount) for movement in prediction.movements][:2] == [
        ("contract", -amount),
        ("premium", 5_000),
    ]


def on_display(position: GamePosition, contract: str) -> GamePosition:
    """Let it be the hiring of the same round, and nothing but this contract on display, with 5,000 on it."""
    then = at("hire", position.state.round)
    blue = replace(
        position.state.player("blue"),
        sites=tuple(site for site in position.state.player("blue").sites if site.contract != contract),
    )
    state = replace(position.state, phase=then.state.phase, display=(contract,)).with_player(blue)
    yellow = state.player("yellow")
    state = state.with_player(replace(yellow, sites=tuple(site for site in yellow.sites if site.contract != contract)))
    lying = position.ledger.starting_with("contract:")
    ledger = position.ledger
    for card in CONTRACTS:
        ledger = ledger.post(transfer(contract_account(card), BANK, ledger.balance(contract_account(card))))
    assert lying in (0, 5_000, 10_000)
    return replace(position, state=state, ledger=ledger.post(transfer(BANK, contract_account(contract), 5_000)))


@settings(max_examples=80, deadline=None)
@given(positions(), some.sampled_from(CONTRACTS))
def test_safe_bids_are_the_highest_that_force_no_loan(position: GamePosition, contract: str) -> None:
    position = on_display(position, contract)
    bids = safe_bids(position, "blue", contract)
    next_, end = [], []
    first_short: dict[int, tuple[int, int] | None] = {}
    for amount in range(bids.least, bids.most + 1, 1_000):
        seen = what_if_bid(position, "blue", contract, amount)
        assert seen.next is not None
        next_ += [amount] if not seen.next.forced else []
        end += [amount] if not seen.end.forced else []
        loan = next((movement for movement in seen.movements if movement.why == "loan"), None)
        before = next((movement.cash - movement.amount for movement in seen.movements if movement is loan), 0)
        wages = next(
            (
                movement.amount
                for movement in seen.movements
                if loan and movement.round == loan.round and movement.why == "wages"
            ),
            0,
        )
        first_short[amount] = (loan.round, -before - wages) if loan else None

    assert (bids.next, bids.end) == (max(next_, default=None), max(end, default=None))
    for amount, short in first_short.items():
        room = next((limit for limit in bids.rounds if limit.most < amount), None)
        assert (room and (room.round, amount - room.most)) == short


def test_even_a_table_full_of_contracts_is_looked_ahead_at_in_a_moment() -> None:
    """Eight unfinished contracts and fifteen workers, far more than anybody has; ordinary ones take about 1 ms."""
    crew = [Employed(worker, 2_000) for worker in WORKERS[::3]]
    position = with_blue(
        at("hire", 2),
        money=40_000,
        crew=crew,
        sites=[BuildingSite(contract) for contract in CONTRACTS[:8]],
        end_found=True,
    )
    begun = thread_time()
    prediction = forecast(position, "blue")

    assert prediction.movements
    assert thread_time() - begun < 1.0


def test_a_forecast_that_is_kept_is_the_one_that_is_made_anew() -> None:
    # given every position of a game of bots in which workers are lent
    positions: list[GamePosition] = []
    play_game(GAME, house_deck(), 4, ("random",) * 3, {"variants": ["loaning_workers"]}, watch=positions.append)
    asked = [
        (at_it, viewer, player, lot)
        for at_it in positions
        for player in at_it.state.turn_order
        for viewer in (player, "spectator")
        for lot in (None, *(at_it.state.display[:1] if isinstance(at_it.state.phase, Hire | Contracts) else ()))
    ]

    # when everybody looks ahead in each of them, alone and with a lot
    kept = [forecast_view(*question) for question in asked]

    # then nobody gets what was right for another position
    for question, answer in zip(asked, kept, strict=True):
        play_on.cache_clear()
        answer_of.cache_clear()
        assert answer == forecast_view(*question)
    assert len(positions) > 100


def test_needs_that_are_kept_are_those_that_are_made_anew() -> None:
    # given every position of a game of bots
    positions: list[GamePosition] = []
    play_game(GAME, house_deck(), 4, ("random",) * 3, {"variants": ["loaning_workers"]}, watch=positions.append)
    asked = [
        (at_it, player, lot)
        for at_it in positions
        for player in at_it.state.turn_order
        for lot in (None, *(at_it.state.display[:1] if isinstance(at_it.state.phase, Hire | Contracts) else ()))
    ]

    # when everybody's needs are asked for in each of them, alone and with a lot
    kept = [needs_view(*question) for question in asked]

    # then nobody gets what was right for another position
    for question, answer in zip(asked, kept, strict=True):
        needs_of.cache_clear()
        assert answer == needs_view(*question)
    assert len({str(answer) for answer in kept}) > 50
