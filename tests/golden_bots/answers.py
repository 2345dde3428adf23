"""Answers of a table to a command: events or a refusal, in words too, and what everybody then sees, as short sums."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

from companion.engine.game import BANKER, SPECTATOR, Placement, Question, Refused
from companion.service.table.table import Request, Table
from companion.words import Words
from tests.golden_bots.words_then import words_then
from tests.golden_bots.wrong import Json

HOUSE_WORDS = ("yes", "no", "pass")
LATER_DETAILS = {
    "cannot_pay": frozenset({"bid", "free"}),
    "no_such_height": frozenset({"most"}),
    "not_a_multiple": frozenset({"least"}),
    "not_so_many_chips": frozenset({"place", "kind", "count", "there"}),
    "tray_is_short": frozenset({"count", "there"}),
}
"""What refusals say besides since these games were kept."""
LATER_FIGURES = frozenset({"offered"})
"""What positions tell besides since these games were kept."""
LATER_PRICES = frozenset({"mortgage_it", "lift_the_mortgage"})
"""Questions that say an amount, and can be answered, since these games were kept."""
LATER_REFUSALS = frozenset({"owes_nothing", "cannot_pay", "debts_first"})
"""What is said in place of such a question, since these games were kept, where the answer would be refused."""
SUM_LENGTH = 10
"""Long enough to differ by chance once in a million games of a million lines."""


def answer(table: Table, command: Json) -> Json:
    """Submit a command; return the answer."""
    words = words_then(table.game.manifest)
    try:
        entry = table.submit(Request(command, "banker", "play"))
    except Refused as refused:
        details = json.loads(json.dumps(dict(refused.details)))
        why = words.refusal(refused.rule, details, table.names(), table.catalog_json())
        return {"refused": refused.rule, "details": _details_then(refused.rule, details), "said": why}
    said = [words.event(event, table.names(), table.catalog_json()) for event in entry["events"]]
    return {"events": entry["events"], "said": said, **shown(table, words)}


def _details_then(rule: str, details: Json) -> Json:
    """Return details as refusals gave them when these games were kept: without some of their figures."""
    if rule == "position_faulty":
        faults = [{**fault, "details": _details_then(fault["rule"], fault["details"])} for fault in details["faults"]]
        return {**details, "faults": faults}
    return {name: value for name, value in details.items() if name not in LATER_DETAILS.get(rule, ())}


def position_then(position: Json) -> Json:
    """Return a position with the figures that it had when these games were kept."""
    return {key: value for key, value in position.items() if key not in LATER_FIGURES}


def shown(table: Table, words: Words) -> Json:
    """Return what is to be done in words; and the sums of all views, of all offers, and of the figures in words."""
    names, catalog = table.names(), table.catalog_json()
    viewers = (BANKER, SPECTATOR, *names)
    views = {viewer: table.show(viewer) for viewer in viewers}
    position = views[BANKER]["position"]
    then = position_then(position)
    figures = {key: words.described_figure(key, value, names, catalog) for key, value in then.items()}
    return {
        "moment": words.described_moment(position, names, catalog),
        "views": _sum([position_then(view["position"]) for view in views.values()]),
        "offers": _sum([_offers_then(view["offers"], position) for view in views.values()]),
        "figures": _sum([figures, _overview_text(table)]),
        "cards": _sum([repr(reading) for reading in _read(table)]),
    }


def _overview_text(table: Table) -> str:
    """Return the overview in the words of the code that kept these games: the sums were made of them."""
    return repr(table.overview).replace("seat_generation=", "sitter=").replace("StandingsRow(", "Place(")


def _read(table: Table) -> Iterator[Any]:
    """Return what each card and each command card would mean now, on each zone where there may be one."""
    game, position, can = table.game.rules, table.position, table.game.can
    if position is None:
        return
    pile = (("pile", "GOW"),)
    for card, zone, tops in product(sorted(table.cards()), ("tray", "pile", "discard"), ((), pile)):
        yield _reading_then(position, zone, game.read(position, Placement("place", card, card, zone, 1.0, tops)))
    words = (*HOUSE_WORDS, *table.game.manifest.command_cards.values())
    if can.command_card is not None:
        offers = [offer for player in (BANKER, *table.names()) for offer in game.offers(position, player)]
        for word in words:
            yield can.command_card(position, offers, word)


def _offers_then(offers: list[Json], position: Json) -> list[Json]:
    """Return offers as they were when these games were kept.

    There were no trades with the bank before the roll, and no money was asked for where it is hidden.
    """
    if position["game"] != "monopoly_builder":
        return offers
    early, hidden = position["phase"] in ("discard", "roll"), position["rules"].get("money") == "hidden"
    offers = [offer for offer in offers if not (early and offer["do"] == "bank_trade")]
    trades = [_without_asked_money(offer) if hidden and offer["do"] == "trade" else offer for offer in offers]
    return [offer for offer in trades if offer["do"] != "trade" or any(map(_parts, offer["fields"].values()))]


def _without_asked_money(trade: Json) -> Json:
    asked = {**trade["fields"]["get"], "parts": {**_parts(trade["fields"]["get"])}}
    asked["parts"].pop("money", None)
    return {**trade, "fields": {**trade["fields"], "get": asked}}


def _parts(field: Json) -> Json:
    return dict(field["parts"])


def _reading_then(position: Any, zone: str, reading: Any) -> Any:
    """Return what a card meant when these games were kept: without prices, and a jail card asked for an exchange."""
    if not isinstance(reading, Question):
        return reading
    if reading.rule in LATER_REFUSALS:
        owner = next(player for player in position.state.players if reading.card in player.deeds)
        rule = "lift_the_mortgage" if reading.card in owner.mortgaged else "mortgage_it"
        reading = replace(reading, rule=rule, details=(("card", reading.card), ("player", owner.id)))
    if reading.rule in LATER_PRICES:
        details = tuple(detail for detail in reading.details if detail[0] != "amount")
        return replace(reading, details=details, yes=None)
    kept = {card for player in position.state.players for card in getattr(player, "cards", ())}
    if (reading.rule, zone) == ("card_means_nothing", "tray") and reading.card in kept:
        return Question(reading.card, "say_the_exchange", (("card", reading.card),))
    return reading


def _sum(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:SUM_LENGTH]
