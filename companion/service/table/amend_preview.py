"""What an amend would lead to, as JSON for the one who is asked to agree."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from companion.engine.amend import Decision
from companion.engine.errors import Detail, Refused
from companion.engine.game import Position
from companion.engine.json_values import Json
from companion.engine.ledger import player_account
from companion.service.journal.held_back import shown_to
from companion.service.table.amend import Proposed

MONEY = "money"
"""The quantity that a preview compares, in games that keep it."""

Told: TypeAlias = "dict[str, Any]"
Say: TypeAlias = Callable[[str, Mapping[str, Detail]], str]
"""Puts a rule and its details into a sentence."""


def preview_json(proposed: Proposed, viewer: str) -> Told:
    """Give which entries change, which would be refused, money before and after by player, the position after.

    Refusals have ``rule`` and ``details``; ``in_words`` adds the sentence.
    """
    view = proposed.edition.game.view
    after = dict(view(proposed.amendment.line.position, viewer))
    changed = [one for one in proposed.touched if one.refused is None]
    return {
        "seq": proposed.command["seq"],
        "with": proposed.command["with"],
        "version": proposed.history.version,
        "changes": [_change(proposed, one, viewer) for one in changed],
        "refused": [_refusal(proposed, one, one.refused, viewer) for one in proposed.touched if one.refused],
        "money": _money(proposed, viewer),
        "position": after,
    }


def in_words(preview: Json, say: Say) -> Told:
    """Give a preview whose refusals are said for people, under ``refused``."""
    shown = [{**one, "refused": say(one["rule"], one["details"])} for one in preview["refused"]]
    return {**preview, "refused": shown}


def _change(proposed: Proposed, one: Decision[Any], viewer: str) -> Told:
    seq = one.seq
    as_it_stood = _shown(proposed, one, viewer, proposed.standing[seq].command, one.before)
    if one.after is None:
        return {"seq": seq, "command": as_it_stood["command"], "becomes": None, **_events(as_it_stood, None)}
    then = _shown(proposed, one, viewer, proposed.command_of(seq), one.after)
    return {
        "seq": seq,
        "command": as_it_stood["command"],
        "becomes": then["command"],
        **_events(as_it_stood, then),
    }


def _events(as_it_stood: Told, then: "Told | None") -> Told:
    return {"before": as_it_stood["events"], "after": then["events"] if then else []}


def _refusal(proposed: Proposed, one: Decision[Any], refused: Refused, viewer: str) -> Told:
    as_it_stood = _shown(proposed, one, viewer, proposed.standing[one.seq].command, one.before)
    if as_it_stood["command"] != proposed.standing[one.seq].command:
        refused = Refused("secret_refused", player=as_it_stood["command"]["player"])  # its figures would tell
    return {
        "seq": one.seq,
        "command": as_it_stood["command"],
        "before": as_it_stood["events"],
        "rule": refused.rule,
        "details": dict(refused.details),
    }


def _shown(proposed: Proposed, one: Decision[Any], viewer: str, command: Json, events: tuple[Any, ...]) -> Told:
    shown = {"command": dict(command), "events": [proposed.edition.codec.event_json(event) for event in events]}
    return shown_to(proposed.edition, viewer, shown) if proposed.is_secret(one) else shown


def _money(proposed: Proposed, viewer: str) -> dict[str, dict[str, int | None]]:
    """Give each player's money as it is and as it would be; ``None``: hidden, or not at the table."""
    before, after = proposed.before, proposed.amendment.line.position
    game = proposed.edition.game
    if MONEY not in proposed.edition.manifest.conserved:
        return {}
    seats = dict.fromkeys([*game.players(before), *game.players(after)])
    return {
        player: {"before": _held(proposed, before, player, viewer), "after": _held(proposed, after, player, viewer)}
        for player in seats
    }


def _held(proposed: Proposed, position: Position[Any], player: str, viewer: str) -> int | None:
    if player not in proposed.edition.game.players(position):
        return None
    explains, account = proposed.edition.can.explains, player_account(player)
    hidden = explains is not None and explains.hides(position, account, viewer)
    return None if hidden else position.ledger.balance(account)
