"""The words and symbols of the screens explained: what a trowel, a letter or a dashed line says."""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.words import Words


@dataclass(frozen=True)
class Term:
    """A word or symbol: its id, and the rule that says more, if one does."""

    id: str
    rule: str = ""


WORKER_TYPES = ("A", "T", "F", "MC")
"""Terms that are named like the worker."""

GROUPS: Sequence[tuple[str, Sequence[Term]]] = (
    (
        "track",
        (
            Term("round", "last_round"),
            Term("trowel", "turns"),
            Term("phases", "turns"),
            Term("done"),
            Term("mallet", "seats"),
        ),
    ),
    (
        "workers",
        (
            *(Term(worker_type) for worker_type in WORKER_TYPES),
            Term("quirks", "event_choices"),
            Term("face_down", "event_choices"),
            Term("dear", "event_wages"),
            Term("card_numbers"),
        ),
    ),
    (
        "contracts",
        (
            Term("contract", "purchase"),
            Term("built"),
            Term("planned", "plans"),
            Term("open", "houses"),
            Term("needs", "teams"),
            Term("premium", "premium"),
        ),
    ),
    (
        "money",
        (
            Term("wage_track", "wage_track"),
            Term("iou", "borrowing"),
            Term("early_late", "repaying"),
            Term("ahead"),
            Term("figure"),
            Term("worth", "reckoning"),
        ),
    ),
    ("players", (Term("shapes"), Term("locked", "plans"))),
    ("companion", (Term("proposal"), Term("journal"), Term("undo", "undoing"), Term("correction", "amending"))),
)
"""All terms, in the order in which a table meets them."""


@dataclass(frozen=True, slots=True)
class ExplainedTerm:
    """A word or symbol explained; ``rule`` and ``rule_title`` are empty where no rule says more."""

    id: str
    title: str
    says: str
    rule: str
    rule_title: str


@dataclass(frozen=True, slots=True)
class TermGroup:
    """Words and symbols about one subject."""

    id: str
    title: str
    terms: list[ExplainedTerm]


def groups(words: Words) -> list[TermGroup]:
    """Return all words and symbols, group by group."""
    return [
        TermGroup(group, words.say_in("term group", group), [_explained(words, term) for term in terms])
        for group, terms in GROUPS
    ]


def _explained(words: Words, term: Term) -> ExplainedTerm:
    return ExplainedTerm(
        id=term.id,
        title=words.say_in("worker" if term.id in WORKER_TYPES else "term", term.id),
        says=words.say_in("term says", term.id),
        rule=term.rule,
        rule_title=words.say_in("rulebook", term.rule) if term.rule else "",
    )
