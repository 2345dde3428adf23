"""Whatever a player or a spectator asks, the answer depends on nothing that is hidden from them.

Games of bots are played with everything hidden.  Now and then a second position is made that differs from the one
reached in what a viewer may not see, and in nothing else; then every kind of command is tried in both.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.bot_games.hidden import FIGURES, RandomCommands, answer
from companion.engine.game import BANKER, SPECTATOR, Position, Refused
from companion.engine.ledger import BANK, player_account, transfer
from companion.engine.timeline import Timeline, decide_and_settle
from companion.game_api.manifest import LoadedGame
from companion.games.master_builder.rules.state import Build
from companion.service.ports import Forbidden, UnknownAccount
from companion.service.table.advice import Advice
from companion.service.table.history import offer_json, open_to
from companion.service.table.notes import NoteBooks
from companion.service.table.past import explain, position_json_at, worth_now, worth_over_rounds
from companion.service.table.registry import Tables
from companion.service.table.table import Request, Table
from tests.every_game import tables_of_every_game
from tests.hidden_games import COUNTED, HIDING, begin_hidden, counted_players, play_hidden

Json = dict[str, Any]
PURSES = (0, 5, 1_000, 40_000, 600_000)
BETWEEN_LOOKS = 6
EACH = 3
"""How many commands of every kind are tried at each look."""


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, LoadedGame]:
    folder: Path = tmp_path_factory.mktemp("catalogs")
    return tables_of_every_game(folder).games


def reached(loaded: LoadedGame, seed: int, most: int) -> Iterator[Position[Any]]:
    """Play a game of bots with everything hidden and return a position now and then."""
    manifest, chance = loaded.manifest, random.Random(seed)
    assert manifest.bots is not None
    bots = manifest.bots()
    command = loaded.codec.command({**bots.beginning(3, seed), **HIDING[manifest.name]})
    _, position = decide_and_settle(loaded.rules, None, command)
    piles = bots.shuffled(loaded.cards.in_use(position.state), seed)
    strengths = dict.fromkeys(loaded.rules.players(position), bots.strengths[0])
    for number in range(most):
        act = bots.next_act(position, piles, strengths, chance.randrange)
        if act is None:
            return
        _, position = decide_and_settle(loaded.rules, position, act.command)
        if number % BETWEEN_LOOKS == chance.randrange(BETWEEN_LOOKS):
            yield position


def otherwise(loaded: LoadedGame, position: Position[Any], viewer: str, chance: random.Random) -> Position[Any]:
    """Return a position that differs in what is hidden from a viewer: the money and the secret plans of others."""
    state, ledger = position.state, position.ledger
    if loaded.view(position, viewer).get("bank", 0) is None:
        for other in loaded.rules.players(position):
            if other != viewer:
                more = chance.choice(PURSES) - ledger.balance(player_account(other))
                ledger = ledger.post(transfer(BANK, player_account(other), more))
    if loaded.name == "master_builder" and isinstance(state.phase, Build) and state.rules.plans == "secret":
        plans = tuple(plan if plan.player == viewer else replace(plan, work=()) for plan in state.phase.plans)
        state = state.with_phase(replace(state.phase, plans=plans))
    return Position(state, ledger)


def is_possible(loaded: LoadedGame, position: Position[Any]) -> bool:
    """Return whether a game can come to a position: nothing follows unasked, and who leads can pay the bid."""
    auction = loaded.view(position, BANKER).get("auction") or {}
    leader, bid = auction.get("leader"), auction.get("bid") or 0
    if leader is not None and position.ledger.balance(player_account(leader)) < bid:
        return False
    return not loaded.rules.follow_up(position)


def is_alike(loaded: LoadedGame, position: Position[Any], other: Position[Any]) -> bool:
    """Return whether two positions are publicly the same: the rules wait for the same players, for the same acts."""
    return loaded.rules.overview(position) == loaded.rules.overview(other)


def bundle(loaded: LoadedGame, position: Position[Any], chance: random.Random) -> Json:
    """Return some of what a trade may hold."""
    deed = chance.choice(sorted(loaded.cards.ids(loaded.cards.in_use(position.state))))
    parts: Json = {"money": chance.choice(FIGURES), "deeds": [deed], "chips": {"red": 1}}
    return {name: part for name, part in parts.items() if chance.random() < 1 / 2}


def advised(
    loaded: LoadedGame, position: Position[Any], viewer: str, questions: Sequence[tuple[str, str | None, int | None]]
) -> list[str]:
    """Return what the questions of the interface about player, card and amount are answered to a viewer."""
    empty: Timeline[Any] = Timeline()
    advice = Advice(loaded, lambda: empty.after(position))
    asked: list[Callable[[], Any]] = [lambda: advice.suggestion(viewer, viewer), lambda: advice.scores(viewer)]
    for player, card, amount in questions:
        asked += [
            partial(advice.forecast, viewer, player, card, amount),
            partial(advice.needs, player, card),
            partial(advice.suggestion, viewer, player),
        ]
    return [answer_text(question) for question in asked]


def answer_text(question: Callable[[], Any]) -> str:
    try:
        return repr(question())
    except Refused as refused:
        return repr((refused.rule, dict(refused.details)))
    except (Forbidden, UnknownAccount) as refused:
        return repr(refused)


def questions(
    loaded: LoadedGame, position: Position[Any], chance: random.Random
) -> Iterator[tuple[str, str | None, int | None]]:
    """Yield a player, a card and an amount that a question of the interface may name: possible and impossible ones."""
    cards = [*sorted(loaded.cards.ids(loaded.cards.in_use(position.state))), "D99"]
    for player in (*loaded.rules.players(position), "mauve"):
        yield player, None, None
        for _ in range(EACH):
            yield player, chance.choice(cards), chance.choice([None, *(figure for figure in FIGURES if figure >= 0)])


@pytest.mark.parametrize("game", HIDING)
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10_000))
def test_answers_and_refusals_do_not_depend_on_what_is_hidden(
    games: Mapping[str, LoadedGame], game: str, seed: int
) -> None:
    loaded, chance = games[game], random.Random(seed)
    for position in reached(loaded, seed, most=60):
        for viewer in (*loaded.rules.players(position), SPECTATOR):
            # given two positions that differ only in what is hidden from a viewer
            other = otherwise(loaded, position, viewer, chance)
            if not is_possible(loaded, other) or not is_alike(loaded, position, other):
                continue
            pair = (position, other)

            # when they look, then they see the same
            shown, elsewhere = (repr(loaded.view(at, viewer)) for at in pair)
            assert shown == elsewhere
            offers, elsewhere_offers = (
                [offer_json(offer) for offer in open_to(loaded.rules, at, viewer)] for at in pair
            )
            assert offers == elsewhere_offers
            if loaded.can.scores is not None:
                assert list(loaded.can.scores(position, viewer)) == list(loaded.can.scores(other, viewer))

            # when they ask for advice about anybody, then the answers and refusals are the same
            asked = list(questions(loaded, position, chance))
            assert advised(loaded, position, viewer, asked) == advised(loaded, other, viewer, asked)

            # when they ask for anything, then the answers are the same
            if viewer == SPECTATOR:
                continue
            wishes = RandomCommands(
                loaded, position, viewer, chance, {"bundle": partial(bundle, loaded, position, chance)}
            )
            for command in (*wishes.draw(EACH), *wishes.of_offers(open_to(loaded.rules, position, viewer))):
                if loaded.rules.author(position, command) == viewer:
                    answers = {answer(loaded, at, command, viewer) for at in pair}
                    assert len(answers) == 1, (command, answers)


@pytest.mark.parametrize("game", COUNTED)
def test_histories_that_differ_in_a_hidden_count_look_the_same_to_others(
    tmp_path: Path, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given the same evening twice, in which other amounts are counted
    tables = tables_of_every_game(tmp_path)
    evenings: list[Table] = []
    for amount in (COUNTED[game], 2 * COUNTED[game]):
        monkeypatch.setitem(COUNTED, game, amount)
        table = begin_hidden(tables, game, 3)
        assert len(list(play_hidden(table, 3, most=25))) > 0
        evenings.append(table)

    # when somebody looks whose money was not counted, then both look the same to them
    first, second = evenings
    (uncounted,) = set(first.names()) - set(counted_players(first))
    for viewer in (uncounted, SPECTATOR):
        assert without_time(first, viewer) == without_time(second, viewer)
        assert first.show(viewer) == second.show(viewer)
        for version in range(1, first.version + 1):
            assert position_json_at(first, version, viewer) == position_json_at(second, version, viewer)
        assert past_told(first, viewer) == past_told(second, viewer)

    # and the banker sees what was counted
    assert without_time(first, BANKER) != without_time(second, BANKER)


def past_told(table: Table, viewer: str) -> list[str]:
    """Return what the questions about the past of a table are answered to a viewer, without the time of day."""
    kinds = ("player", "wages", "owes", "worth")
    accounts = ["bank", *(f"{kind}:{player}" for kind in kinds for player in table.names())]
    asked: list[Callable[[], Any]] = [
        lambda: NoteBooks().as_json(table, viewer),
        lambda: worth_now(table, viewer),
        lambda: worth_over_rounds(table, viewer),
        *(partial(explain, table, account, viewer) for account in accounts),
    ]
    return [re.sub(r"\bat='[^']*'", "", answer_text(question)) for question in asked]


def without_time(table: Table, viewer: str) -> list[Json]:
    return [{**entry, "at": ""} for entry in table.journal(viewer)]


TAKEN: dict[str, Json] = {
    "master_builder": {"round": 2, "phase": "hire", "start_player": "blue"},
    "monopoly_builder": {"turn": "red", "phase": "roll"},
}


def taken_over(tables: Tables, game: str, money: Sequence[int]) -> Table:
    """Begin a game as taken over, in which money is hidden, and players hold so much in the order of their seats."""
    begun = begin_hidden(tables, game, 1)
    assert len(list(play_hidden(begun, 1, most=12))) > 0
    seats = list(begun.names())
    players = {player: {"cash": cash} for player, cash in zip(seats, money, strict=True)}
    position = {"game": game, **TAKEN[game], "rules": HIDING[game]["rules"], "players": players}
    position["start_player" if game == "master_builder" else "turn"] = seats[0]
    return tables.start(Request({"do": "take_over", "position": position}, BANKER, "tap"))


@pytest.mark.parametrize("game", TAKEN)
def test_games_taken_over_that_differ_in_hidden_money_tell_others_the_same_notes_and_figures(
    tmp_path: Path, game: str
) -> None:
    # given two games that were just taken over, in which the first player holds more or less
    tables = tables_of_every_game(tmp_path)
    unit = 1_000 if game == "master_builder" else 5
    first, second = (taken_over(tables, game, [amount * unit, 60 * unit, 61 * unit]) for amount in (62, 70))
    owner, other, *_ = first.names()

    # when others ask for notes and figures, then they are told the same
    for viewer in (other, SPECTATOR):
        assert past_told(first, viewer) == past_told(second, viewer)
    assert past_told(first, owner) != past_told(second, owner)


@pytest.mark.parametrize("game", TAKEN)
def test_a_game_taken_over_with_hidden_money_tells_each_player_their_own(tmp_path: Path, game: str) -> None:
    # given a game taken over as it lies on the table, money hidden
    tables = tables_of_every_game(tmp_path)
    money = [17_000, 18_000, 19_000] if game == "master_builder" else [315, 325, 335]
    table = taken_over(tables, game, money)
    first, second, _ = table.names()

    # when the journal is read, then each sees their own money in it, and the banker all
    for viewer, seen in ((first, money[:1]), (second, money[1:2]), (SPECTATOR, []), (BANKER, money)):
        (entry,) = table.journal(viewer)
        shown = repr((entry["command"], entry["events"][0]["cash"]))
        assert [amount for amount in money if str(amount) in shown] == seen, viewer
