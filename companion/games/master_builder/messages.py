"""What Master Builder's journals are made of."""

from typing import get_args

from companion.game_api.messages import Messages, Upcast
from companion.games.master_builder.rules.commands import Command
from companion.games.master_builder.rules.events import Event
from companion.games.master_builder.rules.refusal_details import Details, SeatsWanted

UPCASTS: tuple[Upcast, ...] = ()
"""What has been renamed in Master Builder since its first journals, oldest first.

The journal keeps what was written.  Whoever renames an event class, or a field of one, adds an upcast here and
a journal of the version before to the tests.
"""

MESSAGES = Messages(
    commands=get_args(Command),
    events=get_args(Event),
    upcasts=UPCASTS,
    secret=frozenset({"PlanLocked"}),
    revealing=frozenset({"IncomePhaseBegan"}),
    details={"": Details, "number_of_players": SeatsWanted},
)
