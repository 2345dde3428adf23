"""Which games of bots are kept: their rules and variants, so that every end, switch and kind of command is met."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.games import men_at_work, monopoly_builder

GAMES = {module.GAME.name: module.GAME for module in (men_at_work, monopoly_builder)}


@dataclass(frozen=True)
class Recipe:
    """One game: who plays how, by which rules, and what is shuffled."""

    game: str
    name: str
    seed: int
    strengths: Sequence[str]
    rules: Mapping[str, str | bool | int] = field(default_factory=dict)
    variants: Sequence[str] = ()
    taken_over: Mapping[str, Any] | None = None
    """A game already begun, with this changed in its position; and first all beginnings that are refused."""


RECIPES = (
    Recipe("men_at_work", "as_printed", 3, ("middle", "steady")),
    Recipe("men_at_work", "only_one_left", 2, ("trembling",) * 3),
    Recipe(
        "men_at_work",
        "five_players",
        5,
        ("trembling", "middle", "steady", "trembling", "middle"),
        {"boss_at": "half", "award_after_accident": "asked"},
    ),
    Recipe("men_at_work", "foreman", 8, ("middle",) * 3, {"foreman_plays": "any"}, ("foreman",)),
    Recipe("men_at_work", "skyscraper", 11, ("steady",) * 3, {"exhausted": "one_kind"}, ("skyscraper", "foreman")),
    Recipe(
        "men_at_work", "crane", 13, ("trembling",) * 4, {"two_ends": "stop_first", "eliminated": "by_total"}, ("crane",)
    ),
    Recipe("men_at_work", "without_counts", 17, ("middle",) * 3, {"counts": False, "cleaning_accident": "turn_only"}),
    Recipe("men_at_work", "taken_over", 19, ("middle",) * 2, taken_over={}),
    Recipe("monopoly_builder", "taken_over", 8, ("middle", "random"), taken_over={}),
    Recipe("monopoly_builder", "as_printed", 3, ("strong", "middle", "random")),
    Recipe("monopoly_builder", "four_players", 4, ("strong", "strong", "middle", "random"), {"deeds": "shuffled"}),
    Recipe("monopoly_builder", "two_players", 7, ("random", "random"), {"rent": "auto"}),
)
