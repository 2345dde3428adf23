"""Phase 3: the start player turns a card, and one player after the other meets all its effects in order."""

from companion.engine.game import AnyOfThese, AnySet, Offer, OneOf, Refused, SomeOf
from companion.game_api.messages import Command, Event
from companion.game_api.seating import require_turn
from companion.games.master_builder.rules import events as e
from companion.games.master_builder.rules.catalog import Effect
from companion.games.master_builder.rules.commands import Borrow, ChooseSections, ChooseWorkers, TurnEvent
from companion.games.master_builder.rules.effects import (
    MoneyToBorrow,
    Outcome,
    SectionsToChoose,
    WorkersToChoose,
    WorkersToDismiss,
    just_enough,
    on_workers,
    outcome,
    overflow,
)
from companion.games.master_builder.rules.loans import lend, loan_offers
from companion.games.master_builder.rules.state import (
    WAGE_LIMIT,
    Events,
    GamePosition,
    State,
    event_card,
    require_distinct_cards,
)

TO_BE_ANSWERED = (WorkersToChoose, SectionsToChoose, WorkersToDismiss, MoneyToBorrow)


def waits(position: GamePosition, phase: Events) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return whom the table waits for, and which commands would move the game on."""
    if phase.card is None or phase.player is None:
        return (position.state.start,), ("turn_event",)
    match _pending(position, phase, phase.player):
        case MoneyToBorrow():
            return (phase.player,), ("borrow",)
        case SectionsToChoose():
            return (phase.player,), ("choose_sections",)
        case _:
            return (phase.player,), ("choose_workers",)


def _effect(position: GamePosition, phase: Events) -> Effect | None:
    if phase.card is None:
        return None
    effects = event_card(position.state, phase.card).effects
    return effects[phase.step] if phase.step < len(effects) else None


def _pending(position: GamePosition, phase: Events, player: str) -> Outcome | None:
    effect = _effect(position, phase)
    player_state = position.state.player(player)
    return overflow(position.state, player_state) if effect is None else outcome(position, phase, player_state, effect)


def decide(position: GamePosition, phase: Events, command: Command) -> list[Event]:
    """Turn the card and take the owners' choices."""
    match command:
        case TurnEvent(card, from_hand):
            return [_turned(position, phase, card, from_hand=from_hand)]
        case Borrow(player, loan):
            require_turn(player, waits(position, phase)[0])
            if "borrow" not in waits(position, phase)[1]:
                raise Refused("not_in_this_phase", phase="events")
            return [lend(position.state, player, loan)]
        case ChooseWorkers(player, workers):
            require_turn(player, waits(position, phase)[0])
            return [_workers(position, phase, player, workers)]
        case ChooseSections(player, sections):
            require_turn(player, waits(position, phase)[0])
            chosen = tuple(e.Razed(card, tuple(sorted(names))) for card, names in sorted(sections.items()) if names)
            return [_sections(position, phase, player, chosen)]
        case _:
            raise Refused("not_in_this_phase", phase="events")


def plays_from_hand(state: State, phase: Events) -> bool:
    """Return whether the start player must play a card of their hand: the first of a round, while any is left (V2)."""
    return is_from_hand(phase.drawn, state.player(state.start).event_hand)


def is_from_hand(drawn: int, in_hand: int) -> bool:
    """Return whether the next event is from the start player's hand: the first of a round, while they have any (V2)."""
    return drawn == 0 and in_hand > 0


def cards_a_round(state: State) -> int:
    """Return how many events a round has: one, or two in the variant ``additional_events`` (V4)."""
    return 2 if "additional_events" in state.variants else 1


def _turned(position: GamePosition, phase: Events, card: str, *, from_hand: bool) -> e.EventTurned:
    event_card(position.state, card)
    if phase.card is not None:
        raise Refused("event_not_due", card=phase.card)
    if card in position.state.turned_events:
        raise Refused("turned_before", card=card)
    if from_hand != plays_from_hand(position.state, phase):
        raise Refused("no_event_in_hand" if from_hand else "event_from_hand", player=position.state.start)
    return e.EventTurned(card, position.state.turn_order, from_hand)


def _workers(position: GamePosition, phase: Events, player: str, workers: tuple[str, ...]) -> Event:
    pending = _pending(position, phase, player)
    effect = _effect(position, phase)
    if isinstance(pending, WorkersToDismiss):
        if not just_enough(position.state.player(player), workers, pending.excess):
            raise Refused("dismiss_just_enough", limit=WAGE_LIMIT)
        return e.WorkersDismissed(player, tuple(sorted(workers)))
    if not isinstance(pending, WorkersToChoose) or effect is None:
        raise Refused("no_workers_to_choose", player=player)
    require_distinct_cards(workers)
    for worker in workers:
        if worker not in pending.workers:
            raise Refused("worker_not_among_them", card=worker, choices=pending.workers)
    if len(workers) != pending.count:
        raise Refused("choose_so_many", count=pending.count)
    return on_workers(position.state.player(player), effect, tuple(sorted(workers)))


def _sections(position: GamePosition, phase: Events, player: str, chosen: tuple[e.Razed, ...]) -> Event:
    pending = _pending(position, phase, player)
    if not isinstance(pending, SectionsToChoose):
        raise Refused("no_sections_to_choose", player=player)
    if chosen not in pending.ways:
        count = sum(len(razed.sections) for razed in pending.ways[0])
        raise Refused("sections_cannot_go", player=player, count=count)
    return e.SectionsRazed(player, chosen)


def follow_up(position: GamePosition, phase: Events) -> list[Event]:
    """Carry out what leaves no choice, let the card come to the next player, or begin phase 4."""
    if phase.card is None:
        return []
    if phase.player is not None:
        pending = _pending(position, phase, phase.player)
        if isinstance(pending, TO_BE_ANSWERED):
            return []
        if pending is not None:
            return [pending]
    if phase.rest:
        return [e.EventReached(phase.rest[0])]
    return [e.NextEventDue()] if phase.drawn < cards_a_round(position.state) else [e.BuildPhaseBegan()]


def offers(position: GamePosition, phase: Events, player: str) -> list[Offer]:
    """Offer turning the card to the start player, choices to whom they fall."""
    if player not in waits(position, phase)[0]:
        return []
    if phase.card is None:
        unturned = tuple(
            card.id for card in position.state.catalog.events if card.id not in position.state.turned_events
        )
        hand = (("from_hand", True),) if plays_from_hand(position.state, phase) else ()
        return [Offer("turn_event", player, hand, (("card", OneOf(unturned)),), addressed=False)]
    pending = _pending(position, phase, player)
    possible: list[Offer] = []
    if isinstance(pending, WorkersToChoose):
        some = SomeOf(pending.workers, pending.count, pending.count)
        possible.append(Offer("choose_workers", player, fields=(("workers", some),)))
    if isinstance(pending, WorkersToDismiss):
        possible.append(Offer("choose_workers", player, fields=(("workers", AnySet(pending.ways)),)))
    if isinstance(pending, SectionsToChoose):
        ways = tuple(tuple((razed.contract, razed.sections) for razed in way) for way in pending.ways)
        possible.append(Offer("choose_sections", player, fields=(("sections", AnyOfThese(ways)),)))
    return [*possible, *loan_offers(position.state, player)] if isinstance(pending, MoneyToBorrow) else possible
