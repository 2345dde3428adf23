"""Which events change the state by dealing: each gets to the function that knows it."""

from companion.games.monopoly_builder.messages import MESSAGES
from companion.games.monopoly_builder.rules import evolve


def test_every_event_that_deals_is_sent_to_its_function_and_no_other() -> None:
    knows = {kind for kind in MESSAGES.events if kind.__name__ in evolve._dealing.__code__.co_names}
    comes = {kind for kind, to in evolve._CHANGED.items() if to is evolve._dealing}

    assert knows
    assert knows <= comes
    assert len(comes - knows) <= 2  # what is left when all others are told apart
