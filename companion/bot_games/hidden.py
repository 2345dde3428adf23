"""Compare two positions of a game that differ only in what is hidden from a viewer, and try commands in both."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from random import Random
from types import MappingProxyType
from typing import Any

from companion.bot_games.games import filled_in
from companion.engine.game import BANKER, SPECTATOR, Amount, Offer, Position, Refused
from companion.engine.ledger import BANK, player_account, transfer
from companion.engine.timeline import fold
from companion.game_api.manifest import LoadedGame
from companion.game_api.messages import FieldType, field_types, verb_of
from companion.service.table.history import names_of, offer_json, open_to, shown_to

FIGURES = (0, 5, 50, 100, 500, 905, 1_000, 5_000, 13_000, 40_000, 600_000, -5, 7)
COUNTS = ("red", "purple", "green", "yellow", "orange")
ANYTHING: tuple[Any, ...] = ({}, {"red": 1}, {"red": 2, "green": 1}, "B2", True)
MORE_MONEY = (1, 5, 1_000, 40_000)
OTHER_FILLINGS = 8
"""Maximum number of draws until another secret choice differs."""


class RandomCommands:
    """Commands of every class by a player, with values of the right types: some possible, most of them not."""

    def __init__(
        self,
        game: LoadedGame,
        position: Position[Any],
        player: str,
        lots: Random,
        records: Mapping[str, Callable[[], Any]] = MappingProxyType({}),
    ) -> None:
        """Store by whom and with which cards and players commands are drawn; ``records`` draws those of a game."""
        self._game, self._player, self._lots, self._records = game, player, lots, records
        self._cards = sorted(game.cards.ids(game.cards.in_use(position.state)))
        self._people = (*game.rules.players(position), "bank")

    def draw(self, each: int) -> Iterator[Any]:
        """Yield ``each`` commands of every class, without those that are no command at all."""
        for kind in self._game.messages.commands:
            for _ in range(each):
                fields = field_types(kind).values()
                values = {
                    field.name: self._value(field) for field in fields if field.needed or self._lots.random() < 1 / 2
                }
                if "player" in values and self._lots.random() < 3 / 4:
                    values["player"] = self._player
                yield from self._readable({"do": verb_of(kind), **values})

    def of_offers(self, offers: Sequence[Offer]) -> Iterator[Any]:
        """Yield a command for every offer, with any figure where an amount is open."""
        for offer in offers:
            amounts = {name: self._lots.choice(FIGURES) for name, field in offer.fields if isinstance(field, Amount)}
            try:
                filled = filled_in(offer, self._lots)
            except (IndexError, ValueError):  # nothing to choose: noticed where the offer is taken
                continue
            yield from self._readable({**filled, **amounts})

    def _readable(self, command: Mapping[str, Any]) -> Iterator[Any]:
        try:
            yield self._game.codec.command(command)
        except Refused:
            return

    def _value(self, field: FieldType) -> Any:
        draw, holds = self._lots.choice, field.holds
        kind = None if holds is None else holds.of if holds.kind == "record" else holds.kind
        if holds is not None and holds.stays:
            return self._player
        values = {
            "person": draw(self._people),
            "place": draw(self._people),
            "money": draw(FIGURES),
            "thousands": draw(FIGURES),
            "count": draw(FIGURES),
            "card": [draw(self._cards)] if field.many else draw(self._cards),
            "choice": draw(field.values or COUNTS),
            "dice": [self._lots.randint(1, 6), self._lots.randint(1, 6)],
            "text": "why",
        }
        return (
            self._records[kind]()
            if kind is not None and kind in self._records
            else values.get(str(kind), draw(ANYTHING))
        )


def verb_of_command(command: object) -> str:
    """Return the ``do`` of a command."""
    return verb_of(type(command))


def asked_position(game: LoadedGame, position: Position[Any], command: Any, player: str) -> Position[Any]:
    """Return the position on which a player is answered: what others have to agree to is judged as far as is known."""
    consent = game.can.consent
    asks_others = consent is not None and consent(command) not in (None, player)
    return game.as_known(position, player) if asks_others else position


def answer(game: LoadedGame, position: Position[Any], command: Any, player: str) -> str:
    """Return what the rules answer a player: the reason of a refusal, or what happens by the command itself."""
    try:
        return repr(tuple(game.rules.decide(asked_position(game, position, command, player), command)))
    except Refused as refused:
        return repr((refused.rule, dict(refused.details)))


def appearance(game: LoadedGame, position: Position[Any], viewer: str) -> dict[str, str]:
    """Return all that a position shows to a viewer, as text by the function that tells it."""
    shown = {
        "view": json.dumps(game.view(position, viewer)),
        "offers": json.dumps([offer_json(offer) for offer in open_to(game.rules, position, viewer)]),
    }
    if game.can.scores is not None:
        shown["scores"] = repr(list(game.can.scores(position, viewer)))
    if game.can.needs is not None:
        for player in game.rules.players(position):
            shown[f"needs of {player}"] = _needs(game, position, player)
    return shown


def _needs(game: LoadedGame, position: Position[Any], player: str) -> str:
    try:
        return repr(game.can.needs(position, player, None) if game.can.needs is not None else None)
    except Refused as refused:
        return repr((refused.rule, dict(refused.details)))


def money_leaks(game: LoadedGame, position: Position[Any], lots: Random) -> Iterator[str]:
    """Yield what a viewer is told of the money of others although their view does not show it.

    Another position is made in which somebody has more money.  Where that changes a viewer's view, and the game does
    not declare it hidden, it is no secret; otherwise nothing that they are told may change.
    """
    rules, overview = game.rules, game.rules.overview(position)
    players = list(rules.players(position))
    accounts = dict(position.ledger.balances)
    for owner in players:
        if player_account(owner) not in accounts:
            continue
        richer = transfer(BANK, player_account(owner), lots.choice(MORE_MONEY))
        other = Position(position.state, position.ledger.post(richer))
        if rules.follow_up(other) or rules.overview(other) != overview:
            continue
        for viewer in (*players, SPECTATOR):
            declared = owner in game.money_hidden_from(position, viewer)
            if viewer != owner and (declared or _same(game.view, position, other, viewer)):
                yield from (
                    f"{leak} how much money {owner} has" for leak in _leaks(game, position, other, viewer, lots)
                )


@dataclass(frozen=True, slots=True)
class OtherChoice:
    """A secret choice with another one in its place: command, events and the position after them, of each.

    ``owners``: the names of the secret events by the players whose secrets they are.
    """

    owners: Mapping[str, str]
    made: tuple[Mapping[str, Any], Sequence[Mapping[str, Any]], Position[Any]]
    other: tuple[Mapping[str, Any], Sequence[Mapping[str, Any]], Position[Any]]

    @property
    def names(self) -> frozenset[str]:
        """The names of the secret events."""
        return frozenset(self.owners.values())


def other_choice(
    game: LoadedGame,
    position: Position[Any],
    offer: Offer,
    happened: tuple[Mapping[str, Any], Sequence[Mapping[str, Any]], Position[Any]],
    decide: Callable[[Mapping[str, Any]], tuple[Sequence[Mapping[str, Any]], Position[Any]]],
    lots: Random,
) -> OtherChoice | None:
    """Return a secret choice with another one in its place; ``None`` where it holds nothing back or there is no other.

    Args:
        game: the game.
        position: the position before the choice.
        offer: by which the choice was made.
        happened: the command, its events as JSON, and the position after them.
        decide: returns events and position of another command; raises ``Refused``.
        lots: of the other choice.

    """
    command, events, _ = happened
    secret = game.messages.secrets_among(names_of(events))
    owners = {
        owner: event["event"]
        for event in events
        if event["event"] in secret and (owner := _owner(game, event)) is not None
    }
    other = _other_choice(game, position, offer, (command, events), decide, lots) if owners else None
    return None if other is None else OtherChoice(owners, happened, other)


def choice_leaks(game: LoadedGame, choice: OtherChoice, lots: Random) -> Iterator[str]:
    """Yield what others are told of a secret choice as soon as it is made."""
    command, events, after = choice.made
    instead, other_events, other = choice.other
    secret, name = game.messages.secrets_among(names_of(events)), next(iter(choice.owners.values()))
    for viewer in _kept_from(game, choice):
        pair = ({"command": command, "events": events}, {"command": instead, "events": other_events})
        first, second = (shown_to(game, viewer, {**entry}, secret) for entry in pair)
        if first != second:
            if told_by := _telling_event(first, second, secret):
                ends = " or ".join(sorted(game.messages.revealed_by.get(name, game.messages.revealing)))
                yield f"{told_by} tells what {name} holds back until {ends or 'the game ends'}: name it in its Secret"
                return
            yield f"the journal tells {viewer} what {name} holds back: {_difference(first, second)}"
        elif game.rules.overview(after) != game.rules.overview(other):
            yield f"overview tells everybody what {name} holds back"
        elif viewer != BANKER:
            yield from (f"{leak} what {name} holds back" for leak in _leaks(game, after, other, viewer, lots))
        elif not _same(game.view, after, other, viewer):
            yield _told_to_banker(name)


def later_leaks(
    game: LoadedGame,
    choice: OtherChoice,
    since: Sequence[Mapping[str, Any]],
    read: Callable[[Mapping[str, Any]], Any],
    position: Position[Any],
) -> Iterator[str]:
    """Yield what a later position tells others of a choice that is still secret.

    The same events are folded with the other choice in its place.  Nothing can be said once one of them names what was
    chosen, as when a card of a hand is played, or where they do not follow from the other choice.

    Args:
        game: the game.
        choice: the choice with another one in its place.
        since: the events that have happened since, as JSON.
        read: reads an event.
        position: the position after them.

    """
    secret = game.messages.still_secret(choice.names, names_of(since))
    if secret != choice.names or (_values_in(choice.made[1]) ^ _values_in(choice.other[1])) & _values_in(since):
        return
    try:
        other = fold(game.rules, choice.other[2], [read(event) for event in since])
        if other is None or game.rules.follow_up(other) or game.rules.overview(other) != game.rules.overview(position):
            return
    except Exception:  # noqa: BLE001 - with the other choice this could not have happened
        return
    name = next(iter(choice.owners.values()))
    for viewer in _kept_from(game, choice):
        if viewer == BANKER:
            yield from () if _same(game.view, position, other, viewer) else (_told_to_banker(name),)
            continue
        shown, instead = appearance(game, position, viewer), appearance(game, other, viewer)
        yield from (
            f"{part} tells {viewer} later what {name} holds back"
            for part, text in shown.items()
            if text != instead[part]
        )


def _kept_from(game: LoadedGame, choice: OtherChoice) -> Iterator[str]:
    """Yield the viewers who may not see a secret choice."""
    for viewer in (*game.rules.players(choice.made[2]), BANKER, SPECTATOR):
        if viewer not in choice.owners and not (viewer == BANKER and game.messages.banker_sees & choice.names):
            yield viewer


def _told_to_banker(name: str) -> str:
    return f"view tells banker, whose tablet may lie in the middle, what {name} holds back without banker_sees"


def _values_in(events: Sequence[Mapping[str, Any]]) -> frozenset[Any]:
    """Return the ids and figures that events hold, however deep."""
    values, waiting = set[Any](), list[Any](events)
    while waiting:
        match waiting.pop():
            case dict() as members:
                waiting.extend((*members, *members.values()))
            case list() | tuple() as several:
                waiting.extend(several)
            case value:
                values.add(value)
    return frozenset(values)


def _other_choice(
    game: LoadedGame,
    position: Position[Any],
    offer: Offer,
    made: tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]],
    decide: Callable[[Mapping[str, Any]], tuple[Sequence[Mapping[str, Any]], Position[Any]]],
    lots: Random,
) -> tuple[Mapping[str, Any], Sequence[Mapping[str, Any]], Position[Any]] | None:
    """Return another choice with its events and position: of the same offer, or one that may look like it to others.

    Such as a pass in place of a sealed bid.  ``made``: the command and its events as JSON.
    """
    command, events = made
    secret = game.messages.secrets_among(names_of(events))

    def seen(happened: Sequence[Mapping[str, Any]]) -> Any:
        return shown_to(game, SPECTATOR, {"command": command, "events": happened}, secret)["events"]

    own = [other for other in open_to(game.rules, position, offer.player) if other.player == offer.player]
    others = [other for other in own if other.do != offer.do]
    for number in range(OTHER_FILLINGS):
        try:
            instead = filled_in(lots.choice(others) if others and number % 2 == 0 else offer, lots)
            other_events, after = decide(instead)
        except (Refused, IndexError, ValueError):  # an offer with nothing to choose is noticed where it is taken
            continue
        if names_of(other_events) != names_of(events) or list(other_events) == list(events):
            continue
        if instead["do"] == command["do"] or seen(other_events) == seen(events):
            return instead, other_events, after
    return None


def _owner(game: LoadedGame, event: Mapping[str, Any]) -> str | None:
    """Return whose secret an event is; of one that is covered in part its player."""
    owner = game.rules.secret_of(game.codec.event(event))
    return event.get("player") if owner is None and event["event"] in game.messages.covered else owner


def _difference(first: Mapping[str, Any], second: Mapping[str, Any]) -> str:
    """Return the first events that differ, short enough for a line."""
    pairs = zip(first["events"], second["events"], strict=False)
    return next((f"{mine} or {other}" for mine, other in pairs if mine != other), "the command")[:160]


def _telling_event(first: Mapping[str, Any], second: Mapping[str, Any], secret: Collection[str]) -> str | None:
    """Return the name of the first event that differs, if nobody holds it back."""
    pairs = zip(first["events"], second["events"], strict=False)
    name = next((str(mine["event"]) for mine, other in pairs if mine != other), None)
    return None if name in secret else name


def _same(
    show: Callable[[Position[Any], str], Any], position: Position[Any], other: Position[Any], viewer: str
) -> bool:
    return bool(show(position, viewer) == show(other, viewer))


def _leaks(game: LoadedGame, position: Position[Any], other: Position[Any], viewer: str, lots: Random) -> Iterator[str]:
    """Yield by what a viewer could tell two positions apart."""
    shown, instead = appearance(game, position, viewer), appearance(game, other, viewer)
    yield from (f"{part} tells {viewer}" for part, text in shown.items() if text != instead[part])
    if viewer == SPECTATOR:
        return
    commands = RandomCommands(game, position, viewer, lots)
    for command in (*commands.draw(1), *commands.of_offers(open_to(game.rules, position, viewer))):
        if game.rules.author(position, command) != viewer:
            continue
        replies = [answer(game, at, command, viewer) for at in (position, other)]
        if replies[0] != replies[1]:
            yield f"the answer to {verb_of_command(command)} ({replies[0][:80]} or {replies[1][:80]}) tells {viewer}"
            return


def json_fault(value: Any, place: str) -> str | None:
    """Return where a value is no JSON, and why; ``None`` if it is."""
    if value is None or isinstance(value, str | bool | int):
        return None
    if isinstance(value, float):
        return None if isfinite(value) else f"{place or 'it'} is {value}"
    whole: Any = value
    if isinstance(value, Mapping):
        strange = next((key for key in whole if not isinstance(key, str)), None)
        if strange is not None:
            return f"{place or 'it'} has the key {strange!r}, which is no text"
        parts = [(whole[key], f"{place}.{key}".lstrip(".")) for key in whole]
    elif isinstance(value, list | tuple):
        parts = [(member, f"{place}[{number}]") for number, member in enumerate(whole)]
    else:
        return f"{place or 'it'} is a {type(value).__name__}"
    return next(filter(None, (json_fault(member, where) for member, where in parts)), None)
