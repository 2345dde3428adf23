"""The past of a table, from its journal: how a figure came about, worth after each round, and earlier positions."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from companion.engine.explanation import Addend, Change, Explainer, Source
from companion.engine.game import BANKER, SPECTATOR, Overview, Position
from companion.engine.journal import Json
from companion.engine.ledger import BANK, player_account
from companion.engine.timeline import fold, position_of
from companion.game_api.manifest import LoadedGame
from companion.game_api.stage import RoundWorth
from companion.service.ports import Forbidden, UnknownAccount, UnknownVersion
from companion.service.table.history import EffectiveEntryView, effective_json, offer_json, open_to
from companion.service.table.table import Table

# How a figure of a table came about: the standing entries that changed it, and the rules behind each.


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


CitedFigure: TypeAlias = ExplainedChange | Summand
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
    A game that explains nothing itself has the money of its players and the bank explained from the ledger, without
    rules.  Raises ``UnknownAccount``, or ``Forbidden`` where the rules keep it from this viewer.
    """
    explainer = _explainer(table.game)
    positions = list(_positions(table))
    if not positions or not explainer.has(positions[-1][-1], account):
        raise UnknownAccount(account)
    now = positions[-1][-1]
    if explainer.hides(now, account, viewer):
        raise Forbidden
    lines = tuple(_lines(explainer, account, positions, _events_shown(table, viewer)))
    parts = tuple(Summand(part, explainer.source(part.rule)) for part in explainer.parts(now, account))
    return Explanation(account, explainer.figure(now, account), parts, lines)


def explained_players(table: Table, viewer: str) -> frozenset[str]:
    """Return the players whose money can be explained to a viewer now."""
    explainer, now = _explainer(table.game), table.position
    if now is None:
        return frozenset()
    players = table.game.rules.players(now)
    return frozenset(player for player in players if _open(explainer, now, player_account(player), viewer))


def _explainer(game: LoadedGame) -> Explainer:
    """Return how the game explains its figures, or else how the ledger does: balances, without parts and rules."""
    return game.can.explainer or Explainer(
        has=partial(_has_account, game),
        hides=partial(_hides_account, game),
        figure=lambda position, account: position.ledger.balance(account),
        parts=lambda *_: (),
        changes=_changes_of_balance,
        source=lambda _: Source(),
    )


def _has_account(game: LoadedGame, position: Position[Any], account: str) -> bool:
    players = {*map(player_account, game.rules.players(position))}
    booked = players.intersection(name for name, _ in position.ledger.balances)
    return account in {BANK, *players} and bool(booked or "money" in game.manifest.conserved)


def _hides_account(game: LoadedGame, position: Position[Any], account: str, viewer: str) -> bool:
    hidden = game.money_hidden_from(position, viewer)
    return bool(hidden) and account in {BANK, *map(player_account, hidden)}


def _changes_of_balance(
    account: str, before: Position[Any] | None, _: object, after: Position[Any]
) -> tuple[Change, ...]:
    amount = after.ledger.balance(account) - (before.ledger.balance(account) if before else 0)
    return (Change(amount, ""),) if amount else ()


def explanation_json(
    explanation: Explanation, *, event: Callable[[Json], str], rule: Callable[[str], str]
) -> dict[str, Any]:
    """Write an explanation as JSON; ``event`` puts an event into words, ``rule`` a rule's id.

    Of events only the kind is named; the journal has them whole.
    """

    def behind(cited: CitedFigure) -> dict[str, Any]:
        source = cited.source
        texts, rulings = list(source.texts), list(source.rulings)
        title = rule(cited.rule) if cited.rule else ""
        return {"rule": cited.rule, "title": title, "texts": texts, "rulings": rulings}

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


Moment: TypeAlias = "tuple[EffectiveEntryView, int, Any, Position[Any] | None, Position[Any]]"
"""An entry, the place of one of its events and the event as the game knows it, the positions before and after."""


