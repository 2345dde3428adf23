"""What is asked at every table, whatever saw the cards: the camera, a phone, a hand scanner."""

import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Literal, TypeAlias

from companion.engine.errors import Refused
from companion.engine.game import BANKER, Question
from companion.engine.placement import Placement
from companion.service.camera.keepsakes import Crop, Keepsakes, PassingKeepsakes
from companion.service.camera.proposals import (
    CardSource,
    Dial,
    Proposal,
    Proposals,
    Setting,
    kind_of,
)
from companion.service.ports import Clock, Forbidden, Stale, UnknownProposal
from companion.service.table.listing import open_to
from companion.service.table.request import Request
from companion.service.table.table import Table, meant_json

# --- command_cards
# What a command card means where the offers stand as they do: PASS, UNDO, SUGGEST, and a game's own. YES and NO
# answer the oldest open proposal, and mean what the game says where none waits; who knows the proposals sees to
# those.


def offered(table: Table, word: str, viewer: str) -> dict[str, Any] | Question | None:
    """Give the command that the word stands for, if that is offered to this viewer now.

    ``suggest`` gives ``{"player"}`` of who might be helped; in games that advise nobody what is awaited is said again.
    Every word but that and ``undo`` means what the game says.
    """
    if word == "undo":
        undo = any(offer["do"] == "undo" for offer in table.offers(viewer))
        return {"do": "undo"} if undo else None
    return _helped(table, viewer) if word == "suggest" else _meant(table, word, viewer)


def _helped(table: Table, viewer: str) -> dict[str, Any] | None:
    advice, overview = table.edition.can.advice, table.overview
    if overview is None:
        return None
    if advice is None:
        return {"player": overview.waiting_for[0]} if overview.waiting_for else None
    verbs = {(offer["do"], offer.get("player")) for offer in table.offers(viewer)}
    helped = [player for player in overview.waiting_for if (advice.verb, player) in verbs]
    return {"player": helped[0]} if helped else None


def _meant(table: Table, word: str, viewer: str) -> dict[str, Any] | Question | None:
    command_card, position, game = table.edition.can.command_card, table.position, table.edition.game
    if command_card is None or position is None:
        return None
    return meant_json(table.edition.codec, command_card(position, open_to(game, position, viewer), word))


# --- plain
# What a card may do without a tap, where the table's dial lets it.


def is_plain(table: Table, command: Mapping[str, Any]) -> bool:
    """Say whether a command that was read may be carried out without a tap.

    It is the only offer of its kind, leaves no amount to choose, and moves no money of its own: what the rules make
    follow from it they force, whoever gives it.
    """
    offers = [offer for offer in table.show(BANKER)["offers"] if offer["do"] == command["do"]]
    if len(offers) != 1 or any(field["kind"] == "amount" for field in offers[0]["fields"].values()):
        return False
    edition, position = table.edition, table.position
    try:
        events = edition.game.decide(position, edition.codec.command(command))
    except Refused:
        return False
    return all(edition.game.account_for(event) is None for event in events)


Forget: TypeAlias = Callable[[str], None]
Laid: TypeAlias = tuple[Placement, bytes]
MOST_EYES = 200
"""So many eyes are known; of one that has long been quiet nothing waits any more."""

Answer: TypeAlias = Literal["yes", "no", "again"]
_ANSWERS: Mapping[str, Answer] = {"yes": "yes", "no": "no"}
"""Command cards that answer what was asked."""


@dataclass(slots=True)
class _AtTable:
    table: Table
    proposals: Proposals
    read_at: int
    suggested: tuple[int, int, str, str] | None = None
    """Number, version, viewer and player of the latest suggestion that was asked for."""
    setting: Setting = field(default_factory=Setting)
    readings: Counter[str] = field(default_factory=Counter)
    """How many cards led to anything, by whose eye saw them."""


