"""The rules in words: chapter by chapter, each with its source and with what the companion says when it says no."""

from collections.abc import Mapping
from typing import Any

from companion.games.master_builder.face.house_rules import PHASES
from companion.games.master_builder.rules.rulebook import CHAPTERS, RULES, Rule
from companion.words import Words

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
    "name": "my-box",
    "fault": "\u2026",
    "field": "player",
    "do": "fly",
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
    "name_length": {"limit_characters": 24},
    "not_standing": {"entry": 17},
    "no_such_round": {"round": 8, "last": 6},
    "last_round_cannot_be": {"round": 4, "last": 3},
    "premium_cannot_be": {"amount": 3_000, "premium": 5_000},
    "money_does_not_add_up": {"amount": 691_000, "money": 695_000, "missing": 4_000},
    "more_money_than_in_the_box": {"amount": 702_000, "money": 695_000},
    "wage_of_nobody": {"card": "W07"},
    "wage_cannot_be": {"card": "W07", "wage": 500},
    "in_two_places": {"card": "W07", "places": ("blue", "yellow")},
    "cash_cannot_be": {"amount": 1_500},
    "event_hand_cannot_be": {"count": 3, "largest": 2},
    "more_contracts_than_there_are": {"count": 9, "playing": 8},
    "economy_deck_cannot_be": {"count": 4, "turned": 2, "playing": 5},
    "no_such_lap": {"lap": 4, "laps": 3},
    "reveal_cannot_be": {"count": 4, "left": 2},
    "disagrees": {"field": "players.blue.wages", "said": 12_000, "follows": 14_000},
    "belongs_to_phase": {"field": "lent"},
    "no_such_effect": {"card": "Town fair"},
    "position_faulty": {
        "faults": ({"rule": "in_two_places", "details": {"card": "W07", "places": ("blue", "yellow")}},)
    },
}
"""Figures that a refusal of its own needs."""


def chapters(words: Words) -> list[dict[str, Any]]:
    """Tell all rules, in the order of a game."""
    rows = [
        {
            "id": one,
            "title": chapter(words, one),
            "rules": [rule(words, rule_) for rule_ in RULES if rule_.chapter == one],
        }
        for one in CHAPTERS
    ]
    return [one for one in rows if one["rules"]]


def chapter(words: Words, name: str) -> str:
    """Name a chapter: a phase, or what is before, after and beside them."""
    return words.say_in("phase" if name in PHASES else "chapter", name)


def rule(words: Words, one: Rule) -> dict[str, Any]:
    """Tell one rule."""
    texts = [text.replace("-", "\u2013") for text in one.source.texts]
    return {
        "id": one.id,
        "chapter": chapter(words, one.chapter),
        "title": words.say_in("rulebook", one.id),
        "says": words.say_in("rulebook says", one.id),
        "sources": ", ".join([*texts, *one.source.rulings]),
        "refusals": [{"id": refusal, "says": spoken(words, refusal)} for refusal in one.refusals],
    }


def spoken(words: Words, refusal: str) -> str:
    """Say a refusal as players might have met it."""
    details = {**EXAMPLE, "card": "W07" if refusal in OF_WORKERS else "C03", **OTHERWISE.get(refusal, {})}
    return words.refusal(refusal, details, NAMES, CATALOG)
