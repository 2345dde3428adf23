"""Which events move money or chips: those that are said to, and no others."""

from companion.games.monopoly_builder.messages import MESSAGES
from companion.games.monopoly_builder.rules import accounting


def test_every_event_that_is_booked_is_named_among_those_that_move_something() -> None:
    # given all events that the booking knows by their names
    text = "".join(map(str, (accounting.account_for.__code__.co_names, accounting._chips.__code__.co_names)))
    text += str(accounting._exchange.__code__.co_names)
    booked = {kind for kind in MESSAGES.events if f"'{kind.__name__}'" in text}

    # then each of them is let through to it
    assert booked == accounting.MOVES
