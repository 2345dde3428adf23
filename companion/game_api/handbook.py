"""The handbook: a game's rules by name, for the page of the rules and for the rule behind each refusal."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.engine.explanation import Source

NO_SOURCE = Source()


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: its id, the chapter it stands in, its source, the ids of the refusals and questions it speaks through.

    Its words stand in the game's ``.po`` files: its title under ``rulebook``, its text under ``rulebook says``.
    """

    id: str
    chapter: str
    source: Source = NO_SOURCE
    refusals: tuple[str, ...] = ()


HOUSE_DETAILS: Mapping[str, Any] = {
    "limit_characters": 40,
    "field": "player",
    "do": "fly",
    "name": "my-box",
    "fault": "\u2026",
    "words": "東京",
    "letters": "東 京",
    "entry": 17,
}
"""Details with which refusals that every game has are shown."""


@dataclass(frozen=True, slots=True)
class Examples:
    """With what refusals are shown as players meet them: names by player, cards, and the details of any and of one.

    Details that refusals of the house have (``HOUSE_DETAILS``) need not be said.
    """

    names: Mapping[str, str]
    catalog: Mapping[str, Any] = field(default_factory=dict[str, Any])
    details: Mapping[str, Any] = field(default_factory=dict[str, Any])
    of_one: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])

    def of(self, refusal: str) -> dict[str, Any]:
        """Return the details with which a refusal is shown."""
        return {**HOUSE_DETAILS, **self.details, **self.of_one.get(refusal, {})}


@dataclass(frozen=True, slots=True)
class Handbook:
    """All rules of a game, chapter by chapter in the order of ``chapters``."""

    chapters: tuple[str, ...]
    rules: tuple[Rule, ...]
    examples: Examples

    def about(self, name: str) -> Rule | None:
        """Find a rule by its id, or by that of a refusal."""
        named = [rule for rule in self.rules if rule.id == name]
        return next(iter(named or [rule for rule in self.rules if name in rule.refusals]), None)


def rule(chapter: str, name: str, texts: str = "", rulings: str = "", refusals: str = "") -> Rule:
    """Make a rule from words with blanks between them."""
    return Rule(name, chapter, Source(tuple(texts.split()), tuple(rulings.split())), tuple(refusals.split()))


HOUSE_RULES = (
    rule("table", "undoing", refusals="nothing_to_undo nothing_to_redo"),
    rule(
        "table",
        "amending",
        refusals="not_standing nothing_amended unconfirmed start_stays amend_reveals secret_refused too_many_amends",
    ),
    rule(
        "table",
        "commands",
        refusals="missing_field no_command not_json utf16 not_started started_already unknown_command unknown_field "
        "not_in_this_game unknown_game wrong_type catalog_faulty letters_missing card_not_stored",
    ),
)
"""What holds at every table, whatever is played; the house has the words."""
