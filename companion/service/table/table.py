"""A request, and the table that executes it: commands in, entries out, everybody told."""

import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from companion.engine.game import BANKER, SPECTATOR, Overview, Placement, Position, Question, Refused
from companion.engine.journal import Entry, Json, copy_json
from companion.engine.timeline import decide_and_settle, position_of
from companion.game_api.guard import refuse_mistakes
from companion.game_api.manifest import LoadedGame
from companion.game_api.messages import Codec
from companion.service.ports import Clock, Conflict, Forbidden, KeptRefusal, KeyReused, Signal, Stale, TableJournal
from companion.service.runtime import Counter, VersionCache
from companion.service.table.advice import Advice
from companion.service.table.amend import is_confirmed, preview_json, propose
from companion.service.table.history import (
    HISTORY_COMMANDS,
    HISTORY_EVENTS,
    History,
    Listing,
    describe_table,
    is_amend,
    list_offers,
    upcast_entry,
)


@dataclass(frozen=True, slots=True)
class Request:
    """A command, who gives it, and from where.

    Attributes:
        command: The command as JSON, or what was sent in its place.
        actor: ``banker`` or the id of a player, who is asked for by the rules and named in the journal.
        source: Where it comes from, for the journal: ``tap``, ``program``, ``camera``, ``play`` and others.
        seen_version: The version that the sender had on the screen; ``None``: it does not matter.
        key: The sender's own name for this request; sent twice, it counts once.  ``None``: it has none.
    """

    command: Mapping[str, Any]
    actor: str
    source: str
    seen_version: int | None = None
    key: str | None = None

    @property
    def identity(self) -> str:
        """Return actor and command in a form that is equal only where the JSON is equal."""
        return identity(self.actor, self.command)


def identity(actor: str, command: Mapping[str, Any]) -> str:
    """Return who asks for what as text, equal only where the JSON is: ``1`` is neither ``1.0`` nor ``true``."""
    try:
        return json.dumps([actor, dict(command)], sort_keys=True)
    except RecursionError:
        return f"{actor}: brackets within brackets without end"


def reading_json(codec: Codec, command: Any) -> dict[str, Any] | Question | None:
    """Return the JSON of what ``Game.read`` returned: a command, or a question whose answers give commands."""
    if not isinstance(command, Question):
        return None if command is None else codec.command_json(command)
    yes, no = (None if answer is None else codec.command_json(answer) for answer in (command.yes, command.no))
    return replace(command, yes=yes, no=no)


# The same request sent twice counts once.


class IdempotencyStore:
    """Answers of one table by idempotency key.

    Entries are remembered for ever and refusals, which changed nothing, for a while; both lie in the journal's store.
    A key belongs to the one who used it first.
    """

    def __init__(self, table_id: str, journal: TableJournal, now: Callable[[], str]) -> None:
        """Store where refusals are kept, and the time of day."""
        self._table = table_id
        self._journal = journal
        self._now = now
        self._entries: dict[str, Entry] = {}

    def answer(self, request: Request) -> Entry | None:
        """Return the entry of the same request; raise its refusal again, or ``KeyReused`` for another request."""
        entry = self.same_entry(request)
        if entry is None:
            self.refuse_again(request)
        return entry

    def same_entry(self, request: Request) -> Entry | None:
        """Return the entry of the same request; raise ``KeyReused`` where it is that of another request."""
        entry = self.entry(request.key)
        if entry is not None and identity(entry.actor, entry.command) != request.identity:
            raise KeyReused
        return entry

    def refuse_again(self, request: Request) -> None:
        """Raise the refusal of the same request, or ``KeyReused`` where its key was used for another one's."""
        kept = None if request.key is None else self._journal.refusal(self._table, request.key)
        if kept is None:
            return
        if not kept.is_of(request.identity):
            raise KeyReused
        raise Refused(kept.refused.rule, **kept.refused.details)

    def entry(self, key: str | None) -> Entry | None:
        """Return the entry that was stored under a key, whoever asks."""
        return None if key is None else self._entries.get(key)

    def forget(self) -> None:
        """Let all entries go; they are remembered again as they are folded."""
        self._entries = {}

    def remember(self, entry: Entry) -> None:
        """Remember an entry by its key."""
        if entry.key is not None:
            self._entries[entry.key] = entry

    def remember_refusal(self, request: Request, refused: Refused) -> None:
        """Remember a refusal by the key of its request."""
        if (key := request.key) is not None:
            self._journal.keep_refusal(self._table, key, KeptRefusal.of(request.identity, refused), self._now())


