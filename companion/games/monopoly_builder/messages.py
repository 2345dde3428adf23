"""What Monopoly Builder's journals are made of."""

from typing import get_args

from companion.game_api.messages import Messages
from companion.games.monopoly_builder.refusal_details import DETAILS
from companion.games.monopoly_builder.rules.commands import Command
from companion.games.monopoly_builder.rules.events import Event

MESSAGES = Messages(
    commands=get_args(Command),
    events=get_args(Event),
    secret=frozenset({"CashCounted"}),
    revealing=frozenset({"GameEnded"}),
    quiet=frozenset({"StageCame", "EffectCame", "DeedOffered"}),
    details=DETAILS,
)
