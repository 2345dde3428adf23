"""What a camera looks for besides the cards of its table: cards of other games, and dice."""

from collections.abc import Callable
from dataclasses import dataclass

from companion.service.sight.dice_eye import DiceEye
from companion.service.sight.strangers import Strangers
from companion.service.table.table import Table


@dataclass(frozen=True, slots=True)
class Others:
    """How a table's other eyes are made: beside a game with these letters on its labels, for so many dice."""

    strangers: Callable[[str], Strangers] | None = None
    dice: Callable[[int], DiceEye] | None = None

    def beside(self, label_code: str, dice: int) -> tuple[Strangers | None, DiceEye | None]:
        """Make those of a table."""
        return (
            None if self.strangers is None else self.strangers(label_code),
            None if self.dice is None or not dice else self.dice(dice),
        )


NO_OTHERS = Others()


def awaits_dice(table: Table) -> bool:
    """Say whether anybody is asked for a throw now."""
    return any(field["kind"] == "dice" for offer in table.offers("banker") for field in offer["fields"].values())
