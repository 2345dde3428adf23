"""Steps of play as frozen values: whom a step waits for, what they may do, and what an event makes of it.

A game holds the step that it is in as a part of its state.  What is possible is written once, as offers: a command is
accepted exactly if an offer covers it (``require_offered``), so that buttons, bots, cards and refusals agree.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from typing import Any, ClassVar, Self

from companion.engine.game import (
    LARGEST,
    Amount,
    AnyOfThese,
    AnySet,
    Assignment,
    Bag,
    Dice,
    Field,
    Offer,
    OneOf,
    Parts,
    Position,
    Refused,
    Site,
    SomeOf,
)
from companion.engine.ledger import player_account
from companion.game_api.messages import field_types, spelled, verb_of


def cash(position: Position[Any], player: str) -> int:
    """Return a player's money."""
    return position.ledger.balance(player_account(player))


class PlayStep:
    """A step of play; steps are frozen dataclasses, and games derive their own.

    ``phase`` names it in positions, and in the words of the game (context ``phase``).
    """

    __slots__ = ()
    phase: ClassVar[str] = ""

    def waiting_for(self) -> tuple[str, ...]:
        """Return the players for whom the table waits; by default nobody, as where ``follow_up`` goes on by itself."""
        return ()

    def offers(self, position: Position[Any], player: str) -> Sequence[Offer]:
        """Return what a player may do for whom the step waits; by default nothing."""
        del position, player
        return ()

    def decide(self, position: Position[Any], command: Any) -> Sequence[Any]:
        """Return the events of a command that is covered by an offer of this step; by default raise ``Refused``."""
        del position, command
        raise Refused("not_now", phase=self.phase)

    def after(self, event: Any) -> "PlayStep":
        """Return the step after an event; by default nothing changes it."""
        del event
        return self

    def follow_up(self, position: Position[Any]) -> Sequence[Any]:
        """Return the events by which the step ends or goes on unasked; none while it waits for somebody."""
        del position
        return ()

    def view(self, viewer: str) -> Mapping[str, Any]:
        """Return what a viewer may see of the step, as members of the position."""
        del viewer
        return {}


@dataclass(frozen=True, slots=True)
class Finished(PlayStep):
    """The game is over."""

    phase: ClassVar[str] = "finished"

    def decide(self, position: Position[Any], command: Any) -> Sequence[Any]:
        """Raise ``Refused``: nothing happens any more."""
        del position, command
        raise Refused("game_over")


@dataclass(frozen=True, slots=True)
class TurnStep(PlayStep):
    """A step in which the players act one after the other, clockwise.  A game derives it for its offers.

    Attributes:
        order: The players in turn order.
        player: Whose turn it is.
        round: How often everybody has had a turn, from 1.
        passed: The players who are out for the rest of the step.
    """

    order: tuple[str, ...]
    player: str
    round: int = 1
    passed: tuple[str, ...] = ()

    def waiting_for(self) -> tuple[str, ...]:
        """Return whose turn it is; nobody once all have passed."""
        return () if self.everybody_passed else (self.player,)

    @property
    def everybody_passed(self) -> bool:
        """True once nobody is left who could have a turn."""
        return set(self.order) <= set(self.passed)

    def next(self) -> Self:
        """Return the turn of the next player who has not passed; a new round where it comes around."""
        place = self.order.index(self.player)
        following = [player for player in self.order[place + 1 :] if player not in self.passed]
        around = [player for player in self.order[: place + 1] if player not in self.passed]
        if following:
            return replace(self, player=following[0])
        return replace(self, player=around[0], round=self.round + 1) if around else self

    def without(self, player: str) -> Self:
        """Return the next turn after a player has passed for the rest of the step; who has passed already stays so."""
        left = self if player in self.passed else replace(self, passed=(*self.passed, player))
        return left.next() if player == self.player else left


# A command is possible if an offer covers it.


def require_offered(offers: Sequence[Offer], command: Any, step: PlayStep) -> None:
    """Raise ``Refused``, with the reason, unless an offer covers a command.

    Args:
        offers: What the sender of the command may do.
        command: A dataclass; its ``player`` is the sender.
        step: The step that the game is in.

    Raises:
        Refused: ``game_over``, ``not_your_turn``, ``not_now`` where no offer is of this kind; else what is wrong with
            the first field that does not fit.

    """
    verb = verb_of(type(command))
    alike = [offer for offer in offers if offer.do == verb]
    if not alike:
        raise _not_offered_at_all(command, step)
    faults = [fault_of(offer, command) for offer in alike]
    if all(faults):
        nearest = [fault for fault in faults if fault is not None and fault.rule != "not_offered"]
        raise nearest[0] if nearest else Refused("not_offered")


def _not_offered_at_all(command: Any, step: PlayStep) -> Refused:
    waiting = step.waiting_for()
    if isinstance(step, Finished):
        return Refused("game_over")
    if waiting and command.player not in waiting:
        return Refused("not_your_turn", player=command.player, waiting=waiting)
    return Refused("not_now", phase=step.phase)


