"""The proposals of all tables, whatever saw the cards: the camera, a phone, a hand scanner; and the command cards."""

import logging
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Literal, TypeAlias

from companion.engine.game import BANKER, OFFER_ONLY, Placement, Question, Refused
from companion.service.camera.proposals import (
    AutomationLevel,
    AutomationSettings,
    CardSource,
    Crop,
    InMemoryKeepsakes,
    Keepsakes,
    Proposal,
    Proposals,
    kind_of_card,
)
from companion.service.ports import Clock, Forbidden, NotStored, Stale, UnknownProposal
from companion.service.table.history import open_to
from companion.service.table.table import Request, Table, reading_json

log = logging.getLogger(__name__)

ForgetTag: TypeAlias = Callable[[str], None]
"""Makes a source detect a label again that it has reported already."""
SeenCard: TypeAlias = tuple[Placement, bytes]
"""A placement and its JPEG."""
MOST_SOURCES = 200
"""Registered card sources; the least recently used is evicted."""

ProposalAnswer: TypeAlias = Literal["yes", "no", "again"]
_ANSWERS: Mapping[str, ProposalAnswer] = {"yes": "yes", "no": "no"}
"""Command cards that answer a proposal."""


def command_for_word(table: Table, word: str, viewer: str) -> dict[str, Any] | Question | None:
    """Return the command that a command card stands for, if it is offered to this viewer now.

    ``suggest`` returns ``{"player"}``, the player to be advised; in games without advice the first player who has to
    act. All other words are interpreted by the game, or name what is offered.
    """
    if word == "undo":
        undo = any(offer["do"] == "undo" for offer in table.offers(viewer))
        return {"do": "undo"} if undo else None
    return _suggestion(table, viewer) if word == "suggest" else _game_command(table, word, viewer)


def _suggestion(table: Table, viewer: str) -> dict[str, Any] | None:
    advice, overview = table.game.can.advice, table.overview
    if overview is None:
        return None
    if advice is None:
        return {"player": overview.waiting_for[0]} if overview.waiting_for else None
    verbs = {(offer["do"], offer.get("player")) for offer in table.offers(viewer)}
    advisable = [player for player in overview.waiting_for if (advice.verb, player) in verbs]
    return {"player": advisable[0]} if advisable else None


def _game_command(table: Table, word: str, viewer: str) -> dict[str, Any] | Question | None:
    command_card, position, game = table.game.can.command_card, table.position, table.game.rules
    if command_card is None:
        return _offered_command(table, word, viewer)
    if position is None:
        return None
    return reading_json(table.game.codec, command_card(position, open_to(game, position, viewer), word))


def _offered_command(table: Table, word: str, viewer: str) -> dict[str, Any] | None:
    """Return the one command of this name that is offered and leaves nothing open, in a game that reads no words."""
    alike = [offer for offer in table.offers(viewer) if offer["do"] == word and not offer["fields"]]
    if len(alike) != 1:
        return None
    return {name: value for name, value in alike[0].items() if name not in OFFER_ONLY}


def may_be_automatic(table: Table, command: Mapping[str, Any]) -> bool:
    """Return whether a command that was read may be executed without a tap.

    True if exactly one offer matches, no amount is open, and the command's own events move no money (follow-ups are
    ignored: the rules force them whoever gives the command).
    """
    offers = [offer for offer in table.show(BANKER)["offers"] if offer["do"] == command["do"]]
    if len(offers) != 1 or any(field["kind"] == "amount" for field in offers[0]["fields"].values()):
        return False
    game, position = table.game, table.position
    try:
        events = game.rules.decide(position, game.codec.command(command))
    except Refused:
        return False
    return all(game.rules.account_for(event) is None for event in events)


@dataclass(slots=True)
class _TableState:
    table: Table
    proposals: Proposals
    refreshed_at: int
    """Version of the table at which the pending proposals were read last."""
    suggested: tuple[int, int, str, str] | None = None
    """The latest suggestion that was asked for: number, version, viewer, player."""
    settings: AutomationSettings = field(default_factory=AutomationSettings)
    read_cards: Counter[str] = field(default_factory=Counter)
    """Number of cards that had an effect, by the viewer of their source."""


