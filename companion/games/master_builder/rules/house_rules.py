"""The house rules of Master Builder, in groups; the default is the rule as printed.

A field added here needs a default that means the behaviour before it existed.
"""

from dataclasses import dataclass
from typing import Literal

from companion.game_api.house_rules import rule

VARIANTS = ("choosing_workers", "selective_events", "loaning_workers", "additional_events")
GROUPS = ("start", "hire", "contracts", "events", "build", "income", "end")
"""The groups in the order in which the lobby shows them: phases, and what comes before and after."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules in force, written into the game's first event.

    ``sources`` name the text that says so, where one does; all other values fill what the texts leave open.
    """

    hire_fire: Literal["three", "until_all_pass"] = rule(
        "three", group="hire", sources={"three": "full", "until_all_pass": "summary"}
    )
    first_player: Literal["random", "chosen"] = rule(
        "random", group="start", sources={"random": "summary", "chosen": "full"}
    )
    round1_draft: Literal["lap", "snake"] = rule("lap", group="start")
    wage_overflow: Literal["cap", "full", "dismiss"] = rule("cap", group="hire", sources={"cap": "full"})
    after_pass: Literal["move_left", "end_phase", "return_to_start"] = rule("move_left", group="contracts")
    premium_funds_bid: bool = rule(default=False, group="contracts")
    uncontested_price: Literal["bid", "printed"] = rule(
        "bid", group="contracts", sources={"bid": "french", "printed": "english"}
    )
    unsold: Literal["premium_then_remove", "keep_forever"] = rule(
        "premium_then_remove", group="contracts", sources={"premium_then_remove": "both"}
    )
    plans: Literal["secret", "open"] = rule("secret", group="build")
    roof_timing: Literal["same_phase", "next_phase"] = rule("same_phase", group="build")
    roof_pair: Literal["separate", "together"] = rule("separate", group="build")
    city_wall_order: Literal["strict", "free"] = rule("strict", group="build", sources={"strict": "both"})
    loans: Literal["wages_only", "voluntary_phase5", "voluntary_anytime_but_phase2"] = rule(
        "wages_only", group="income"
    )
    iou_supply: Literal["unlimited", "limited"] = rule("unlimited", group="income")
    late_when: Literal["deck_empty", "deck_and_display_empty"] = rule(
        "deck_empty", group="income", sources={"deck_empty": "full", "deck_and_display_empty": "summary"}
    )
    money: Literal["open", "hidden"] = rule("open", group="start")
    removed_counts_for_end: bool = rule(default=True, group="end")
    unstarted_pays: bool = rule(default=True, group="end")
    final_rate: Literal["as_usual", "always_late"] = rule("as_usual", group="end")
    tie_break: Literal["shared", "fewer_loans", "more_buildings"] = rule("shared", group="end")
    event_debt: Literal["cap", "loan"] = rule("cap", group="events")
