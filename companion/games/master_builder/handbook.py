"""The handbook: all rules, and the figures with which their refusals are shown."""

from collections.abc import Mapping
from typing import Any

from companion.game_api.handbook import Examples, Handbook
from companion.games.master_builder.rules.rulebook import CHAPTERS, RULES

NAMES = {"blue": "Ada", "yellow": "Ben"}
CATALOG: Mapping[str, Any] = {
    "contracts": {"C03": {"name": "Inn", "names": {"fr": "Auberge", "de": "Gasthaus"}}},
    "workers": {"W07": {"type": "F"}},
}
EXAMPLE: Mapping[str, Any] = {
    "player": "blue",
    "owner": "yellow",
    "waiting": ("yellow",),
    "card": "C03",
    "section": "roof-1",
    "code": ("F", "A"),
    "choices": ("W07",),
    "type": "F",
    "amount": 9_000,
    "bid": 7_000,
    "loan": "small",
    "phase": "build",
    "wages": 31_000,
    "limit": 30_000,
    "count": 2,
    "due": 2,
    "key": "roof_colour",
    "value": "maybe",
    "allowed": ("true", "false"),
    "variant": "flying_workers",
}
"""Figures with which a refusal is shown."""

OF_WORKERS = frozenset({"not_your_worker", "worker_face_down", "worker_lent", "worker_not_free", "worker_taken"}) | {
    "worker_not_among_them",
    "worker_twice",
    "unknown_worker",
}
OTHERWISE: Mapping[str, Mapping[str, Any]] = {
    "bid_below_cost": {"least": 2_000},
    "bid_too_low": {"least": 8_000},
    "number_of_players": {"least": 2, "most": 4},
    "no_such_round": {"round": 8, "last": 6},
    "last_round_cannot_be": {"round": 4, "last": 3},
    "premium_cannot_be": {"amount": 3_000, "premium": 5_000},
    "money_does_not_add_up": {"amount": 691_000, "money": 695_000, "missing": 4_000},
    "more_money_than_in_the_box": {"amount": 702_000, "money": 695_000},
    "must_borrow_for_wages": {"missing": 6_000},
    "bound_by_bid": {"kept": 7_000},
    "wage_of_nobody": {"card": "W07"},
    "wage_cannot_be": {"card": "W07", "wage": 500},
    "in_two_places": {"card": "W07", "places": ("blue", "yellow")},
    "cash_cannot_be": {"amount": 1_500},
    "event_hand_cannot_be": {"count": 3, "largest": 2},
    "more_contracts_than_there_are": {"count": 9, "playing": 8},
    "economy_deck_cannot_be": {"count": 4, "turned": 2, "playing": 5},
    "no_such_lap": {"lap": 4, "laps": 3},
    "passes_cannot_be": {"count": 9, "most": 3},
    "reveal_cannot_be": {"count": 4, "left": 2},
    "disagrees": {"field": "players.blue.wages", "said": 12_000, "follows": 14_000},
    "belongs_to_phase": {"field": "lent"},
    "no_such_effect": {"card": "Town fair"},
    "position_faulty": {
        "faults": ({"rule": "in_two_places", "details": {"card": "W07", "places": ("blue", "yellow")}},)
    },
}
"""Figures that a refusal of its own needs."""


HANDBOOK = Handbook(
    CHAPTERS,
    RULES,
    Examples(NAMES, CATALOG, EXAMPLE, {**{refusal: {"card": "W07"} for refusal in OF_WORKERS}, **OTHERWISE}),
)