class ProposalService:
    """The proposals of all tables.  Thread-safe.

    It calls no source while it holds its own lock, because a source may call it while holding the source's lock.
    """

    def __init__(self, clock: Clock, keepsakes: Keepsakes | None = None, first: int = 1) -> None:
        """Store the clock and where automation settings and crops are kept (``None``: in memory).

        ``first``: the number of the first proposal, another one at each start, as in ``ConsentRequests``.
        """
        self._clock = clock
        self._lock = threading.RLock()
        self._sources: OrderedDict[tuple[str, str], ForgetTag] = OrderedDict()
        self._numbers = count(first)
        self._suggestions = count(1)
        self._tables: dict[str, _TableState] = {}
        self.keepsakes: Keepsakes = InMemoryKeepsakes() if keepsakes is None else keepsakes

    # Cards come in

    def on_placement(
        self,
        table: Table,
        placement: Placement,
        picture: bytes,
        source: CardSource,
        *,
        only_at: int | None = None,
        seen_at: int | None = None,
    ) -> bool:
        """Handle a card that came to rest: propose its command, or execute a command card.

        The automation level of the card's kind decides whether it is ignored, proposed, or executed where unambiguous.
        A command card counts as a tap, except UNDO, which may take back another player's command.  A command card
        that fits no offer, or whose command is refused or cannot be stored, becomes a question that says so.

        Args:
            table: the table at which it lies.
            placement: the card and where it lies.
            picture: of the card, as JPEG.
            source: who or what saw it.
            only_at: the version of the table to which it applies alone: dice are thrown at one moment.
            seen_at: the version at which it was seen; at a later one it is asked, however plain it is.

        Returns:
            Whether anything changed.

        """
        level = self.settings(table).level_of(kind_of_card(table.game, placement.card))
        if level == "ledger":
            return False
        word = table.game.command_words.get(placement.card)
        if word is not None and source.automatic:
            if word == "undo" and level != "automatic":
                undo = command_for_word(table, word, source.viewer)
                return undo is not None and self._add(table, (placement, picture), source, undo)
            return self._on_command_card(table, placement, picture, source)
        proposal = self.propose(table, placement, picture, source, only_at)
        if proposal is None:
            return False
        if seen_at in (None, table.version):
            self.answer_plain(table, proposal)
        return True

    def _on_command_card(self, table: Table, placement: Placement, picture: bytes, source: CardSource) -> bool:
        """Execute a command card, or ask a question that says why it did nothing; return whether anything changed."""
        card = placement.card
        try:
            if self.execute_command_card(table, card, source, seen=(placement, picture)) is not None:
                return True
            reason = Question(card, "card_means_nothing", (("card", card),))
        except (Forbidden, Stale, UnknownProposal):
            return False  # somebody else was faster
        except NotStored as fault:  # the other cards of the frame are not lost with it
            log.warning("table %s: the card %s did nothing: %s", table.id, card, fault)
            reason = Question(card, "card_not_stored", (("card", card),))
        except Refused as refused:
            reason = Question(card, refused.rule, tuple(refused.details.items()))
        return self._add(table, (placement, picture), source, reason)

    def propose(
        self, table: Table, placement: Placement, picture: bytes, source: CardSource, only_at: int | None = None
    ) -> Proposal | None:
        """Add the proposal of a placed card; ``None`` if it has no meaning now, or none for its player.

        A player's own device proposes only that player's commands, and asks no questions about others.  ``only_at``:
        as in ``on_placement``.
        """
        source = replace(source, is_private=_hides_from_banker(table, source, placement))
        with self._lock:
            state = self._state_of(table)
            before = state.proposals.pending()
            proposal = state.proposals.propose(table, placement, picture, self._clock.now(), source, only_at)
            if proposal is not None:
                state.read_cards[source.viewer] += 1
            is_changed = state.proposals.pending() != before
        if is_changed:
            table.signal.bump()
        return proposal

    def _add(
        self,
        table: Table,
        seen: SeenCard,
        source: CardSource,
        reading: dict[str, Any] | Question,
        *,
        counts: bool = True,
    ) -> bool:
        with self._lock:
            state = self._state_of(table)
            state.proposals.add(*seen, self._clock.now(), source, reading, table.version)
            state.read_cards[source.viewer] += counts
        table.signal.bump()
        return True

    def execute_command_card(
        self, table: Table, card: str, source: CardSource, key: str | None = None, seen: SeenCard | None = None
    ) -> dict[str, Any] | None:
        """Execute a command card if its command is offered now; ``None`` if it is not.

        Args:
            table: the table of the card.
            card: the code of the command card.
            source: who or what saw it.
            key: the idempotency key of the request.
            seen: the placement and picture of the card; ``None`` if only its code is known.

        Returns:
            ``{"did": word, "entry": entry or None}``.

        Raises:
            Refused, Forbidden, Stale, UnknownProposal: as ``answer`` and ``Table.submit``.

        """
        done = self._execute_word(table, card, source, key, seen or (Placement("place", card, card, "", 1.0), b""))
        if done is not None:
            with self._lock:
                self._state_of(table).read_cards[source.viewer] += 1
            table.signal.bump()
        return done

    def _execute_word(
        self, table: Table, card: str, source: CardSource, key: str | None, seen: SeenCard
    ) -> dict[str, Any] | None:
        word = table.game.command_words[card]
        command = command_for_word(table, word, source.viewer)
        if word in _ANSWERS:  # a message is dismissed by NO only where NO answers nothing that the game asks
            first = self._first_pending(table, source.viewer, commanding=word == "yes" or command is not None)
            if first is not None:
                entry = self.answer(table.id, first.number, _ANSWERS[word], actor=source.viewer, key=key)
                return {"did": word, "entry": entry}
        if command is None:
            return None
        if isinstance(command, Question):
            self._add(table, seen, source, replace(command, card=card), counts=False)
            return {"did": word, "entry": None}
        if word == "suggest":
            with self._lock:
                number = next(self._suggestions)
                self._state_of(table).suggested = (number, table.version, source.viewer, command["player"])
            return {"did": word, "entry": None}
        entry = table.submit(Request(command, source.viewer, source.kind, key=key))
        return {"did": word, "entry": entry}

    # Proposals are shown and answered

    def pending(self, table_id: str, viewer: str = BANKER) -> list[dict[str, Any]]:
        """Return the pending proposals of a table that this viewer may answer, as JSON, oldest first."""
        with self._lock:
            return [proposal.as_json() for proposal in self._pending(table_id) if proposal.is_visible_to(viewer)]

    def read_card_count(self, table_id: str, viewer: str) -> int:
        """Return how many cards had an effect, at the table or from the viewer's own device; screens beep at each."""
        with self._lock:
            state = self._tables.get(table_id)
            return 0 if state is None else sum(state.read_cards[source] for source in {BANKER, viewer})

    def open_suggestion(self, table_id: str, viewer: str) -> dict[str, Any] | None:
        """Return the suggestion that a viewer's screen is to open, ``{"id", "player"}``, until the table advances."""
        with self._lock:
            state = self._tables.get(table_id)
            if state is None or state.suggested is None or state.suggested[1:3] != (state.table.version, viewer):
                return None
            return {"id": state.suggested[0], "player": state.suggested[3]}

    def answer(
        self, table_id: str, number: int, answer: ProposalAnswer, *, actor: str, key: str | None = None
    ) -> dict[str, Any] | None:
        """Answer a proposal and return the journal entry of its command, if the answer gives one.

        ``yes`` submits the command of the proposal, ``no`` its command on no, ``again`` has the card read again.  After
        an error the proposal is pending again, unless its card has lost its meaning.

        Raises:
            UnknownProposal: if it is not pending (any more), or has no command for *yes*.
            Forbidden: if it is not the player's to answer.
            Refused, Stale: as ``Table.submit``.

        """
        with self._lock:
            proposal = self._visible_proposal(table_id, number, actor)
            state = self._tables[table_id]
            command = {"yes": proposal.command, "no": proposal.command_on_no, "again": None}[answer]
            if answer == "yes" and command is None:
                raise UnknownProposal(str(number))
            state.proposals.take(number)
        if answer == "again":
            self._forget_tag(table_id, proposal)
        try:
            if command is None:
                return None
            entry = state.table.submit(Request(command, actor, proposal.source.kind, proposal.version, key))
        except Exception:
            with self._lock:
                state.proposals.restore(proposal)
                state.proposals.refresh(state.table)
            raise
        else:
            if proposal.picture:
                self.keepsakes.keep_crop(table_id, entry["seq"], Crop(proposal.picture, proposal.source.viewer))
            return entry
        finally:
            state.table.signal.bump()

    def answer_plain(self, table: Table, proposal: Proposal, key: str | None = None) -> dict[str, Any] | None:
        """Answer *yes* where the level is ``automatic`` and the card unambiguous, and return the journal entry.

        ``None``: it waits for a tap, or somebody was faster.  ``key``: the idempotency key of the request.
        """
        level = self.settings(table).level_of(kind_of_card(table.game, proposal.placement.card))
        command = proposal.command if proposal.question is None and proposal.source.automatic else None
        if level == "automatic" and command is not None and may_be_automatic(table, command):
            with suppress(Refused, Forbidden, Stale, NotStored, UnknownProposal):
                return self.answer(table.id, proposal.number, "yes", actor=proposal.source.viewer, key=key)
        return None

    def picture(self, table_id: str, number: int, viewer: str = BANKER) -> bytes:
        """Return the JPEG of a proposal's card.  Raise ``UnknownProposal`` or ``Forbidden``."""
        with self._lock:
            proposal = self._visible_proposal(table_id, number, viewer)
            if not proposal.picture:
                raise UnknownProposal(str(number))
            return proposal.picture

    def refresh(self, table: Table) -> bool:
        """Read the pending cards again if the table has advanced.  Return whether anything changed."""
        with self._lock:
            state = self._state_of(table)
            if table.version == state.refreshed_at:
                return False
            state.refreshed_at = table.version
            return state.proposals.refresh(table)

    # Automation

    def settings(self, table: Table) -> AutomationSettings:
        """Return the automation levels of a table."""
        with self._lock:
            return self._state_of(table).settings

    def set_level(self, table: Table, level: AutomationLevel, kind: str | None = None) -> AutomationSettings:
        """Set and store the level of one kind of card (``None``: of all); drop proposals that are now ignored.

        Raise ``NotStored`` where the disk refuses; nothing has changed then.
        """
        with self._lock:
            state = self._state_of(table)
            settings = state.settings.with_level(level, kind)
            self.keepsakes.keep_settings(table.id, settings)
            state.settings = settings
            for proposal in state.proposals.pending():
                if state.settings.level_of(kind_of_card(table.game, proposal.placement.card)) == "ledger":
                    state.proposals.withdraw(proposal.placement.tag)
        table.signal.bump()
        return settings

    # Sources

    def register_source(self, table: Table, source: CardSource, forget: ForgetTag) -> None:
        """Store how a source of this table is made to detect a label again."""
        with self._lock:
            self._sources[table.id, source.name] = forget
            self._sources.move_to_end((table.id, source.name))
            if len(self._sources) > MOST_SOURCES:
                self._sources.popitem(last=False)

    def discard_from(self, table: Table, source: str) -> None:
        """Drop the proposals of a source that no longer looks at this table."""
        with self._lock:
            self._state_of(table).proposals.discard_from(source)

    def _forget_tag(self, table_id: str, proposal: Proposal) -> None:
        with self._lock:
            forget = self._sources.get((table_id, proposal.source.name))
        if forget is not None:
            forget(proposal.placement.tag)

    def _state_of(self, table: Table) -> _TableState:
        state = self._tables.get(table.id)
        if state is None or state.table is not table:
            proposals = Proposals(lambda: next(self._numbers)) if state is None else state.proposals
            state = self._tables[table.id] = _TableState(table, proposals, table.version)
            state.settings = self.keepsakes.settings(table.id)
        return state

    def _pending(self, table_id: str) -> tuple[Proposal, ...]:
        state = self._tables.get(table_id)
        if state is None:
            return ()
        self.refresh(state.table)
        return state.proposals.pending()

    def _first_pending(self, table: Table, viewer: str, *, commanding: bool) -> Proposal | None:
        with self._lock:
            proposals = [proposal for proposal in self._pending(table.id) if proposal.is_visible_to(viewer)]
        return next((proposal for proposal in proposals if proposal.command is not None or not commanding), None)

    def _visible_proposal(self, table_id: str, number: int, viewer: str) -> Proposal:
        """Return a pending proposal; a player does not learn whether one exists that is not theirs."""
        proposal = next((other for other in self._pending(table_id) if other.number == number), None)
        if proposal is not None and proposal.is_visible_to(viewer):
            return proposal
        raise UnknownProposal(str(number)) if viewer == BANKER else Forbidden


def _hides_from_banker(table: Table, source: CardSource, placement: Placement) -> bool:
    """Return whether a card on a player's own device leads to events that the banker may not see either."""
    messages = table.game.messages
    hidden = messages.secret - messages.banker_sees
    if source.viewer == BANKER or not hidden:
        return False
    reading = table.read(placement)
    if not isinstance(reading, dict):
        return False  # nothing, or a question: a player's device asks none
    try:
        events = table.foresee(Request(reading, BANKER, source.kind, table.version))
    except (Refused, Stale, NotStored):
        return True  # what cannot be told now is not shown
    return not hidden.isdisjoint(event["event"] for event in events)
