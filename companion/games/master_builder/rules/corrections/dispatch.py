"""What the banker alone may ask for, at any moment of a game."""

from companion.games.master_builder.rules.commands import (
    CorrectCard,
    CorrectMoney,
    CorrectTurn,
    CountCash,
    RenamePlayer,
    ReplacePlayer,
)
from companion.games.master_builder.rules.corrections import money_and_cards as corrections
from companion.games.master_builder.rules.corrections import turn as turn_corrections
from companion.games.master_builder.rules.events import Event
from companion.games.master_builder.rules.state import Here

Correction = CorrectMoney | CorrectCard | CorrectTurn | CountCash | RenamePlayer | ReplacePlayer
CORRECTIONS = (CorrectMoney, CorrectCard, CorrectTurn, CountCash, RenamePlayer, ReplacePlayer)


def put_right(here: Here, command: Correction) -> list[Event]:
    """Put the books right, or the names; raises ``Refused``."""
    match command:
        case CorrectMoney():
            return [corrections.money(here, command)]
        case CorrectCard():
            return [corrections.card(here, command)]
        case CorrectTurn():
            return turn_corrections.turn(here, command)
        case CountCash():
            return [corrections.count(here, command)]
        case RenamePlayer():
            return [corrections.rename(here, command)]
        case _:
            return [corrections.replace_player(here, command)]
