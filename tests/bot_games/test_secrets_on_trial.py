"""`companion game check`: what is chosen in secret stays secret, also later, and on the tablet in the middle."""

from collections.abc import Mapping
from typing import Any

from companion.bot_games.trial import check_game
from companion.bot_games.trial_report import alike_faults
from companion.game_api.auctions import EnglishAuction
from tests.elsewhere.outsiders import flea_market, night_harbour
from tests.games.acorns import original, with_messages, with_rules


def hand_shown(rules: Any, position: Any, player: str, viewer: str, *, secret: bool) -> Mapping[str, Any]:
    """Return the figures of a player with the hand as it is shown to a viewer."""
    figures = original(rules, "figures")(position, player, viewer)
    return {**figures, "hand": position.state.hands.view(player, viewer, secret=secret)}


def test_a_hidden_hand_that_is_shown_in_a_later_phase_is_noticed() -> None:
    # given a game that shows all hands while a lot is put up, which never follows directly on drawing
    def figures(rules: Any, position: Any, player: str, viewer: str) -> Mapping[str, Any]:
        is_secret = not isinstance(position.state.step, EnglishAuction)
        return hand_shown(rules, position, player, viewer, secret=is_secret)

    faults = list(check_game(with_rules(flea_market.GAME, figures=figures), 6, seed=1))

    assert [fault for fault in faults if "later what HandDrawn holds back (phase auction)" in fault], faults


def test_a_hand_that_is_shown_to_the_banker_is_noticed_since_the_tablet_lies_in_the_middle() -> None:
    def figures(rules: Any, position: Any, player: str, viewer: str) -> Mapping[str, Any]:
        return hand_shown(rules, position, player, viewer, secret=viewer != "banker")

    faults = list(check_game(with_rules(flea_market.GAME, figures=figures), 1, seed=1))

    said = "view tells banker, whose tablet may lie in the middle, what HandDrawn holds back without banker_sees"
    assert [fault for fault in faults if fault.startswith(f"{said} (phase draw)")], faults


def test_what_tells_a_secret_that_its_until_does_not_end_is_one_fault_that_names_it() -> None:
    # given a choice that is shown in the morning, and that only the end of the game reveals
    early = with_messages(night_harbour.GAME, revealed_by={"CrewSent": frozenset({"GameEnded"})})
    faults = list(check_game(early, 4, seed=1))

    assert [fault.partition(" (")[0] for fault in faults if "CrewSent" in fault] == [
        "ShipWon tells what CrewSent holds back until GameEnded: name it in its Secret"
    ]


def test_a_leak_that_differs_by_its_viewer_and_by_what_was_chosen_is_one_line() -> None:
    faults = {
        "the journal tells red what Sold holds back: {'event': 'Moved', 'hue': 'red'} or {'event': 'Moved'": 8,
        "the journal tells banker what Sold holds back: {'event': 'Moved', 'hue': 'blue'}": 9,
        "the journal tells spectator what Sold holds back: {'event': 'Moved', 'price': 5}": 9,
    }

    assert [(seed, count) for _, seed, count in alike_faults(faults)] == [(8, 3)]