class Asking:
    """The proposals of all tables.  Every call may come from any thread.

    It takes no lock of an eye while it holds its own: an eye may call it while it holds one.
    """

    def __init__(self, clock: Clock, keepsakes: Keepsakes | None = None) -> None:
        """Take what remembers dials and crops, and where questions wait (``None``: as long as the program runs)."""
        self._clock = clock
        self._lock = threading.RLock()
        self._numbers = count(1)
        self._eyes: OrderedDict[tuple[str, str], Forget] = OrderedDict()
        self._suggestions = count(1)
        self._tables: dict[str, _AtTable] = {}
        self.keepsakes: Keepsakes = PassingKeepsakes() if keepsakes is None else keepsakes

    def lay(self, table: Table, placement: Placement, picture: bytes, eye: CardSource) -> bool:
        """Take in that a card came to rest: ask what it would mean, or do what a command card says.

        ``True`` if anything changed.  A command card that fits no offer, or whose command is refused, says so.  How
        the table's dial stands for this kind of card decides whether anything is asked, and whether what is plain
        waits for a tap.  A command card is a tap itself, but for UNDO, which takes back what may be another's.
        """
        dial = self.setting(table).of(kind_of(table.edition, placement.card))
        if dial == "ledger":
            return False
        word = table.edition.command_words.get(placement.card)
        if word is not None and eye.automatic:
            if word == "undo" and dial != "automatic":
                undo = offered(table, word, eye.viewer)
                return undo is not None and self._put(table, (placement, picture), eye, undo)
            try:
                if self.obey(table, placement.card, eye, laid=(placement, picture)) is not None:
                    return True
                why = Question(placement.card, "card_means_nothing", (("card", placement.card),))
            except (Forbidden, UnknownProposal):
                return False  # somebody was quicker
            except Refused as refused:
                why = Question(placement.card, refused.rule, tuple(refused.details.items()))
            return self._put(table, (placement, picture), eye, why)
        asked = self.ask(table, placement, picture, eye)
        if asked is None:
            return False
        if (
            dial == "automatic"
            and eye.automatic
            and asked.command is not None
            and asked.question is None
            and is_plain(table, asked.command)
        ):
            with suppress(Refused, Forbidden, Stale, UnknownProposal):  # then it waits, or somebody was quicker
                self.answer(table.id, asked.number, "yes", actor=eye.viewer)
        return True

    def setting(self, table: Table) -> Setting:
        """Say how much the camera does at a table by itself."""
        with self._lock:
            return self._here(table).setting

    def turn_dial(self, table: Table, dial: Dial, kind: str | None = None) -> Setting:
        """Turn the dial, or that of one kind of card, and keep it; what waits for nothing any more is withdrawn."""
        with self._lock:
            here = self._here(table)
            here.setting = here.setting.turned(dial, kind)
            self.keepsakes.keep_setting(table.id, here.setting)
            for one in here.proposals.waiting():
                if here.setting.of(kind_of(table.edition, one.placement.card)) == "ledger":
                    here.proposals.withdraw(one.placement.tag)
            setting = here.setting
        table.signal.bump()
        return setting

    def _put(
        self, table: Table, laid: Laid, eye: CardSource, meant: dict[str, Any] | Question, *, counts: bool = True
    ) -> bool:
        with self._lock:
            here = self._here(table)
            here.proposals.put(*laid, self._clock.now(), eye, meant, table.version)
            here.readings[eye.viewer] += counts
        table.signal.bump()
        return True

    def ask(self, table: Table, placement: Placement, picture: bytes, eye: CardSource) -> Proposal | None:
        """Ask what a card laid there would mean; ``None`` where it means nothing now, or nothing to its player.

        A player's own device asks for his own commands alone, and explains nothing that he could not do.
        """
        with self._lock:
            here = self._here(table)
            if eye.viewer != BANKER:
                meant = table.read(placement)
                if not isinstance(meant, dict) or table.author(meant) != eye.viewer:
                    return None
            asked = here.proposals.ask(table, placement, picture, self._clock.now(), eye)
            if asked is not None:
                here.readings[eye.viewer] += 1
        if asked is not None:
            table.signal.bump()
        return asked

    def obey(
        self, table: Table, card: str, eye: CardSource, key: str | None = None, laid: Laid | None = None
    ) -> dict[str, Any] | None:
        """Do what a command card says where that is offered now; ``None`` where it is not.

        Gives ``{"did": word, "entry": entry or None}``; ``key`` names the request, ``laid`` how the card was seen.
        Raises what ``answer`` and ``Table.submit`` raise.
        """
        done = self._obeyed(table, card, eye, key, laid or (Placement("place", card, card, "", 1.0), b""))
        if done is not None:
            with self._lock:
                self._here(table).readings[eye.viewer] += 1
            table.signal.bump()
        return done

    def _obeyed(self, table: Table, card: str, eye: CardSource, key: str | None, laid: Laid) -> dict[str, Any] | None:
        word = table.edition.command_words[card]
        if word in _ANSWERS:
            first = self._first(table, eye.viewer, commanding=word == "yes")
            if first is not None:
                entry = self.answer(table.id, first.number, _ANSWERS[word], actor=eye.viewer, key=key)
                return {"did": word, "entry": entry}
        found = offered(table, word, eye.viewer)
        if found is None:
            return None
        if isinstance(found, Question):
            self._put(table, laid, eye, replace(found, card=card), counts=False)
            return {"did": word, "entry": None}
        if word == "suggest":
            with self._lock:
                number = next(self._suggestions)
                self._here(table).suggested = (number, table.version, eye.viewer, found["player"])
            return {"did": word, "entry": None}
        entry = table.submit(Request(found, eye.viewer, eye.source, key=key))
        return {"did": word, "entry": entry}

    def waiting(self, table_id: str, viewer: str = BANKER) -> list[dict[str, Any]]:
        """Give what waits for an answer of this viewer at a table, oldest first."""
        with self._lock:
            return [one.as_json() for one in self._waiting(table_id) if one.concerns(viewer)]

    def readings(self, table_id: str, viewer: str) -> int:
        """Count the cards that led to anything, at the table or before the viewer's own device, for a tone at each."""
        with self._lock:
            here = self._tables.get(table_id)
            eyes = {BANKER, viewer}
            return 0 if here is None else sum(here.readings[eye] for eye in eyes)

    def suggested(self, table_id: str, viewer: str) -> dict[str, Any] | None:
        """Say which suggestion a viewer's screen is to open, ``{"id", "player"}``, until the table moves on."""
        with self._lock:
            here = self._tables.get(table_id)
            if here is None or here.suggested is None or here.suggested[1:3] != (here.table.version, viewer):
                return None
            return {"id": here.suggested[0], "player": here.suggested[3]}

    def answer(
        self, table_id: str, number: int, answer: Answer, *, actor: str, key: str | None = None
    ) -> dict[str, Any] | None:
        """Answer a proposal.  ``yes`` submits its command and gives the entry, as ``no`` does where a no means one.

        ``again`` asks anew.

        Raises ``UnknownProposal`` where it does not wait (any more) or is a question to which yes is no answer,
        ``Forbidden`` where none such is the player's to answer, and all that ``Table.submit`` raises; after that the
        card still waits, if it still means something.
        """
        with self._lock:
            proposal = self._found(table_id, number, actor)
            here = self._tables[table_id]
            command = {"yes": proposal.command, "no": proposal.otherwise, "again": None}[answer]
            if answer == "yes" and command is None:
                raise UnknownProposal(str(number))
            here.proposals.take(number)
        if answer == "again":
            self._see_anew(table_id, proposal)
        try:
            if command is None:
                return None
            entry = here.table.submit(Request(command, actor, proposal.source.source, proposal.seen, key))
        except Exception:
            with self._lock:
                here.proposals.put_back(proposal)
                here.proposals.refresh(here.table)
            raise
        else:
            if proposal.picture:
                self.keepsakes.keep_crop(table_id, entry["seq"], Crop(proposal.picture, proposal.source.viewer))
            return entry
        finally:
            here.table.signal.bump()

    def watches(self, table: Table, eye: CardSource, forget: Forget) -> None:
        """Take in that an eye looks at a table; ``forget`` makes it see a tag anew."""
        with self._lock:
            self._eyes[table.id, eye.name] = forget
            self._eyes.move_to_end((table.id, eye.name))
            if len(self._eyes) > MOST_EYES:
                self._eyes.popitem(last=False)

    def _see_anew(self, table_id: str, proposal: Proposal) -> None:
        with self._lock:
            forget = self._eyes.get((table_id, proposal.source.name))
        if forget is not None:
            forget(proposal.placement.tag)

    def picture(self, table_id: str, number: int, viewer: str = BANKER) -> bytes:
        """Give the JPEG of the card that a proposal is about; ``UnknownProposal`` or ``Forbidden``."""
        with self._lock:
            found = self._found(table_id, number, viewer)
            if not found.picture:
                raise UnknownProposal(str(number))
            return found.picture

    def keep_up(self, table: Table) -> bool:
        """Read waiting cards again when the table has moved on since; ``True`` if anything changed."""
        with self._lock:
            here = self._here(table)
            if table.version == here.read_at:
                return False
            here.read_at = table.version
            return here.proposals.refresh(table)

    def drop(self, table: Table, eye: str) -> None:
        """Forget what an eye has asked at a table: it looks there no more."""
        with self._lock:
            self._here(table).proposals.drop(eye)

    def _here(self, table: Table) -> _AtTable:
        here = self._tables.get(table.id)
        if here is None or here.table is not table:
            proposals = Proposals(self._numbers) if here is None else here.proposals
            here = self._tables[table.id] = _AtTable(table, proposals, table.version)
            here.setting = self.keepsakes.setting(table.id)
        return here

    def _waiting(self, table_id: str) -> tuple[Proposal, ...]:
        here = self._tables.get(table_id)
        if here is None:
            return ()
        self.keep_up(here.table)
        return here.proposals.waiting()

    def _first(self, table: Table, viewer: str, *, commanding: bool) -> Proposal | None:
        with self._lock:
            waiting = [one for one in self._waiting(table.id) if one.concerns(viewer)]
        return next((one for one in waiting if one.command is not None or not commanding), None)

    def _found(self, table_id: str, number: int, viewer: str) -> Proposal:
        """Find one that waits; whether there is another one is not a player's to know."""
        found = next((one for one in self._waiting(table_id) if one.number == number), None)
        if found is not None and found.concerns(viewer):
            return found
        raise UnknownProposal(str(number)) if viewer == BANKER else Forbidden
