"""`companion game check` plays all games that it is asked for, unless none ends or the rules cannot be asked."""

from dataclasses import replace
from typing import Any, cast

import pytest

from companion.bootstrap.games import InstalledGames
from companion.bot_games.trial import check_game
from companion.bot_games.trial_report import SLOW_S, TrialReport
from companion.game_api.capabilities import Capabilities, Choices
from companion.game_api.manifest import Manifest
from tests.cli.conftest import Run, run
from tests.games.acorns import acorns, never_ends, original, refuses_a_card, with_rules

__all__ = ["acorns", "run"]  # fixtures

GAMES = 12


def never_ends_for_three(rules: Any, state: Any, event: Any) -> Any:
    after = original(rules, "evolve")(state, event)
    return replace(after, hands=type(after.hands)()) if len(after.seats) == 3 and len(after.table()) == 1 else after


def test_games_of_which_some_end_are_all_played(acorns: Manifest, monkeypatch: pytest.MonkeyPatch) -> None:
    # given a game that never ends for three
    monkeypatch.setattr("companion.bot_games.trial.MOST_COMMANDS", 200)
    met = TrialReport()

    # when it is checked, then every game is played, however many of them go on for ever
    assert list(check_game(with_rules(acorns, evolve=never_ends_for_three), GAMES, 1, met=met)) == []
    assert (met.games, met.given_up) == (GAMES, GAMES // 3)


def test_games_that_take_long_and_hardly_ever_end_are_given_up_sooner() -> None:
    assert not TrialReport(games=2, given_up=2).is_endless(SLOW_S)
    assert TrialReport(games=2, given_up=2).is_endless(SLOW_S + 1)
    assert TrialReport(games=9, given_up=8).is_endless(SLOW_S + 1)
    assert not TrialReport(games=9, given_up=8).is_endless(SLOW_S)
    assert not TrialReport(games=8, given_up=6).is_endless(SLOW_S + 1)


def test_games_are_played_although_a_fault_speaks_of_rules(acorns: Manifest) -> None:
    # given a game that lets tables choose house rules, which its start does not take, and whose cards go back
    choices = Choices({"rules of the house": (True, False)})
    wrong = replace(with_rules(acorns, decide=refuses_a_card), capabilities=lambda: Capabilities(choices=choices))

    # when it is checked
    faults = list(check_game(wrong, GAMES, seed=1))

    # then what its games show is named as well
    for name in ("rules", "variants"):
        assert (
            f"it lets tables choose rules, and no command that begins a table has the field {name} for them" in faults
        )
    assert any("offers take and refuses it" in fault for fault in faults)
    assert any("a table of 3 cannot be begun: " in fault for fault in faults)


def test_no_game_is_played_by_rules_that_lack_a_function(acorns: Manifest) -> None:
    met = TrialReport()
    wrong = with_rules(acorns, offers=cast("Any", None))

    assert list(check_game(wrong, GAMES, 1, met=met)) == ["its rules have no function offers"]
    assert met.games == 0


def test_the_summary_says_how_many_games_were_played(
    run: Run, acorns: Manifest, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a game whose cards come back, one without a function, and one without a fault
    monkeypatch.setattr("companion.bot_games.trial.MOST_COMMANDS", 200)
    for functions, out, summary in (
        (
            {"evolve": never_ends},
            ["acorns: only 0 of 4 games reach an end within 200 commands, so the other 8 were not played"],
            "Acorns: 4 random games from seed 1, 1 fault",
        ),
        (
            {"offers": None},
            ["acorns: its rules have no function offers"],
            "Acorns: no random game was played, 1 fault",
        ),
        ({}, [], "Acorns: 12 random games from seed 1, no fault"),
    ):
        installed = InstalledGames({"acorns": with_rules(acorns, **cast("Any", functions))}, {})
        monkeypatch.setattr("companion.bootstrap.find_games", lambda games=installed: games)

        # when it is checked
        checked = run("game", "check", "acorns", "--games", str(GAMES))

        # then the last line says how many games were played
        assert (checked.out, checked.err[-1]) == (out, summary)
