"""Amending a table's journal: what a proposed amend would lead to, and how its outcome is written down.

An amend is one entry.  Its event names the entries that no longer stand and those that stand with another command
or other events, so that reading the journal asks no rule.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, TypeAlias

from companion.engine.game import Detail, Position, Refused
from companion.engine.journal import Json
from companion.engine.ledger import player_account
from companion.engine.timeline import Amendment, Decision, amend
from companion.game_api.manifest import LoadedGame
from companion.game_api.messages import Count, Holds, Text
from companion.service.table.history import AMENDED, EffectiveEntryView, History, names_of, secret_entries, shown_to

# The commands that the house answers in every game.


@dataclass(frozen=True, slots=True)
class Undo:
    """Take the latest act back."""


@dataclass(frozen=True, slots=True)
class Redo:
    """Do again what was taken back last."""


@dataclass(frozen=True, slots=True)
class Amend:
    """Leave entry ``seq`` out, or put the command ``with_`` in its place; without ``confirm`` it is only previewed."""

    seq: Count
    with_: Annotated[Mapping[str, Any] | None, Holds("record", "command")]
    confirm: bool = False
    reason: Text = ""


HOUSE_COMMANDS = (Undo, Redo, Amend)


def is_confirmed(command: Json) -> bool:
    """Return whether an amend is to be carried out; otherwise its preview is asked for."""
    return command.get("confirm") is True


@dataclass(frozen=True)
class ProposedAmendment:
    """An amend that was decided, and not yet carried out."""

    game: LoadedGame
    command: Json
    before: Position[Any]
    history: History
    amendment: Amendment[Any, Any]

    @cached_property
    def effective(self) -> Mapping[int, EffectiveEntryView]:
        """Return what stands so far, by number."""
        return {entry.seq: entry for entry in self.history.effective_entries()}

    @cached_property
    def touched(self) -> tuple[Decision[Any], ...]:
        """Return what became of each entry that would not stand as it does, oldest first."""
        return tuple(decision for decision in self.amendment.decisions if self._differs(decision))

    def _differs(self, decision: Decision[Any]) -> bool:
        return (
            decision.after != decision.before or self.command_of(decision.seq) != self.effective[decision.seq].command
        )

    def command_of(self, seq: int) -> Json:
        """Return the command with which an entry would stand."""
        instead: Json | None = self.command["with"] if seq == self.command["seq"] else None
        return self.effective[seq].command if instead is None else instead

    def event(self) -> dict[str, Any]:
        """Write the outcome down."""
        codec = self.game.codec
        return {
            "event": AMENDED,
            "entry": self.command["seq"],
            "left_out": [decision.seq for decision in self.touched if decision.after is None],
            "decided": [
                {
                    "entry": decision.seq,
                    "command": dict(self.command_of(decision.seq)),
                    "events": [codec.event_json(event) for event in decision.after],
                }
                for decision in self.touched
                if decision.after is not None
            ],
        }

    @cached_property
    def secrets(self) -> Mapping[int, frozenset[str]]:
        """Entries of the line that stands with something not revealed yet, with the names of those events."""
        open_entries = secret_entries(self.game, self.history)
        names = {
            seq: open_entries.get(seq, frozenset()) | open_entries.get(effective.amended or 0, frozenset())
            for seq, effective in self.effective.items()
        }
        return {seq: secret for seq, secret in names.items() if secret}

    def reveals(self) -> bool:
        """Return whether carrying it out would open what is still secret from the banker, too."""
        still_secret, banker_sees = self.game.messages.still_secret, self.game.messages.banker_sees
        return any(
            still_secret(names, self._kinds(decision)) != names
            for seq, names in ((seq, names - banker_sees) for seq, names in self.secrets.items())
            for decision in self.amendment.decisions
            if decision.seq >= seq
        )

    def secret_in(self, decision: Decision[Any]) -> frozenset[str]:
        """Return the names of the events of an entry that are secret before or after the amend."""
        messages, secret = self.game.messages, self.secrets.get(decision.seq, frozenset())
        if decision.seq != self.command["seq"]:
            return secret
        happened = frozenset[str]().union(*(self._kinds(later) for later in self.amendment.decisions))
        return secret | messages.still_secret(messages.secret & self._kinds(decision), happened)

    def _kinds(self, decision: Decision[Any]) -> frozenset[str]:
        return names_of([self.game.codec.event_json(event) for event in decision.after or ()])


def propose(game: LoadedGame, history: History, command: Json) -> ProposedAmendment:
    """Decide an amend, without carrying it out; ``Refused`` where it is not possible or would change nothing."""
    position = history.position
    if position is None:
        raise Refused("not_started")
    seq = command.get("seq")
    if type(seq) is int and seq > history.version:
        raise Refused("not_standing", entry=seq)  # before it is read: no JSON of ours holds figures of any size
    game.codec.read(Amend, command)
    asked = {entry.seq: entry.command for entry in history.effective_entries()}
    asked[command["seq"]] = command["with"]

    def given(seq: int) -> Any:
        return None if asked[seq] is None else game.codec.command(asked[seq])

    amendment = amend(game.rules, history.timeline, command["seq"], given)
    proposed = ProposedAmendment(game, command, position, history, amendment)
    if proposed.reveals():
        raise Refused("amend_reveals")
    if not proposed.touched:
        raise Refused("nothing_amended", entry=command["seq"])
    return proposed


# What an amend would lead to, as JSON for the one who is asked to agree.

MONEY = "money"
"""The quantity that a preview compares, in games that keep it."""

Say: TypeAlias = Callable[[str, Mapping[str, Detail]], str]
"""Puts a rule and its details into a sentence."""


def preview_json(proposed: ProposedAmendment, viewer: str) -> dict[str, Any]:
    """Return which entries change, which would be refused, money before and after by player, the position after.

    Refusals have ``rule`` and ``details``; ``in_words`` adds the sentence.
    """
    after = proposed.game.view(proposed.amendment.line.position, viewer)
    changed = [decision for decision in proposed.touched if decision.refused is None]
    return {
        "seq": proposed.command["seq"],
        "with": proposed.command["with"],
        "version": proposed.history.version,
        "changes": [_change(proposed, decision, viewer) for decision in changed],
        "refused": [
            _refusal(proposed, decision, decision.refused, viewer) for decision in proposed.touched if decision.refused
        ],
        "money": _money(proposed, viewer),
        "position": after,
    }


def in_words(preview: Json, say: Say) -> dict[str, Any]:
    """Return a preview whose refusals are said for people, under ``refused``."""
    shown = [{**refusal, "refused": say(refusal["rule"], refusal["details"])} for refusal in preview["refused"]]
    return {**preview, "refused": shown}


def _change(proposed: ProposedAmendment, decision: Decision[Any], viewer: str) -> dict[str, Any]:
    seq = decision.seq
    before = _shown(proposed, decision, viewer, proposed.effective[seq].command, decision.before)
    if decision.after is None:
        return {"seq": seq, "command": before["command"], "becomes": None, **_events(before, None)}
    then = _shown(proposed, decision, viewer, proposed.command_of(seq), decision.after)
    return {
        "seq": seq,
        "command": before["command"],
        "becomes": then["command"],
        **_events(before, then),
    }


def _events(before: dict[str, Any], then: "dict[str, Any] | None") -> dict[str, Any]:
    return {"before": before["events"], "after": then["events"] if then else []}


def _refusal(proposed: ProposedAmendment, decision: Decision[Any], refused: Refused, viewer: str) -> dict[str, Any]:
    before = _shown(proposed, decision, viewer, proposed.effective[decision.seq].command, decision.before)
    if before["command"] != proposed.effective[decision.seq].command:
        refused = Refused("secret_refused", player=before["command"]["player"])  # its figures would tell
    return {
        "seq": decision.seq,
        "command": before["command"],
        "before": before["events"],
        "rule": refused.rule,
        "details": dict(refused.details),
    }


def _shown(
    proposed: ProposedAmendment, decision: Decision[Any], viewer: str, command: Json, events: tuple[Any, ...]
) -> dict[str, Any]:
    shown = {"command": dict(command), "events": [proposed.game.codec.event_json(event) for event in events]}
    return shown_to(proposed.game, viewer, shown, proposed.secret_in(decision))


def _money(proposed: ProposedAmendment, viewer: str) -> dict[str, dict[str, int | None]]:
    """Return each player's money as it is and as it would be; ``None``: hidden, or not at the table."""
    before, after = proposed.before, proposed.amendment.line.position
    game = proposed.game.rules
    if MONEY not in proposed.game.manifest.conserved:
        return {}
    seats = dict.fromkeys([*game.players(before), *game.players(after)])
    return {
        player: {
            "before": _cash(proposed, before, player, viewer),
            "after": _cash(proposed, after, player, viewer),
        }
        for player in seats
    }


def _cash(proposed: ProposedAmendment, position: Position[Any], player: str, viewer: str) -> int | None:
    if player not in proposed.game.rules.players(position):
        return None
    explainer, account = proposed.game.can.explainer, player_account(player)
    hidden = explainer is not None and explainer.hides(position, account, viewer)
    hidden = hidden or player in proposed.game.money_hidden_from(position, viewer)
    return None if hidden else position.ledger.balance(account)
