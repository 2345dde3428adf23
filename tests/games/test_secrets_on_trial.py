"""`companion game check`: what is chosen in secret stays secret, also later, and on the tablet in the middle."""

from collections.abc import Mapping
from typing import Any

from companion.bot_games.trial import check_game
from companion.game_api.auctions import EnglishAuction
from tests.elsewhere.outsiders import flea_market
from tests.games.acorns import original, with_rules


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
