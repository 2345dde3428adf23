"""The report of random games of a game: faults, and remarks on what its author may have meant otherwise."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from traceback import walk_tb
from typing import Any

from babel.messages.pofile import read_po

from companion.bootstrap.games import NEARLY
from companion.game_api.guard import own_calls
from companion.game_api.manifest import COLOURS, Manifest
from companion.game_api.messages import field_types, verb_of

ENDING = 0.5
"""At least this share of the games has to reach an end."""
ENDLESS, ENDLESS_WHEN_SLOW = 4, 2
"""Number of games without an end from which on hardly any game seems to have one; of games that take long."""
SELDOM_ENDING = 0.25
"""Hardly any game reaches an end where less than this share of them does."""
SLOW_S = 60.0
"""Seconds after which what was played is long."""
ENOUGH_GAMES = 50
"""Number of games from which on something that was not met counts as never happening."""
_LONGEST_FIELDS = 100
_MOST_NAMED = 6
_VIEWERS = "|".join((*COLOURS, "banker", "spectator"))
_IDS = re.compile(rf"\b(?:{_VIEWERS}|[A-Z]{{1,2}}[0-9]+)\b|-?[0-9][0-9,]*|\([^()]*\)|\{{'.*")
"""Viewers, cards, figures, brackets and events as JSON: faults that differ in these alone are one."""


@dataclass
class TrialReport:
    """Store the faults of all games, each with the seed of the first game that had it, and what was met in them."""

    faults: dict[str, int] = field(default_factory=dict[str, int])
    offered: set[str] = field(default_factory=set[str])
    bankers: set[str] = field(default_factory=set[str])
    """Verbs of commands that only the banker may give."""
    taps: dict[str, bool] = field(default_factory=dict[str, bool])
    """Kinds of commands that cells and cards name, and whether one of each was offered where it was shown."""
    games: int = 0
    given_up: int = 0
    ended: int = 0
    happened: set[str] = field(default_factory=set[str])
    """Names of the events of all games."""
    effective: set[str] = field(default_factory=set[str])
    """Names of events that changed the state or moved money."""
    phases: set[str] = field(default_factory=set[str])
    names: set[str] = field(default_factory=set[str])
    """Names of all members of the cards and of the views."""
    of_no_kind: tuple[str, ...] = ()
    """Cards of the catalog that are of none of the game's kinds."""
    payments: dict[str, str] = field(default_factory=dict[str, str])
    """The first event of each name that moved money, with what each account gained or lost by it."""

    unpaid: dict[str, int] = field(default_factory=dict[str, int])
    """Names of events of the plug-in API that say a price and moved no money, with the price."""

    @property
    def is_large(self) -> bool:
        """Return whether so much was played that what was not met can be said never to happen."""
        return self.games >= ENOUGH_GAMES and self.ended >= ENDING * self.games

    def is_endless(self, seconds: float) -> bool:
        """Return whether hardly any game reached an end, so that the others need not be played.

        Args:
            seconds: how long the games have taken.

        """
        ended = self.games - self.given_up
        if self.given_up < ENDLESS_WHEN_SLOW or ended >= SELDOM_ENDING * self.games:
            return False
        return seconds > SLOW_S or (self.given_up >= ENDLESS and not ended)


def alike_faults(faults: Mapping[str, int]) -> list[tuple[str, int, int]]:
    """Return the first fault of each kind with its seed and how many there are that differ in ids and figures alone."""
    kinds: dict[str, list[tuple[str, int]]] = {}
    for fault, seed in faults.items():
        kinds.setdefault(_IDS.sub("", fault.partition(" (phase ")[0]), []).append((fault, seed))
    return [(*alike[0], len(alike)) for alike in kinds.values()]


def never_happened(manifest: Manifest, report: TrialReport) -> Iterator[str]:
    """Yield the events of the game's own that no game had, unless something that is never offered may lead to them."""
    for name in _own_events(manifest):
        if name not in report.happened and not _beyond_offers(manifest, report):
            yield f"the event {name} happens in no game: nothing that was offered leads to it"


def _beyond_offers(manifest: Manifest, report: TrialReport) -> list[str]:
    """Return the commands that are never offered and that not every game has: take-overs and corrections."""
    return sorted({*manifest.beginnings, *report.bankers} - {"start_game", "rename_player"})


def never_offered(manifest: Manifest, report: TrialReport) -> Iterator[str]:
    """Yield the commands of players that were offered in no position of any game."""
    verbs = {verb_of(kind) for kind in manifest.messages().commands} - {*manifest.beginnings}
    for verb in sorted(verbs - report.offered - report.bankers):
        yield f"the command {verb} is offered in no position that was reached"
    for tap in sorted(tap for tap, was_offered in report.taps.items() if not was_offered):
        yield f"a tap gives {tap}, and no position that was reached offers such a command"


