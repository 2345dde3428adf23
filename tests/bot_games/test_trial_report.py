"""`companion game check` says what may be meant otherwise, and which way money went, although neither is a fault."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from companion.bot_games.trial import check_game
from companion.bot_games.trial_report import TrialReport, remarks
from companion.engine.ledger import BANK, BOX, Transaction, player_account, transfer
from companion.game_api.manifest import Manifest
from tests.games.acorns import acorns, original, with_messages, with_rules

__all__ = ["acorns"]  # fixture
FEW, ENOUGH = 1, 2
PRICE = 3


def met_in(manifest: Manifest, games: int) -> TrialReport:
    """Return what was met in random games of a game that has no fault."""
    met = TrialReport()
    assert list(check_game(manifest, games, seed=1, met=met)) == []
    return met


def pays_for_a_card(*, wrongly: bool) -> Callable[..., Transaction | None]:
    """Return an `account_for` by which players have ten dollars each and buy what they take, or are paid for it."""

    def account_for(_rules: Any, event: Any) -> Transaction | None:
        match type(event).__name__:
            case "GameStarted":
                return transfer(BOX, player_account("red"), 10)
            case "CardTaken" if event.player == "red":
                ways = (BANK, player_account("red")) if wrongly else (player_account("red"), BANK)
                return transfer(*ways, PRICE if event.card == "A01" else 0)
            case _:
                return None

    return account_for


@pytest.fixture(autouse=True)
def enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let fewer games be enough to say that something never happens."""
    monkeypatch.setattr("companion.bot_games.trial_report.ENOUGH_GAMES", ENOUGH)


def test_a_game_that_means_what_it_does_has_no_remarks(acorns: Manifest) -> None:
    assert list(remarks(acorns, met_in(acorns, ENOUGH))) == []


def test_an_event_that_changes_nothing_is_remarked_on(acorns: Manifest) -> None:
    # given a game in which the wind blows with every card, and `changed` has forgotten it
    @dataclass(frozen=True, slots=True)
    class WindBlew:
        pass

    def decides(rules: Any, position: Any, command: Any) -> Sequence[Any]:
        events: Sequence[Any] = original(rules, "decide")(position, command)
        return events if position is None else [*events, WindBlew()]

    messages = acorns.messages()
    windy = with_rules(acorns, decide=decides)
    windy = with_messages(windy, events=(*messages.events, WindBlew))

    # then that is said, and is no fault, for an event may only tell
    assert list(remarks(windy, met_in(windy, FEW))) == [
        "the event WindBlew changes neither the state nor money in any game"
    ]


def test_words_for_a_misspelt_phase_or_field_are_remarked_on(acorns: Manifest, tmp_path: Path) -> None:
    # given words for a phase and a field that nothing has, which nearly are others, and for one that is far from all
    assert acorns.words is not None
    english = (acorns.words / "en.po").read_text()
    far = 'msgctxt "field"\nmsgid "weather"\nmsgstr "Weather"\n'
    wrong = (
        english.replace('msgid "taking"', 'msgid "takking"').replace('msgid "points"', 'msgid "poinst"') + "\n" + far
    )
    (tmp_path / "en.po").write_text(wrong)
    misspelt = replace(acorns, words=tmp_path)

    # then both are named once enough games were played, and nothing is without a word of English
    assert list(remarks(misspelt, met_in(misspelt, FEW))) == []
    assert list(remarks(misspelt, met_in(misspelt, ENOUGH))) == [
        "en.po has words for the phase takking, which was met in no game, and taking was",
        "en.po has words for the field poinst, which was met in no game, and points was",
    ]
    (tmp_path / "en.po").unlink()
    assert list(remarks(misspelt, met_in(misspelt, ENOUGH))) == []


def test_the_first_payment_of_each_event_shows_which_way_the_money_went(acorns: Manifest) -> None:
    for wrongly, signs in ((False, ("-3", "+3")), (True, ("+3", "-3"))):
        met = met_in(with_rules(acorns, account_for=pays_for_a_card(wrongly=wrongly)), ENOUGH)

        line = met.payments["CardTaken"]
        assert line.startswith("CardTaken (player red, card A01): ")
        assert f"player:red {signs[0]}" in line
        assert f"bank {signs[1]}" in line
        assert set(met.payments) == {"CardTaken"}
