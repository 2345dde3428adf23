"""The golden games that are played by steering: who sits there, by which rules, and how they play."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from companion.games.master_builder.ui.house_rules import summary_rules

Switches: TypeAlias = Mapping[str, str | bool | int]

TWO, THREE, FOUR = ("blue", "yellow"), ("red", "blue", "green"), ("green", "red", "yellow", "blue")
QUIET = ("E16", "E02", "E05", "E03", "E10", "E06")
"""Events that cost apprentices nothing."""
NONE_UP = ("Y01", "Y02", "Y03", "Y10", "Y04")
ALL_UP = ("Y08", "Y11", "Y06", "Y07", "Y05")
MIXED = ("F", "MC", "T", "A", "T")


@dataclass(frozen=True)
class Recipe:
    """How one game is steered; what it leaves open is drawn by lot.

    ``crew``: the types hired in round 1; ``keen`` and ``raises``: how often somebody opens, and bids more; ``opening``:
    what is bid above the lowest bid, in thousands; ``stir``: how often an opportunity is used from round 2 on;
    ``mishaps``: how often something must be put right; ``free_loans``: how often somebody borrows unforced;
    ``levelled``: at the end the banker finds so much money of the second that they draw level.
    """

    name: str
    says: str
    seats: tuple[str, ...]
    seed: int
    rules: Switches = field(default_factory=dict[str, str | bool])
    variants: tuple[str, ...] = ()
    crew: tuple[str, ...] = MIXED
    economy: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    contracts: tuple[str, ...] = ()
    keen: float = 0.6
    raises: float = 0.4
    opening: int = 1
    stir: float = 0.2
    mishaps: float = 0.0
    builds: bool = True
    free_loans: float = 0.0
    levelled: bool = False


SECOND_VALUES: Switches = {
    "hire_fire": "until_all_pass",
    "first_player": "chosen",
    "round1_draft": "snake",
    "wage_overflow": "full",
    "after_pass": "end_phase",
    "premium_funds_bid": True,
    "uncontested_price": "printed",
    "unsold": "keep_forever",
    "plans": "open",
    "roof_timing": "next_phase",
    "roof_pair": "together",
    "city_wall_order": "free",
    "loans": "voluntary_phase5",
    "iou_supply": "limited",
    "late_when": "deck_and_display_empty",
    "money": "hidden",
    "removed_counts_for_end": False,
    "unstarted_pays": False,
    "final_rate": "always_late",
    "tie_break": "fewer_loans",
    "event_debt": "loan",
}
PRINTED: Switches = {
    "hire_fire": "three",
    "first_player": "random",
    "round1_draft": "lap",
    "wage_overflow": "cap",
    "after_pass": "move_left",
    "premium_funds_bid": False,
    "uncontested_price": "bid",
    "unsold": "premium_then_remove",
    "plans": "secret",
    "roof_timing": "same_phase",
    "roof_pair": "separate",
    "city_wall_order": "strict",
    "loans": "wages_only",
    "iou_supply": "unlimited",
    "late_when": "deck_empty",
    "money": "open",
    "removed_counts_for_end": True,
    "unstarted_pays": True,
    "final_rate": "as_usual",
    "tie_break": "shared",
    "event_debt": "cap",
}

RECIPES = (
    Recipe("six_rounds_2_players", "Full rules, two players, all six rounds", TWO, 11, economy=NONE_UP, mishaps=0.05),
    Recipe(
        "six_rounds_3_players",
        "Full rules, three players, all six rounds",
        THREE,
        12,
        economy=NONE_UP,
        events=("E11", "E15", "E08", "E04", "E09", "E16"),
    ),
    Recipe(
        "six_rounds_4_players",
        "Every switch as printed and said so, four players, all six rounds",
        FOUR,
        13,
        rules=PRINTED,
        events=("E01", "E15", "E10", "E13", "E14", "E07"),
        crew=("F", "A", "MC", "T", "A"),
        economy=("Y05", "Y03", "Y02", "Y10", "Y04"),
    ),
    Recipe(
        "summary_rules",
        "The preset Summary rules, three players",
        THREE,
        14,
        rules=summary_rules(),
        events=("E12", "E03", "E08", "E09", "E15", "E02"),
        stir=0.15,
    ),
    Recipe(
        "last_contract_in_round_2",
        "Two buyers take everything in round 2: the game ends after round 3",
        TWO,
        15,
        economy=ALL_UP,
        crew=("A", "T", "A", "T", "A"),
        keen=1.0,
        raises=0.0,
    ),
    Recipe(
        "last_contract_in_round_3",
        "What nobody wanted is removed in round 3: the game ends after round 4",
        THREE,
        16,
        economy=ALL_UP,
        crew=("A", "T", "A", "T", "F"),
        keen=0.4,
    ),
    Recipe(
        "last_contract_in_round_4",
        "Four players empty the display in round 4: the game ends after round 5",
        FOUR,
        17,
        economy=("Y05", "Y05", "Y06", "Y11", "Y08"),
        keen=1.0,
        events=("E01", "E03", "E06", "E07", "E09"),
    ),
    Recipe(
        "last_contract_in_round_5",
        "The last contract goes in round 5: six rounds all the same",
        TWO,
        18,
        economy=("Y01", "Y10", "Y03", "Y08", "Y05"),
        crew=("A", "T", "A", "T", "F"),
        keen=1.0,
        raises=0.1,
    ),
    Recipe(
        "last_contract_in_round_6",
        "The last contract goes in round 6",
        TWO,
        19,
        economy=("Y01", "Y02", "Y03", "Y10", "Y08"),
        crew=("A", "T", "A", "A", "A"),
        keen=1.0,
        raises=0.0,
        stir=0.1,
    ),
    Recipe(
        "shared_victory",
        "Two who do the same end with the same: the victory is shared",
        TWO,
        20,
        economy=NONE_UP,
        events=QUIET,
        contracts=("C02", "C03", "C04"),
        crew=("A",),
        keen=0.0,
        raises=0.0,
        stir=0.0,
        builds=False,
    ),
    Recipe(
        "negative_worth",
        "Masters who never build: everybody ends below nothing",
        THREE,
        21,
        economy=NONE_UP,
        events=("E03", "E10", "E12", "E14", "E13", "E04"),
        crew=("MC", "F"),
        keen=0.3,
        stir=0.0,
        builds=False,
    ),
    Recipe(
        "hard_reckoning",
        "What is not begun pays nothing, and every loan is late at the end though contracts are left",
        TWO,
        31,
        rules={"unstarted_pays": False, "final_rate": "always_late"},
        economy=NONE_UP,
        contracts=("C12", "C03", "C04"),
        crew=("MC", "F", "T"),
        keen=0.8,
        raises=0.0,
        stir=0.05,
        builds=False,
    ),
    Recipe(
        "kept_contracts",
        "Contracts stay on display for ever, so loans are never late",
        TWO,
        32,
        rules={"late_when": "deck_and_display_empty", "unsold": "keep_forever"},
        economy=ALL_UP,
        crew=("MC", "F"),
        keen=0.1,
        stir=0.05,
    ),
    Recipe(
        "second_values",
        "Every switch at its second value, four players",
        FOUR,
        29,
        rules=SECOND_VALUES,
        events=("E14", "E12", "E15", "E10", "E13", "E09"),
        crew=("F", "MC", "T", "A", "F"),
        economy=("Y05", "Y04", "Y06", "Y08", "Y03"),
        free_loans=0.3,
        stir=0.15,
        levelled=True,
    ),
    Recipe(
        "third_values",
        "Every switch that has one at its third value, three players",
        THREE,
        23,
        rules={
            "wage_overflow": "dismiss",
            "after_pass": "return_to_start",
            "loans": "voluntary_anytime_but_phase2",
            "tie_break": "more_buildings",
        },
        events=("E10", "E12", "E09", "E15", "E01", "E12"),
        crew=("MC", "MC", "F", "MC", "F"),
        stir=0.7,
        free_loans=0.05,
        levelled=True,
    ),
    Recipe(
        "removed_does_not_count",
        "Something was removed and does not count as gone: six rounds though nothing is left",
        TWO,
        24,
        rules={"removed_counts_for_end": False},
        economy=ALL_UP,
        crew=("A", "T", "A", "A", "A"),
        keen=0.4,
        stir=0.1,
    ),
    Recipe(
        "choosing_workers", "Variant V1: looking through the piles", THREE, 25, variants=("choosing_workers",), stir=0.5
    ),
    Recipe(
        "selective_events_2_players", "Variant V2 with two: the hands run out", TWO, 26, variants=("selective_events",)
    ),
    Recipe("loaning_workers", "Variant V3: workers are lent", THREE, 27, variants=("loaning_workers",)),
    Recipe("additional_events", "Variant V4: two events a round", TWO, 28, variants=("additional_events",)),
    Recipe(
        "selective_and_additional_events",
        "Variants V2 and V4 together: one event from the hand, one from the deck",
        THREE,
        29,
        variants=("selective_events", "additional_events"),
    ),
    Recipe(
        "all_variants_with_mishaps",
        "All four variants with four players, and an evening full of mistakes",
        FOUR,
        30,
        variants=("choosing_workers", "selective_events", "loaning_workers", "additional_events"),
        mishaps=0.12,
    ),
)