def remarks(manifest: Manifest, report: TrialReport) -> Iterator[str]:
    """Yield what may be meant: events that change nothing, and words for a phase or field that nearly is another."""
    beyond = ", ".join(_beyond_offers(manifest, report)) if report.is_large else ""
    yield from _idle_events(manifest, report)
    if report.payments and "money" not in manifest.conserved:
        yield f'{next(iter(report.payments))} moves money, and the manifest does not say conserved=("money",)'
    for name in _own_events(manifest):
        if beyond and name not in report.happened:
            yield f"the event {name} happens in no game by what is offered: only {beyond} may lead to it"
    if report.of_no_kind:
        yield f"of no kind of card are {', '.join(report.of_no_kind[:_MOST_NAMED])}: no page asks for them by a kind"
    if not report.is_large or manifest.words is None or not (manifest.words / "en.po").is_file():
        return
    messages = manifest.messages()
    fields = {name for kind in (*messages.commands, *messages.events) for name in field_types(kind)}
    met = {"phase": report.phases, "field": fields | report.names}
    with (manifest.words / "en.po").open("rb") as source:
        words = [(message.context or "", str(message.id)) for message in read_po(source)]
    for context, name in words:
        names = met.get(context, {name})
        for nearest in get_close_matches(name, names - {name}, 1, NEARLY) if name not in names else ():
            yield f"en.po has words for the {context} {name}, which was met in no game, and {nearest} was"


def _idle_events(manifest: Manifest, report: TrialReport) -> Iterator[str]:
    """Yield the events that change nothing, or do not move the money that they tell of."""
    idle = report.happened - report.effective - _SHOWN_ONLY
    for name in (kind.__name__ for kind in manifest.messages().events if kind.__name__ in idle):
        if name == "Traded":
            yield "the event Traded moves no card in any game, which changed has to do"
        else:
            yield f"the event {name} changes neither the state nor money in any game"
    for name, price in report.unpaid.items():
        yield f"the event {name} says {price} and moves no money: account_for leaves out super().account_for(event)"


_SHOWN_ONLY = frozenset({"BidsOpened"})
"""Events of the plug-in API that change nothing, whatever a game makes of them."""


def moves_cards(event: Mapping[str, Any]) -> bool:
    """Return whether an event of game_api moves cards, which is for the game to do, beside money, which it is not."""
    return event["event"] == "Traded" and bool(event.get("give") or event.get("get"))


def price_of(event: Mapping[str, Any]) -> int:
    """Return what an event of game_api costs somebody, which ``account_for`` of a game of steps moves by itself."""
    match event:
        case {"event": "LotSold" | "LotBought", "price": int(price)}:
            return price
        case {"event": "Traded", "pay": int(pay), "ask": int(ask)}:
            return abs(pay - ask)
        case _:
            return 0


def _own_events(manifest: Manifest) -> Iterator[str]:
    return (kind.__name__ for kind in manifest.messages().events if not kind.__module__.startswith("companion."))


def member_names(value: object) -> set[str]:
    """Return the names of all members of a JSON value, however deep."""
    names: set[str] = set()
    waiting = [value]
    while waiting:
        match waiting.pop():
            case dict() as members:
                names.update(map(str, members))
                waiting.extend(members.values())
            case list() | tuple() as values:
                waiting.extend(values)
            case _:
                pass
    return names


def raw_values(language: str, event: Mapping[str, Any], sentence: str) -> Iterator[str]:
    """Yield the fields of an event that stand in its sentence as they are written in Python."""
    for name, value in event.items():
        parts = value if isinstance(value, list) else [value]
        if any(isinstance(part, dict | list) and part and str(part) in sentence for part in parts):
            how = 'mark it Holds("record", ...) and put it into words in event_texts'
            yield f"{language}: {event['event']} tells its {name} as Python writes it, {str(value)[:40]}: {how}"


def payment_line(event: Mapping[str, Any], earlier: Mapping[str, int], later: Mapping[str, int]) -> str:
    """Return an event with its fields, and what each account gained or lost between two balances."""
    fields = ", ".join(f"{name} {value}" for name, value in event.items() if name != "event" and value not in ([], {}))
    gained = {account: later.get(account, 0) - earlier.get(account, 0) for account in {**earlier, **later}}
    moved = ", ".join(f"{account} {amount:+,}" for account, amount in gained.items() if amount)
    return f"{event['event']} ({fields[:_LONGEST_FIELDS]}): {moved}"


def step_faults(step: object, secret: Collection[str]) -> Iterator[str]:
    """Yield what is wrong with a step of play that a game is in; ``secret``: the names of its secret events.

    A secret choice (``game_api.choices``) that nothing hides, since a forgotten mark tells it to everybody, a step that
    waits for one text, and one without a name.
    """
    name, waits = type(step).__name__, getattr(step, "waiting_for", None)
    waiting = waits() if callable(waits) else ()
    event = getattr(step, "event", None) if hasattr(step, "revealed") else None
    if isinstance(event, type) and event.__name__ not in secret:
        yield f"{name} is a secret choice, and no field of {event.__name__} is marked Secret"
    if isinstance(waiting, str):
        yield f"{name}.waiting_for returns the text {waiting!r}, no tuple: is a comma missing, as in ({waiting!r},)?"
    if getattr(step, "phase", None) == "":
        yield f'{name} has no phase, by which pages name it: write phase = "..."'


def raised_line(error: Exception) -> str:
    """Return what raised, and in which function: the last one of the game's own, or else of the program."""
    says = f"{type(error).__name__}: {' '.join(str(error).split())[:_LONGEST_FIELDS]}"
    calls = own_calls(error)
    if not calls:
        frame = list(walk_tb(error.__traceback__))[-1][0]
        calls = [(str(frame.f_globals.get("__name__", "")), frame.f_code.co_qualname, frame.f_lineno)]
    module, function, line = calls[-1]
    return f"{module}.{function} (line {line}) raises {says}"


def refusal_line(verb: str, values: Mapping[str, Any], refused: object) -> str:
    """Return what is wrong with an offer that is refused with some values."""
    return f"offers {verb} and refuses it: {refused}" + (f", with {dict(values)}" if values else "")