def _positions(table: Table) -> Iterator[Moment]:
    """Return the events that stand with the positions around each; only entries of several events are folded again."""
    for entry in table.history.effective_entries():
        before = entry.before
        for place, event in enumerate(entry.game_events):
            last = place == len(entry.game_events) - 1
            after = entry.after if last else fold(table.game.rules, before, (event,))
            if after is not None:
                yield entry, place, event, before, after
            before = after


def _events_shown(table: Table, viewer: str) -> dict[int, Sequence[Json]]:
    """Return the events of each entry as it stands, without what is still secret from a viewer, by entry."""
    return {entry["seq"]: effective_json(entry)["events"] for entry in table.journal(viewer)}


def _lines(
    explainer: Explainer, account: str, moments: list[Moment], shown: Mapping[int, Sequence[Json]]
) -> Iterator[ExplainedChange]:
    balance = 0
    for entry, place, event, before, after in moments:
        for change in explainer.changes(account, before, event, after):
            balance += change.amount
            source = explainer.source(change.rule)
            visible = shown[entry.seq][place]
            yield ExplainedChange(entry.seq, entry.at, visible, change.amount, balance, change.rule, source)


def _part(part: Addend) -> dict[str, Any]:
    counted = {name: getattr(part, name) for name in ("card", "count", "each") if getattr(part, name)}
    return {"kind": part.kind, "amount": part.amount, **counted}


# Worth of every player after each round, computed from the journal.

BEGINNING = 0
"""The number under which the position is told with which the game began."""
MOST_PARTS = 24
"""Maximum number of equal parts in which the evening is told where a game has no rounds."""


def worth_over_rounds(table: Table, viewer: str) -> tuple[RoundWorth, ...]:
    """Return everybody's worth at the start and after each round, in turn order; what was undone does not count.

    Whose money the rules keep from this viewer now is left out.  Empty before the start, and where a game
    has no rounds or does not say what its players are worth.
    """
    game = table.game
    explainer, now = game.can.explainer, table.position
    if explainer is None or now is None:
        return ()
    shown = [player for player in game.rules.players(now) if _open(explainer, now, f"worth:{player}", viewer)]
    return tuple(
        RoundWorth(number, {player: explainer.figure(position, f"worth:{player}") for player in shown})
        for number, position in _ends(table)
    )


def scores_over_evening(table: Table) -> tuple[RoundWorth, ...]:
    """Return everybody's deciding figure over the rounds, or over parts of the evening in a game without rounds.

    Empty before the end, where all is open, and in games that do not say how they would score.
    """
    game, now = table.game, table.position
    if game.can.scores is None or now is None or not game.rules.overview(now).finished:
        return ()
    players, scores = game.rules.players(now), game.can.scores
    samples: list[RoundWorth] = []
    for number, position in _ends(table) or _parts(table):
        # Nothing is secret once the game is over.
        figures = {row.player: row.figures[0][1] for row in scores(position, BANKER) if row.figures}
        if set(figures) == set(players):
            samples.append(RoundWorth(number, {player: figures[player] for player in players}))
    return tuple(samples)


