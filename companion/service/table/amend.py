"""Amending a table's journal: what a proposed amend would lead to, and how its outcome is written down.

An amend is one entry.  Its event names the entries that no longer stand and those that stand with another command
or other events, so that reading the journal asks no rule.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from companion.engine.amend import Amendment, Decision, amended
from companion.engine.errors import Refused
from companion.engine.game import Position
from companion.engine.json_values import Json
from companion.gamekit.edition import Edition
from companion.service.journal.held_back import names_of, secret_entries
from companion.service.journal.history import AMENDED, History, Standing
from companion.service.table.house_commands import Amend

Told: TypeAlias = "dict[str, Any]"


def is_amend(command: Json) -> bool:
    """Whether a command asks for an amend, sound or not."""
    return command.get("do") == "amend"


def is_confirmed(command: Json) -> bool:
    """Whether an amend is to be carried out; otherwise its preview is asked for."""
    return command.get("confirm") is True


@dataclass(frozen=True)
class Proposed:
    """An amend that was decided, and not yet carried out."""

    edition: Edition
    command: Json
    before: Position[Any]
    history: History
    amendment: Amendment[Any, Any]

    @cached_property
    def standing(self) -> Mapping[int, Standing]:
        """What stands so far, by number."""
        return {one.seq: one for one in self.history.standing()}

    @cached_property
    def touched(self) -> tuple[Decision[Any], ...]:
        """What became of each entry that would not stand as it does, oldest first."""
        return tuple(one for one in self.amendment.decisions if self._differs(one))

    def _differs(self, one: Decision[Any]) -> bool:
        return one.after != one.before or self.command_of(one.seq) != self.standing[one.seq].command

    def command_of(self, seq: int) -> Json:
        """Give the command with which an entry would stand."""
        instead: Json | None = self.command["with"] if seq == self.command["seq"] else None
        return self.standing[seq].command if instead is None else instead

    def event(self) -> Told:
        """Write the outcome down."""
        codec = self.edition.codec
        return {
            "event": AMENDED,
            "entry": self.command["seq"],
            "left_out": [one.seq for one in self.touched if one.after is None],
            "decided": [
                {
                    "entry": one.seq,
                    "command": dict(self.command_of(one.seq)),
                    "events": [codec.event_json(event) for event in one.after],
                }
                for one in self.touched
                if one.after is not None
            ],
        }

    @cached_property
    def secrets(self) -> frozenset[int]:
        """Numbers of the entries of the amended line that stand with something not revealed yet."""
        open_entries = secret_entries(self.edition, self.history)
        return frozenset(
            seq for seq, one in self.standing.items() if seq in open_entries or one.amended in open_entries
        )

    def reveals(self) -> bool:
        """Whether carrying it out would open what is still secret."""
        return any(
            self.secrets and one.seq >= min(self.secrets) and self._kinds(one) & self.edition.messages.revealing
            for one in self.amendment.decisions
        )

    def is_secret(self, one: Decision[Any]) -> bool:
        """Whether an entry holds a secret now, or would: the one that is replaced, unless a later one reveals it."""
        if one.seq in self.secrets:
            return True
        if one.seq != self.command["seq"] or not self._kinds(one) & self.edition.messages.secret:
            return False
        return not any(self._kinds(later) & self.edition.messages.revealing for later in self.amendment.decisions)

    def _kinds(self, one: Decision[Any]) -> frozenset[str]:
        return names_of([self.edition.codec.event_json(event) for event in one.after or ()])


def propose(edition: Edition, history: History, command: Json) -> Proposed:
    """Decide an amend, without carrying it out; ``Refused`` where it is not possible or would change nothing."""
    position = history.position
    if position is None:
        raise Refused("not_started")
    seq = command.get("seq")
    if type(seq) is int and seq > history.version:
        raise Refused("not_standing", entry=seq)  # before it is read: no JSON of ours holds figures of any size
    edition.codec.read(Amend, command)
    asked = {one.seq: one.command for one in history.standing()}
    asked[command["seq"]] = command["with"]

    def given(seq: int) -> Any:
        return None if asked[seq] is None else edition.codec.command(asked[seq])

    amendment = amended(edition.game, history.timeline, command["seq"], given)
    proposed = Proposed(edition, command, position, history, amendment)
    if proposed.reveals():
        raise Refused("amend_reveals")
    if not proposed.touched:
        raise Refused("nothing_amended", entry=command["seq"])
    return proposed
