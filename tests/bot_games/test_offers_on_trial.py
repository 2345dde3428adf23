"""`companion game check`: what an offer with open fields promises is tried, whichever offer is taken."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from companion.bot_games.games import broken_promises
from companion.bot_games.trial import check_game
from companion.engine.game import Amount, Offer, OneOf, Refused
from companion.game_api.manifest import Manifest
from companion.game_api.messages import Actor, Card, Dollars
from tests.games.acorns import acorns, original, with_messages, with_rules

__all__ = ["acorns"]  # fixture


@dataclass(frozen=True, slots=True)
class Swap:
    player: Actor
    card: Card
    other: Card
    price: Dollars


@pytest.mark.parametrize(
    ("refuses", "said"),
    [
        (lambda swap: swap.card == "A02", "with {'card': 'A02', 'other': 'A0"),
        (lambda swap: swap.card < "A03" and swap.other == "A04", "'other': 'A04'}"),
        (lambda swap: swap.price == 3, "with {'price': 3}"),
        (lambda swap: swap.price > 1 and swap.card == "A01", None),
    ],
    ids=["an id", "two ids", "an amount", "an amount that is too much for a card"],
)
def test_what_an_offer_with_several_open_fields_promises_is_tried_though_another_offer_is_taken(
    acorns: Manifest, refuses: Callable[[Swap], bool], said: str | None
) -> None:
    # given a game that offers besides a swap with three open fields, and refuses some of what can be chosen
    def offers(rules: Any, position: Any, player: str) -> Sequence[Offer]:
        table = position.state.table()
        fields = (("card", OneOf(table)), ("other", OneOf(table)), ("price", Amount(0, 3, 1)))
        swap = (Offer("swap", player, fields=fields, urgency="possible"),) if table else ()
        return [*original(rules, "offers")(position, player), *swap]

    def decides(rules: Any, position: Any, command: Any) -> Sequence[Any]:
        if isinstance(command, Swap) and refuses(command):
            raise Refused("not_offered")
        events: Sequence[Any] = original(rules, "answer" if isinstance(command, Swap) else "decide")(position, command)
        return events

    commands = (*acorns.messages().commands, Swap)
    faults = list(
        check_game(with_rules(with_messages(acorns, commands=commands), offers=offers, decide=decides), 6, seed=1)
    )

    # then every value of which nothing comes is named, and nothing else
    promises = [fault for fault in faults if "offers swap and refuses it: not_offered" in fault]
    assert promises == faults
    assert len(promises) == (0 if said is None else 1)
    assert all(said is not None and said in fault for fault in promises)


def test_steps_that_are_larger_than_the_whole_amount_are_a_broken_promise() -> None:
    # given an amount up to 10 whose steps were not named, which are thousands then
    offer = Offer("bid", "red", fields=(("amount", Amount(0, 10)),))

    broken = [(values, str(refused)) for values, refused in broken_promises(offer, Random(1), lambda _command: None)]

    assert broken == [({"amount": 10}, "its steps of 1,000 are larger than all of it")]
