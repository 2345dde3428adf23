"""What Men at Work's journals are made of."""

from typing import get_args

from companion.game_api.messages import Messages
from companion.games.men_at_work.refusal_details import DETAILS
from companion.games.men_at_work.rules.commands import Command
from companion.games.men_at_work.rules.events import Event

MESSAGES = Messages(commands=get_args(Command), events=get_args(Event), details=DETAILS)
