"""Slips of the author of a game of steps: each is a fault in plain words, and stops no examination."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import pytest

from companion.bootstrap.games import name_faults, part_faults, translation_faults, word_gaps
from companion.bot_games.trial import play_trials
from companion.bot_games.trial_report import remarks
from companion.engine.game import Refused
from companion.game_api.auctions import AuctionOpened, LotUnsold, auction_of
from companion.game_api.capabilities import Capabilities, Choices
from companion.game_api.cards import LABEL_FORM, ListedCatalog
from companion.game_api.choices import HandsFilled, Traded, trade_partner
from companion.game_api.house_rules import rule, values_by_key
from companion.game_api.manifest import Manifest
from companion.game_api.steps import PlayStep
from tests.game_api.step_table import CATALOG, MESSAGES, Playing, Stone, stones


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


def declared_of(game: Manifest) -> list[str]:
    """Return the faults of names and declarations that `check` prints."""
    return [*name_faults(game, CATALOG, (), ()), *part_faults(game, CATALOG), *translation_faults(game)]


REVEALING = replace(MESSAGES, revealing=frozenset({"LotSold"}))
SEALED = replace(
    stones(lambda seats: auction_of(AuctionOpened("S05", tuple(seats), kind="sealed"))).manifest,
    messages=lambda: REVEALING,
)


def test_trades_to_which_nobody_must_agree_are_a_fault() -> None:
    assert declared_of(SEALED) == []

    (fault,) = declared_of(replace(SEALED, capabilities=Capabilities))

    assert fault.startswith("by its command trade players take cards and money of others who are never asked")
    assert "consent=trade_partner" in fault


def test_an_event_that_the_kits_own_command_leads_to_is_missed() -> None:
    fewer = replace(REVEALING, events=tuple(kind for kind in REVEALING.events if kind.__name__ != "PlayerRenamed"))

    assert declared_of(replace(SEALED, messages=lambda: fewer)) == [
        "its command rename_player leads to PlayerRenamed, which is missing among its events"
    ]


def test_words_that_are_not_there_are_named(tmp_path: Path) -> None:
    nowhere = replace(SEALED, words=tmp_path / "nowhere")
    assert declared_of(nowhere) == [f"its words name the folder {tmp_path / 'nowhere'}, which does not exist"]
    assert list(word_gaps(replace(SEALED, words=tmp_path))) == [f"the folder of its words has no .po file: {tmp_path}"]


@pytest.mark.parametrize("card", ["hazelnut", "wal-nut", "n03", "\u00dc1", "HAZELNUT"])
def test_a_card_that_no_label_can_say_is_named_with_the_form(card: str) -> None:
    # given a catalog with such a card
    made = ListedCatalog("Stones", True, (Stone(card),))

    # then a check names it, and the game can be played all the same, without labels
    assert f"its card {card} cannot stand on a label: {LABEL_FORM}" in [*part_faults(SEALED, made)]
    assert not [fault for fault in name_faults(SEALED, made, (), ()) if "label" in fault]


def test_a_house_rule_of_a_number_has_its_default_alone_which_a_check_names() -> None:
    @dataclass(frozen=True)
    class Rules:
        purse: int = rule(12)

    choices = Choices(values_by_key(Rules))
    faults = declared_of(replace(SEALED, capabilities=lambda: Capabilities(choices=choices, consent=trade_partner)))

    assert choices.switches == {"purse": (12,)}
    assert "its house rule purse has one value alone: declare it as bool, or as a Literal of its values" in faults


def test_a_trade_that_moves_no_card_and_money_that_is_not_conserved_are_remarked_on() -> None:
    # given a game that has forgotten to move what was traded
    game = stones(lambda seats: auction_of(AuctionOpened("S05", tuple(seats))), trades=True).manifest
    rules: Any = game.rules
    careless = type("Careless", (rules,), {"changed": _stays})
    met = play_trials(replace(game, rules=careless, conserved=()), CATALOG, games=20, seed=1)

    said = [*remarks(replace(game, conserved=()), met)]

    assert "the event Traded moves no card in any game, which changed has to do" in said
    assert any(line.endswith('moves money, and the manifest does not say conserved=("money",)') for line in said)
    assert not [line for line in remarks(game, play_trials(game, CATALOG, games=20, seed=1)) if "Traded" in line]


def _stays(rules: Any, state: Any, event: Any) -> Any:
    return state if isinstance(event, Traded) else super(type(rules), rules).changed(state, event)


def test_a_step_in_which_nobody_acts_needs_no_more_than_what_follows() -> None:
    class Dawn(PlayStep):
        phase = "dawn"

        def follow_up(self, position: Any) -> Sequence[Any]:
            del position
            return (HandsFilled(),)

    table = stones(lambda _: Dawn())

    assert (Dawn().waiting_for(), Dawn().offers(cast("Any", None), "red")) == ((), ())
    with pytest.raises(Refused, match="not_now"):
        Dawn().decide(cast("Any", None), None)
    assert faults_of(table.manifest) == ""
