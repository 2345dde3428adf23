"""How a figure of a table came about: the standing entries that changed it, and the rules behind each."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from companion.engine.explanation import Addend, Explainer, Source
from companion.engine.game import Position
from companion.engine.journal import Json
from companion.engine.timeline import fold
from companion.service.ports import Forbidden, UnknownAccount
from companion.service.table.history import EffectiveEntryView
from companion.service.table.table import Table


@dataclass(frozen=True, slots=True)
class ExplainedChange:
    """One change of a figure: in which entry, by which event, how many dollars, how much it was afterwards, why."""

    seq: int
    at: str
    event: Json
    amount: int
    balance: int
    rule: str
    source: Source


@dataclass(frozen=True, slots=True)
class Summand:
    """One thing that a figure of now is the sum of, and where its rule comes from."""

    part: Addend
    source: Source

    @property
    def rule(self) -> str:
        """The rule behind it."""
        return self.part.rule


Cited: TypeAlias = ExplainedChange | Summand
"""Whatever has a rule and where that comes from."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A figure in dollars, what it is the sum of now (where that tells more), and its changes, oldest first."""

    account: str
    balance: int
    parts: tuple[Summand, ...]
    lines: tuple[ExplainedChange, ...]


def explain(table: Table, account: str, viewer: str) -> Explanation:
    """Explain a figure to a viewer; what was undone does not count.

    ``account`` is one of the ledger (``player:blue``, ``bank``) or a figure of the game beside it (``worth:blue``).
    Raises ``UnknownAccount``, or ``Forbidden`` where the
    rules keep it from this viewer.
    """
    explainer = table.game.can.explainer
    positions = list(_positions(table))
    if explainer is None or not positions or not explainer.has(positions[-1][-1], account):
        raise UnknownAccount(account)
    now = positions[-1][-1]
    if explainer.hides(now, account, viewer):
        raise Forbidden
    lines = tuple(_lines(explainer, account, positions))
    parts = tuple(Summand(part, explainer.source(part.rule)) for part in explainer.parts(now, account))
    return Explanation(account, explainer.figure(now, account), parts, lines)


def explanation_json(
    explanation: Explanation, *, event: Callable[[Json], str], rule: Callable[[str], str]
) -> dict[str, Any]:
    """Write an explanation as JSON; ``event`` puts an event into words, ``rule`` a rule's id.

    Of events only the kind is named; the journal has them whole.
    """

    def behind(cited: Cited) -> dict[str, Any]:
        source = cited.source
        texts, rulings = list(source.texts), list(source.rulings)
        return {"rule": cited.rule, "title": rule(cited.rule), "texts": texts, "rulings": rulings}

    return {
        "account": explanation.account,
        "balance": explanation.balance,
        "parts": [{**_part(part.part), **behind(part)} for part in explanation.parts],
        "lines": [
            {"seq": line.seq, "at": line.at, "event": line.event["event"], "detail": event(line.event)}
            | {"amount": line.amount, "balance": line.balance, **behind(line)}
            for line in explanation.lines
        ],
    }


Moment: TypeAlias = "tuple[EffectiveEntryView, Json, Any, Position[Any] | None, Position[Any]]"
"""An entry, one of its events as stored and as the game knows it, the positions before and after."""


def _positions(table: Table) -> Iterator[Moment]:
    """Return the events that stand with the positions around each; only entries of several events are folded again."""
    for entry in table.history.standing():
        before = entry.before
        for number, (stored, event) in enumerate(zip(entry.events, entry.game_events, strict=True), start=1):
            last = number == len(entry.game_events)
            after = entry.after if last else fold(table.game.rules, before, (event,))
            if after is not None:
                yield entry, stored, event, before, after
            before = after


def _lines(explainer: Explainer, account: str, moments: list[Moment]) -> Iterator[ExplainedChange]:
    balance = 0
    for entry, stored, event, before, after in moments:
        for change in explainer.changes(account, before, event, after):
            balance += change.amount
            source = explainer.source(change.rule)
            yield ExplainedChange(entry.seq, entry.at, stored, change.amount, balance, change.rule, source)


def _part(part: Addend) -> dict[str, Any]:
    counted = {name: getattr(part, name) for name in ("card", "count", "each") if getattr(part, name)}
    return {"kind": part.kind, "amount": part.amount, **counted}