def fault_of(offer: Offer, command: Any) -> Refused | None:
    """Return what in a command an offer does not cover; ``None``: it covers it, as far as assignments say."""
    if verb_of(type(command)) != offer.do:
        return Refused("not_offered")
    given: dict[str, Any] = dict(offer.given)
    if offer.addressed:
        given["player"] = offer.player
    open_fields = dict(offer.fields)
    for declared in fields(command):
        name, value = spelled(declared.name), getattr(command, declared.name)
        if name in open_fields:
            fault = _fault_of_value(open_fields[name], value, _kind(command, declared.name))
            if fault is not None:
                return fault
        elif (name in given and value != given[name]) or (name not in given and not _is_usual(declared, value)):
            return Refused("not_offered")
    return None


def _is_usual(declared: Any, value: Any) -> bool:
    """Return whether a field that an offer leaves out holds what it usually does; one without a default is free."""
    if declared.default_factory is not MISSING:
        return bool(value == declared.default_factory())
    return declared.default is MISSING or bool(value == declared.default)


def _kind(command: Any, name: str) -> str:
    """Return what a field of a command holds, such as ``card`` or ``money``; ``""`` where it does not say."""
    kind: type = type(command)
    holds = field_types(kind)[name].holds
    return "" if holds is None else holds.kind


def _wrong_choice(values: Collection[str], chosen: Sequence[Any]) -> Any:
    """Return the first choice that is none of the values, else one that was made twice; ``None``: all are well."""
    strange = next((choice for choice in chosen if choice not in values), None)
    return (
        strange
        if strange is not None
        else next((choice for choice, times in Counter(chosen).items() if times > 1), None)
    )


def _fault_of_value(field: Field, value: Any, kind: str) -> Refused | None:
    """Return what is wrong with the value of an open field; ``None``: it is one that the field may hold."""
    match field:
        case OneOf(values):
            return None if value in values else _unknown_value(value, kind)
        case SomeOf(values, least, most):
            wrong = _wrong_choice(values, value)
            return _number_fault(len(value), least, most) if wrong is None else _unknown_value(wrong, kind)
        case Amount():
            return _amount_fault(field, value, kind)
        case Bag(kinds, least, most):
            counts = dict(value)
            beyond = any(not 0 < count <= dict(kinds).get(name, 0) for name, count in counts.items())
            return Refused("not_offered") if beyond else _number_fault(sum(counts.values()), least, most or LARGEST)
        case AnyOfThese(values):
            chosen = tuple((card, tuple(ids)) for card, ids in value.items())
            return None if chosen in values else Refused("not_offered")
        case Assignment(sites, ids):
            return None if _is_assigned(sites, dict(ids), value) else Refused("not_offered")
        case Dice(count, faces):
            fits = len(value) == count and all(0 < face <= faces for face in value)
            return None if fits else Refused("not_offered")
        case AnySet(values):
            return None if sorted(value) in (sorted(chosen) for chosen in values) else Refused("not_offered")
        case Parts(parts) if is_dataclass(value):
            return _fault_of_parts(dict(parts), value)
        case _:
            return None  # what is wrong with parts of another kind is for the step to say


def _is_assigned(sites: Sequence[Site], ids: Collection[str], value: Mapping[str, Any]) -> bool:
    """Return whether only open places are filled, with nobody twice; whether teams fit is for the step to say."""
    open_places = {(site, place) for site, places in sites for place, _ in places}
    filled = {(site, place) for site, teams in value.items() for place in teams}
    busy = [member for teams in value.values() for team in teams.values() for member in team]
    return filled <= open_places and len(set(busy)) == len(busy) and set(busy) <= set(ids)


def _fault_of_parts(parts: Mapping[str, Field], value: Any) -> Refused | None:
    for declared in fields(value):
        name, part = spelled(declared.name), getattr(value, declared.name)
        if _is_usual(declared, part):
            continue
        fault = (
            _fault_of_value(parts[name], part, _kind(value, declared.name)) if name in parts else Refused("not_offered")
        )
        if fault is not None:
            return fault
    return None


def _unknown_value(value: Any, kind: str) -> Refused:
    return Refused("card_not_offered", card=str(value)) if kind == "card" else Refused("not_offered")


def _number_fault(number: int, least: int, most: int) -> Refused | None:
    if number < least:
        return Refused("too_few", least=least)
    return Refused("too_many", most=most) if number > most else None


def _amount_fault(field: Amount, value: int, kind: str) -> Refused | None:
    if kind != "money":
        fault = _number_fault(value, field.least, field.most)
    elif value < field.least:
        fault = Refused("too_little", least_amount=field.least)
    else:  # how much there is may be hidden, and is not told
        fault = Refused("too_much", refused_amount=value) if value > field.most else None
    if fault is None and (value - field.least) % field.step:
        return Refused("not_in_steps", step_amount=field.step)
    return fault