def _parts(table: Table) -> list[tuple[int, Position[Any]]]:
    """Return the first position, and the last one of each of some equal parts of the evening."""
    positions = [entry.after for entry in table.history.effective_entries()]
    parts = min(MOST_PARTS, len(positions) - 1)
    return [(number, positions[number * (len(positions) - 1) // parts]) for number in range(parts + 1)] if parts else []


def worth_now(table: Table, viewer: str) -> dict[str, int]:
    """Return the worth of each player in dollars, in turn order, without players whose money is hidden."""
    explainer, now = table.game.can.explainer, table.position
    if explainer is None or now is None:
        return {}
    accounts = {player: f"worth:{player}" for player in table.game.rules.players(now)}
    return {
        player: explainer.figure(now, account)
        for player, account in accounts.items()
        if _open(explainer, now, account, viewer)
    }


def _open(explainer: Explainer, now: Position[Any], account: str, viewer: str) -> bool:
    return explainer.has(now, account) and not explainer.hides(now, account, viewer)


def _ends(table: Table) -> list[tuple[int, Position[Any]]]:
    """Return the first position, and the last one of every round.

    A round may end in the midst of an entry, whose events lead on into the next one: only such an entry is looked
    into event by event.
    """
    game, last = table.game.rules, dict[int, Position[Any]]()
    begun: int | None = None
    for entry in table.history.effective_entries():
        now = game.overview(entry.after).round
        passed = [entry.after] if begun == now else _through(table, entry.before, entry.game_events)
        for position in passed:
            number = now if position is entry.after else game.overview(position).round
            if number is not None:
                last.setdefault(BEGINNING, position)
                last[number] = position
        begun = now
    return list(last.items())


def _through(table: Table, before: Position[Any] | None, events: tuple[Any, ...]) -> list[Position[Any]]:
    passed: list[Position[Any]] = []
    for event in events:
        before = fold(table.game.rules, before, (event,))
        if before is not None:
            passed.append(before)
    return passed


def worth_json(rounds: Sequence[RoundWorth]) -> dict[str, Any]:
    """Write them for programs."""
    return {"rounds": [{"round": worth.round, "worth": dict(worth.worth)} for worth in rounds]}


# How a table stood after any of its entries, undone ones among them.


def position_json_at(table: Table, version: int, viewer: str) -> dict[str, Any]:
    """Show the position right after an entry, as this viewer could have seen it then; nothing can be done there.

    What was secret then stays so, also when it has been revealed since.  Raises ``UnknownVersion``.
    """
    steps = table.history.steps
    if not 1 <= version <= len(steps):
        raise UnknownVersion(version)
    step = steps[version - 1]
    position = position_of(step.line if step else None)
    shown = None if position is None else table.game.view(position, viewer)
    return {"version": version, "position": shown, "offers": []}


def overview_at(table: Table, version: int) -> Overview:
    """Outline the position right after an entry; ``UnknownVersion``."""
    steps = table.history.steps
    step = steps[version - 1] if 1 <= version <= len(steps) else None
    if step is None:
        raise UnknownVersion(version)
    return table.game.rules.overview(step.line.position)


def position_json_before(table: Table, entry: int, viewer: str) -> dict[str, Any] | None:
    """Show the position that a standing entry met, and what could have been done there instead; ``None``: no game yet.

    What was amended below the entry counts: it is what another command in its place would be decided by.
    """
    position, game = table.position_before(entry), table.game.rules
    if position is None:
        return None
    offers = [offer_json(offer) for offer in open_to(game, position, BANKER)]
    return {"position": table.game.view(position, viewer), "offers": offers, "overview": game.overview(position)}


def offers_as_known(table: Table, shown: Sequence[Json]) -> tuple[Json, ...]:
    """Return the offers of everybody as anyone may know them, whatever hidden purses hold, instead of those ``shown``.

    What a player cannot pay is among them: the rules refuse it to whoever tries.  An offer that only an empty purse has
    stays, for the game may wait for it.  Whom the game waits for, and what it expects, everybody knows: nobody else is
    asked for anything that is due.
    """
    position, overview, game = table.position, table.overview, table.game
    if position is None or overview is None or not game.money_hidden_from(position, SPECTATOR):
        return tuple(shown)
    settled = [_settled(offer) for offer in shown]
    asked = [
        offer_json(offer)
        for offer in open_to(game.rules, game.as_known(position, SPECTATOR), BANKER)
        if offer.urgency != "due"
        or (offer.player in overview.waiting_for and offer.do in overview.expects)
        or _settled(offer_json(offer)) in settled
    ]
    offered = [_settled(offer) for offer in asked]
    return (*asked, *(offer for offer in shown if _settled(offer) not in offered))


def _settled(offer: Json) -> Json:
    return {key: value for key, value in offer.items() if key not in ("fields", "urgency")}
