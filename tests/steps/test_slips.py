"""Slips of the author of a game of steps: each is a fault in plain words, and stops no examination."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from companion.bot_games.trial import play_trials
from companion.game_api.auctions import AuctionOpened, LotUnsold, auction_of
from companion.game_api.capabilities import Capabilities
from companion.game_api.manifest import Manifest
from tests.steps.step_table import CATALOG, MESSAGES, Playing, stones


def faults_of(game: Manifest) -> str:
    """Return what a few random games show to be wrong, with their phases."""
    return "; ".join(play_trials(game, CATALOG, games=3, seed=1).faults)


def test_a_pass_that_is_told_although_bids_are_sealed_is_noticed() -> None:
    # given a game whose own cover leaves the verb of a command
    def cover(command: Any, event: Any, viewer: str) -> Any:
        own = viewer == event["player"]
        return command if own else {"do": command["do"]}, event if own else {**event, "amount": 0}

    game = stones(lambda seats: auction_of(AuctionOpened("S05", tuple(seats), kind="sealed")))
    telling = replace(MESSAGES, covered={**MESSAGES.covered, "BidSealed": cover})

    assert "what BidSealed holds back: the command" in faults_of(replace(game.manifest, messages=lambda: telling))


class _Slips(Playing):
    """A step whose author has forgotten something, by default nothing."""

    def waiting_for(self) -> Any:
        return SLIPS["waiting_for"](super().waiting_for())

    def offers(self, position: Any, player: str) -> Any:
        return SLIPS["offers"](super().offers(position, player))

    def decide(self, position: Any, command: Any) -> Any:
        return SLIPS["decide"](super().decide(position, command))

    def follow_up(self, position: Any) -> Any:
        return SLIPS["follow_up"](super().follow_up(position))


class _Nameless(_Slips):
    phase = ""


SLIPS: dict[str, Callable[[Any], Any]] = dict.fromkeys(("waiting_for", "offers", "decide", "follow_up"), lambda it: it)
"""What each function of the step above makes of what it would return."""


@pytest.mark.parametrize(
    ("function", "slip", "said"),
    [
        ("decide", lambda events: events[0], "decide of PlayCard returns a CardPlayed, no tuple of events"),
        ("decide", lambda _: None, "decide of PlayCard returns nothing, where a tuple of events is wanted"),
        ("follow_up", lambda _: LotUnsold("S01"), "follow_up returns a LotUnsold, no tuple of events"),
        ("offers", lambda _: None, "offers raises TypeError"),
        (
            "offers",
            lambda offers: [replace(each, fields=each.fields[0]) for each in offers],
            'returns play_card whose fields are no pairs: is a comma missing, as in fields=(("card", OneOf(...)),)',
        ),
        ("waiting_for", lambda players: players[0] if players else (), "_Slips.waiting_for returns the text 'red'"),
    ],
)
def test_a_comma_that_is_missing_in_a_step_is_a_fault_in_plain_words(
    function: str, slip: Callable[[Any], Any], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SLIPS, function, slip)

    assert said in faults_of(stones(lambda seats: _Slips(tuple(seats), seats[0])).manifest)


def test_sealed_bids_that_are_opened_with_a_leader_are_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = AuctionOpened("S05", ("red", "blue"), kind="sealed", leader="red", bid=2)
    monkeypatch.setitem(SLIPS, "decide", lambda _: [opened])

    said = faults_of(stones(lambda seats: _Slips(tuple(seats), seats[0])).manifest)
    assert "decide raises ValueError: an auction of sealed bids has no leader and no bid when it is opened" in said


def test_a_step_without_a_phase_is_named() -> None:
    nameless = stones(lambda seats: _Nameless(tuple(seats), seats[0]))

    assert "_Nameless has no phase, by which pages name it" in faults_of(nameless.manifest)


@pytest.mark.parametrize(
    ("capability", "returned", "said"),
    [
        ("hidden_money", None, "capabilities.hidden_money returns None, where a tuple of players is wanted"),
        ("hidden_money", "red", "hidden_money returns 'red', where a tuple of players is wanted"),
        ("scores", 5, "raises TypeError: 'int' object is not iterable"),
    ],
)
def test_a_capability_that_returns_something_else_is_a_fault(capability: str, returned: Any, said: str) -> None:
    game = stones(lambda seats: Playing(tuple(seats), seats[0])).manifest
    can: dict[str, Any] = {capability: lambda *_: returned}

    assert said in faults_of(replace(game, capabilities=lambda: Capabilities(**can)))


def test_a_table_that_shows_players_of_its_own_is_a_fault() -> None:
    game = stones(lambda seats: Playing(tuple(seats), seats[0])).manifest
    rules: Any = game.rules
    listed = type("Listed", (rules,), {"table": lambda *_: {"players": ["red", "blue"]}})

    assert "view returns players that are no figures by player" in faults_of(replace(game, rules=listed))
