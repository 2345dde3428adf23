"""The journal as a list for one viewer: every entry as it was given, and what has become of it since."""

from typing import Any

from companion.engine.game import (
    BANKER,
    Amount,
    AnyOfThese,
    AnySet,
    Assignment,
    Bag,
    Dice,
    Field,
    Game,
    Offer,
    OneOf,
    Parts,
    Position,
    SomeOf,
)
from companion.engine.journal import Entry, Json
from companion.engine.timeline import Timeline
from companion.game_api.manifest import LoadedGame
from companion.service.table.history import AMENDED, HISTORY_EVENTS, REDONE, UNDONE, EffectiveEntryView, History
from companion.service.table.redaction import secret_entries, shown_to


def listed(game: LoadedGame, history: History, viewer: str) -> list[dict[str, Any]]:
    """Return all entries as a viewer may see them, oldest first.

    ``undone``: it does not stand now, taken back by an undo or left out by an amend.  ``amended``, where one has
    touched it: ``by`` which entry, and ``command`` and ``events`` as they stand now, ``None`` where it was left out.
    """
    secret, taken = secret_entries(game, history), history.taken()
    stands = {entry.seq: entry for entry in history.standing()}
    by = _left_out_by(history)

    def described(entry: Entry) -> dict[str, Any]:
        shown = entry.as_json()
        if entry.seq in secret:
            shown = shown_to(game, viewer, shown, secret[entry.seq])
        undone = not _walks(entry) and (entry.seq not in taken or entry.seq in by)
        return {**shown, "undone": undone, **became(entry.seq)}

    def became(seq: int) -> dict[str, Any]:
        if seq in by:
            return {"amended": {"by": by[seq], "command": None, "events": None}}
        standing = stands.get(seq)
        if standing is None or standing.amended is None:
            return {}
        now = shown_to(game, viewer, _now(standing), secret.get(standing.amended, frozenset()))
        return {"amended": {"by": standing.amended, **now}}

    return [described(entry) for entry in history.entries]


def as_it_stands(listed_entry: Json) -> dict[str, Any]:
    """Return command and events of a listed entry as an amend has left them; of one that was left out, as they were."""
    amended = listed_entry.get("amended") or {}
    source = amended if amended.get("events") is not None else listed_entry
    return {"command": source["command"], "events": source["events"]}


def amendable(listed_entry: Json) -> bool:
    """Return whether a listed entry stands and is one of the game itself."""
    kinds = {event["event"] for event in listed_entry["events"]}
    return not listed_entry.get("undone") and not kinds & HISTORY_EVENTS


def _walks(entry: Entry) -> bool:
    return bool(entry.events) and entry.events[0]["event"] in (UNDONE, REDONE)


def _now(entry: EffectiveEntryView) -> dict[str, Any]:
    return {"command": dict(entry.command), "events": [dict(event) for event in entry.events]}


def _left_out_by(history: History) -> dict[int, int]:
    """Return, for each entry that an amend left out, which one did."""
    taken = history.taken()
    amends = [entry for entry in history.entries if entry.seq in taken and entry.events and _amends(entry)]
    return {seq: amend.seq for amend in amends for seq in amend.events[0]["left_out"]}


def _amends(entry: Entry) -> bool:
    return bool(entry.events[0]["event"] == AMENDED)


# Offers as JSON: a command whose settled fields stand in place, and ``fields`` for what is open.


def offered(game: Game[Any, Any, Any], timeline: Timeline[Any], viewer: str, *, undo: bool) -> list[dict[str, Any]]:
    """Write all that a viewer may do now; ``undo``: he may take the latest act back, and there is one."""
    position = timeline.position
    if position is None:
        return []
    offers = [offer_json(offer) for offer in open_to(game, position, viewer)]
    if undo:
        offers.append({"do": "undo", "urgency": "possible", "fields": {}})
    if viewer == BANKER and timeline.undone is not None:
        offers.append({"do": "redo", "urgency": "possible", "fields": {}})
    return offers


def open_to(game: Game[Any, Any, Any], position: Position[Any], viewer: str) -> list[Offer]:
    """List what a viewer may do: a player his own, the banker everybody's and what is his alone."""
    players = [player for player in game.players(position) if viewer in (BANKER, player)]
    offers = (offer for player in players for offer in game.offers(position, player))
    return [offer for offer in offers if offer.player != BANKER or viewer == BANKER]


def offer_json(offer: Offer) -> dict[str, Any]:
    """Write an offer; where the command names no player, ``by`` says who may give it."""
    player_key = "player" if offer.addressed else "by"
    return {
        "do": offer.do,
        player_key: offer.player,
        **dict(offer.given),
        "urgency": offer.urgency,
        "fields": {name: field_json(field) for name, field in offer.fields},
    }


def field_json(field: Field) -> dict[str, Any]:
    """Write what an open field may hold."""
    match field:
        case OneOf(values):
            return {"kind": "one_of", "values": list(values)}
        case SomeOf(values, least, most):
            return {"kind": "some_of", "values": list(values), "least": least, "most": most}
        case Amount(least, most, step):
            return {"kind": "amount", "least": least, "most": most, "step": step}
        case Bag(kinds, least, most):
            return {"kind": "bag", "kinds": dict(kinds), "least": least, "most": most or sum(dict(kinds).values())}
        case Dice(count, faces):
            return {"kind": "dice", "count": count, "faces": faces}
        case Parts(parts):
            return {"kind": "parts", "parts": {name: field_json(part) for name, part in parts}}
        case AnyOfThese(values):
            return {"kind": "any_of_these", "values": [{card: list(ids) for card, ids in way} for way in values]}
        case AnySet(values):
            return {"kind": "any_set", "values": [list(ids) for ids in values]}
        case Assignment(sites, workers):
            return {
                "kind": "assignment",
                "sites": {site: {place: list(code) for place, code in places} for site, places in sites},
                "workers": dict(workers),
            }