ANSWERS = (Stale, Forbidden, KeyReused)
"""Answers to a command beside its entry and a refusal."""
MOST_BYTES = 8_000_000
"""Maximum size, in bytes, of the values remembered for one version: views, offers and journal of each viewer."""


class Table:
    """A running table.

    One writer at a time: ``submit`` decides, stores and only then shows.  What is read between two entries
    is one immutable history, entries and positions together, so readers never wait and never see half of a change.
    A table that nobody asks for may ``release`` its history: it is folded again from the journal when it is asked for.

    Locks are taken in this order: ``_writing``, ``_folding``.
    """

    def __init__(
        self, table_id: str, game: LoadedGame, journal: TableJournal, clock: Clock, signal: Signal | None = None
    ) -> None:
        """Store an id, the game and where entries are kept; ``load`` what is there already.

        ``signal`` wakes those who wait for news of this table (``None``: one of its own).
        """
        self.id = table_id
        self.game = game
        self.signal: Signal = Counter() if signal is None else signal
        self._journal = journal
        self._clock = clock
        self._writing = threading.Lock()
        self._folding = threading.Lock()
        self._asked_at = time.monotonic()
        self.display_version: int | None = None
        """The version that a big screen drew last; ``None``: none has since the start."""
        self.display_tells_story = True
        """True where that screen shows headlines and the story."""
        self._folded: History | None = History()
        self._repeats = IdempotencyStore(table_id, journal, clock.now)
        self._cache, self._listing = VersionCache(MOST_BYTES), Listing(game)
        self.advice = Advice(game, lambda: self.history.timeline)

    def load(self, entries: Sequence[Entry]) -> None:
        """Fold stored entries; ``TornJournal`` where they cannot be."""
        self._take_in(self.history, entries)
        self.signal.wake()

    def _take_in(self, history: History, entries: Sequence[Entry]) -> History:
        for stored in entries:
            entry = upcast_entry(self.game.codec, stored)
            history = history.after(self.game, entry)
            self._repeats.remember(entry)
        self._folded = history
        return history

    @property
    def history(self) -> History:
        """All that has happened, as of one version; whoever asks keeps it from being released.

        ``TornJournal`` where it was released and cannot be folded again.
        """
        self._asked_at = time.monotonic()
        history = self._folded
        return self._fold_again() if history is None else history

    def _fold_again(self) -> History:
        with self._folding:
            return self._folded or self._take_in(History(), self._journal.entries(self.id))

    @property
    def history_if_held(self) -> History | None:
        """The history if it was not released; asking does not keep it."""
        return self._folded

    def keep_awake(self) -> None:
        """Keep the history for now: somebody follows this table, whether they ask for anything or not."""
        self._asked_at = time.monotonic()

    def is_idle(self, idle_s: float) -> bool:
        """Return whether nobody has asked for the history within so many seconds."""
        return time.monotonic() - self._asked_at >= idle_s

    def release(self, idle_s: float) -> bool:
        """Let the history go unless somebody asked for it within so many seconds; return whether it was let go."""
        with self._writing, self._folding:
            if self._folded is None or not self.is_idle(idle_s):
                return False
            self._folded = None
            self._repeats.forget()
            self._cache, self._listing = VersionCache(MOST_BYTES), Listing(self.game)
            self.advice.forget()
            return True

    @property
    def version(self) -> int:
        """The number of the latest entry."""
        return self.history.version

    @property
    def position(self) -> Position[Any] | None:
        """The position now; ``None`` before the start."""
        return self.history.position

    @property
    def overview(self) -> Overview | None:
        """The overview of the position; ``None`` before the start."""
        return self.overview_of(self.history)

    def overview_of(self, history: History) -> Overview | None:
        """Return the overview of the position of one version; ``None`` before the start."""
        position = history.position
        if position is None:
            return None
        return self._cache.get("overview", history.version, partial(self.game.rules.overview, position))

    def position_before(self, entry: int) -> Position[Any] | None:
        """Return the position that a standing entry met, with what was amended below it; ``None`` before the start."""
        line = self.history.timeline.line
        while line is not None and line.seq >= entry:
            line = line.below
        return position_of(line)

    @property
    def entries(self) -> Sequence[Entry]:
        """All entries, oldest first, as of one version."""
        return self.history.entries

    def submit(self, request: Request) -> dict[str, Any]:
        """Carry a request out and return its entry; it is durable when this returns.

        Raises ``Refused``, ``Stale``, ``Forbidden``, ``KeyReused``; then nothing has changed.
        """
        with self._writing:
            entry = self._carry_out(request)
        self.signal.wake()
        return entry.as_json()

    def _carry_out(self, request: Request) -> Entry:
        """Return the entry of a request; its refusal is looked up only where the journal is asked anyway."""
        while True:
            history = self.history
            before = self._repeats.same_entry(request)
            if before is not None:
                return before
            try:
                entry, after = self._decide(history, request)
            except (Refused, Stale, Forbidden) as declined:
                self._repeats.refuse_again(request)
                if isinstance(declined, Refused) and history.version:
                    if self._catch_up(history):
                        continue
                    self._repeats.remember_refusal(request, declined)
                raise
            try:
                self._store(entry, after)
            except Conflict:
                if not self._catch_up(history) and self._repeats.answer(request) is None:
                    raise KeyReused if request.key and history.version else Conflict from None  # by a torn refusal
                continue
            self._folded = after
            self._repeats.remember(entry)
            return entry

    def catch_up(self, version: int) -> None:
        """Fold what another process has stored, so that no reader who heard of a version is answered from before it.

        This alone keeps no history from being released: lists and other processes ask for it, too.
        """
        if version <= (self._folded or self._fold_again()).version:
            return
        with self._writing:
            behind = self._catch_up(self._folded or self._fold_again())
        if behind:
            self.signal.wake()

    def _catch_up(self, history: History) -> bool:
        """Fold what another process has stored meanwhile; return whether there was anything.  Raise ``TornJournal``."""
        behind = self._journal.entries(self.id, history.version) if history.version else ()
        try:
            self._take_in(history, behind)
        except Exception:
            self._folded = None  # whoever opens the table next is told that it cannot be read
            raise
        return bool(behind)

    def stored_under(self, key: str | None) -> dict[str, Any] | None:
        """Return the entry that a request led to before, by its key."""
        _ = self.history  # which brings the keys back, where it was released
        entry = self._repeats.entry(key)
        return None if entry is None else entry.as_json()

    def _store(self, entry: Entry, after: History) -> None:
        overviews: list[Overview | None] = []

        def describe() -> Mapping[str, Any]:
            position = after.position
            overviews.append(None if position is None else self.game.rules.overview(position))
            return describe_table(self.id, self.game.name, after, overviews[-1])

        if entry.seq == 1:
            self._journal.open_table(self.id, self.game.name, entry, describe)
        else:
            self._journal.append(self.id, entry, describe)
        if overviews:  # remembered is only what is stored; every page asks for it
            self._cache.get("overview", after.version, overviews.pop)

    def _decide(self, history: History, request: Request) -> tuple[Entry, History]:
        with refuse_mistakes(self.game.name, ANSWERS):
            events, at, key = self._events(history, request), self._clock.now(), request.key
            command = copy_json(request.command)
            entry = Entry(history.version + 1, at, request.actor, request.source, command, events, key)
            return entry, history.after(self.game, entry)

    def _events(self, history: History, request: Request) -> tuple[dict[str, Any], ...]:
        """Return the events that a request leads to; raise where it may not be given, or is refused."""
        command, position = request.command, history.position
        verb = command.get("do")
        if isinstance(verb, str) and verb in HISTORY_COMMANDS:
            if set(command) != {"do"}:
                raise Refused("unknown_field", field=min(set(command) - {"do"}))
            self._require_current(history, request)
            if not _may_walk(history, verb, request.actor):
                raise Forbidden
            if position is None:
                raise Refused("not_started")
            return (HISTORY_COMMANDS[verb](history.timeline),)
        if is_amend(command):
            self._require_banker(history, request)
            proposed = propose(self.game, history, command)
            if not is_confirmed(command):
                raise Refused("unconfirmed")
            return (proposed.event(),)
        codec, game = self.game.codec, self.game.rules
        parsed = codec.command(command)
        self._require_current(history, request, parsed)
        if request.actor not in (BANKER, game.author(position, parsed)):
            raise Forbidden
        events, _ = decide_and_settle(game, position, parsed)
        return tuple(codec.event_json(event) for event in events)

    @property
    def undoes(self) -> Entry | None:
        """The entry that an undo would take back; ``None`` where nothing but the start stands."""
        return _undoes(self.history)

    def preview(self, request: Request) -> dict[str, Any]:
        """Return what an amend would lead to, as its sender may see it; nothing is stored.

        Raises as ``submit`` does, and for the same reasons.
        """
        with self._writing:
            history = self.history
            self._repeats.answer(request)
            self._require_banker(history, request)
        with refuse_mistakes(self.game.name, ANSWERS):
            return preview_json(propose(self.game, history, request.command), request.actor)

    def foresee(self, request: Request) -> tuple[dict[str, Any], ...]:
        """Return the events that a banker's command would lead to; nothing is stored.

        Raises as ``submit`` does, and for the same reasons.
        """
        with self._writing:
            self._require_banker(history := self.history, request)
            return self._events(history, request)

    def _require_banker(self, history: History, request: Request) -> None:
        """Let only a banker pass who saw the current version."""
        if request.actor != BANKER:
            raise Forbidden
        self._require_current(history, request)

    def _require_current(self, history: History, request: Request, parsed: object = None) -> None:
        """Raise ``Stale`` unless the sender saw the current version, or what they missed does not matter."""
        seen, version = request.seen_version, history.version
        if seen is None or seen == version:
            return
        late = Forbidden() if request.actor == SPECTATOR else Stale(version)
        if parsed is None or not 0 < seen < version:
            raise late
        for entry in history.entries[seen:]:
            if not entry.events or not all(self._overtakes(parsed, event) for event in entry.events):
                raise late

    def _overtakes(self, command: object, event: Json) -> bool:
        if event["event"] in HISTORY_EVENTS:
            return False
        return self.game.rules.overtakes(command, self.game.codec.event(event))

    def position_json(self, viewer: str) -> dict[str, Any] | None:
        """Show the position to a viewer; ``None`` before the start."""
        return self._shown(self.history, viewer)

    def _shown(self, history: History, viewer: str) -> dict[str, Any] | None:
        position = history.position
        return None if position is None else self.game.view(position, viewer)

    @property
    def hides_money(self) -> bool:
        """Return whether the game declares money that other players may not see now."""
        return self.position is not None and bool(self.game.money_hidden_from(self.position, SPECTATOR))

    def show(self, viewer: str) -> dict[str, Any]:
        """Return version, position and offers as one viewer may see them."""
        history = self.history
        position = self._cache.get(("shown", viewer), history.version, partial(self._shown, history, viewer))
        undo = _undoes(history) is not None and _may_walk(history, "undo", viewer)
        find = partial(list_offers, self.game.rules, history.timeline, viewer, undo=undo)
        offers = self._cache.get(("offers", viewer), history.version, find)
        return {"version": history.version, "position": position, "offers": offers}

    def offers(self, viewer: str) -> list[dict[str, Any]]:
        """Return what a viewer may do now, as JSON."""
        return list(self.show(viewer)["offers"])

    def journal(self, viewer: str) -> list[dict[str, Any]]:
        """Return all entries as a viewer may see them, oldest first."""
        history = self.history
        return self._cache.get(("listed", viewer), history.version, partial(self._listing.of, history, viewer))

    def catalog_json(self) -> dict[str, Any]:
        """Return the cards in use."""
        history, cards = self.history, self.game.cards
        position = history.position
        if position is None:
            return {}
        catalog = cards.in_use(position.state)
        return self._cache.get("catalog", (catalog,), lambda: cards.as_json(catalog))

    def cards(self) -> frozenset[str]:
        """Return the ids of the cards in use, and what stands on labels that several of them bear."""
        position = self.position
        return frozenset() if position is None else self.game.labelled(position.state)

    def shared_labels(self) -> frozenset[str]:
        """Return what stands on labels that several of the cards in use bear."""
        position = self.position
        return frozenset() if position is None else self.game.shared(position.state)

    def names(self) -> dict[str, str]:
        """Return what the players are called, by id in turn order."""
        return {} if (overview := self.overview) is None else overview.names

    def seat_generation(self, player: str) -> int:
        """Count who has left a player's seat to somebody else: whose devices show this table no more."""
        return 0 if (overview := self.overview) is None else overview.seat_generation(player)

    def author(self, command: Mapping[str, Any]) -> str | None:
        """Return which player alone may give a command; ``None``: only the banker."""
        return self.game.rules.author(self.position, self.game.codec.command(command))

    def differences(self, lying: Mapping[str, str]) -> list[dict[str, Any]]:
        """Compare the zones in which cards lie (by card) with the books; told to people, never acted upon."""
        position, differences = self.position, self.game.can.differences
        return [] if position is None or differences is None else list(differences(position.state, lying))

    def read(self, placement: Placement) -> dict[str, Any] | Question | None:
        """Return what a card laid there means now: a command as JSON, a question, or nothing."""
        if self.position is None:
            return None
        return reading_json(self.game.codec, self.game.rules.read(self.position, placement))


def _undoes(history: History) -> Entry | None:
    tip = history.timeline.tip
    return None if tip is None or tip.before is None else history.entries[tip.seq - 1]


def _may_walk(history: History, verb: str, actor: str) -> bool:
    """Return whether somebody may undo or redo: the banker, and players their own last act."""
    return actor == BANKER or (verb == "undo" and (last := _undoes(history)) is not None and last.actor == actor)
