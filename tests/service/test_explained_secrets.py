"""Explanations of a figure without what is still secret from a viewer."""

from dataclasses import replace
from typing import Any

from companion.engine.ledger import BANK, Transaction, player_account, transfer
from companion.game_api.capabilities import Capabilities
from companion.service.table.past import explain
from tests.game_api.step_table import CardsHidden, Hiding, OneStep, begun, give, stones


class Paid(OneStep):
    """Everybody hides stones, in secret, and pays for each."""

    make = staticmethod(lambda seats: Hiding(players=tuple(seats)))

    def account_for(self, event: Any) -> Transaction | None:
        if isinstance(event, CardsHidden):
            return transfer(player_account(event.player), BANK, len(event.cards))
        return super().account_for(event)


def test_a_secret_that_cost_money_stays_one_until_it_is_revealed() -> None:
    # given open money, and somebody who has paid for what was hidden
    loaded = stones(lambda seats: Hiding(players=tuple(seats)))
    rules: Any = Paid(loaded.catalogs)
    table = begun(replace(loaded, rules=rules, can=Capabilities()))
    stone = table.position.state.hands.of("red")[0]  # type: ignore[union-attr]
    give(table, {"do": "hide", "player": "red", "cards": [stone]})

    # then only they are told which stone it was; the amount is seen by all
    def latest(viewer: str) -> Any:
        return explain(table, "player:red", viewer).lines[-1]

    assert latest("red").event["cards"] == [stone]
    for viewer in ("blue", "banker", "spectator"):
        assert "cards" not in latest(viewer).event
        assert latest(viewer).amount == -1

    # when all have hidden theirs, then everybody is
    for player in ("blue", "yellow"):
        give(table, {"do": "hide", "player": player, "cards": []})
    assert latest("blue").event["cards"] == [stone]
