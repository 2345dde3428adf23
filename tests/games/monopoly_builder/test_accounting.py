"""Which events move money or chips, and which change the state: each gets to the page that knows it."""

from collections.abc import Callable
from typing import Any

import pytest

from companion.games.monopoly_builder.messages import MESSAGES
from companion.games.monopoly_builder.rules import accounting, evolve


@pytest.mark.parametrize(
    ("page", "sent"),
    [
        (accounting._money, accounting._BOOKED),
        (accounting._chips, accounting._BOOKED),
        (accounting._exchange, accounting._BOOKED),
        (evolve._dealing, evolve._CHANGED),
    ],
)
def test_every_event_that_a_page_knows_is_sent_to_it_and_no_other(
    page: Any, sent: dict[type, Callable[..., Any]]
) -> None:
    knows = {kind for kind in MESSAGES.events if kind.__name__ in page.__code__.co_names}
    comes = {kind for kind, to in sent.items() if to is page}

    assert knows
    assert knows <= comes
    assert len(comes - knows) <= 2  # what is left when all others are told apart
