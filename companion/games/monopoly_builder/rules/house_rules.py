"""The house rules of Monopoly Builder: the first value of each is the default."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Rules:
    """The house rules of a table (the keys of the rulings MO-D03 to D48)."""

    first_player: Literal["dice", "chosen"] = "dice"
    deeds: Literal["beside", "shuffled"] = "beside"
    set_doubles_chips: bool = False
    shortage: Literal["in_turn", "nobody"] = "in_turn"
    third_double: Literal["nothing", "gathers"] = "nothing"
    trade_cards: Literal["all", "jail_only"] = "all"
    bank_trade: Literal["after_move", "whole_turn"] = "after_move"
    decliner_bids: bool = True
    auction_pass: Literal["until_raised", "final"] = "until_raised"  # noqa: S105 - to pass, not to pass in
    rent: Literal["on_demand", "auto"] = "on_demand"
    forced_trade: Literal["any_time", "own_turn"] = "any_time"
    third_failure: Literal["roll_again", "move_with_it"] = "roll_again"
    jail_double: Literal["no_turn", "extra_turn"] = "no_turn"
    jail_bank_trade: bool = True
    mortgage: Literal["any_time", "in_debt"] = "any_time"
    last_solvent: Literal["ends", "plays_on"] = "ends"
    mortgaged_set_scores: bool = True
    bonus_ties: Literal["all", "nobody"] = "all"
    money: Literal["open", "hidden"] = "open"

    @property
    def passes_are_final(self) -> bool:
        """Return whether who has passed in an auction may not come back."""
        return self.auction_pass == "final"  # noqa: S105 - as above
