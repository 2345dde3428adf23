"""Phase 3: the start player turns a card, and one player after the other meets all its effects in order."""

from companion.engine.errors import Refused
from companion.engine.offers import AnyOfThese, Offer, OneOf, SomeOf
from companion.games.master_builder.catalog import Effect
from companion.games.master_builder.commands import ChooseSections, ChooseWorkers, Command, TurnEvent
from companion.games.master_builder.effects import (
    Outcome,
    SectionsToChoose,
    WorkersToChoose,
    on_workers,
    outcome,
)
from companion.games.master_builder.events import (
    BuildPhaseBegan,
    Event,
    EventReached,
    EventTurned,
    Razed,
    SectionsRazed,
)
from companion.games.master_builder.guards import all_different, event_card, turn_of
from companion.games.master_builder.state import Events, Here


def waits(here: Here, phase: Events) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Say whom the table waits for, and which commands would move the game on."""
    if phase.card is None or phase.player is None:
        return (here.state.start,), ("turn_event",)
    pending = _pending(here, phase, phase.player)
    wanted = "choose_workers" if isinstance(pending, WorkersToChoose) else "choose_sections"
    return (phase.player,), (wanted,)


def _effect(here: Here, phase: Events) -> Effect | None:
    if phase.card is None:
        return None
    effects = event_card(here.state, phase.card).effects
    return effects[phase.step] if phase.step < len(effects) else None


def _pending(here: Here, phase: Events, player: str) -> Outcome | None:
    effect = _effect(here, phase)
    return None if effect is None else outcome(here, phase, here.state.player(player), effect)


def choices(here: Here, phase: Events, player: str) -> tuple[WorkersToChoose | None, SectionsToChoose | None]:
    """Say what a player has to choose now: workers, or sections, or nothing."""
    pending = _pending(here, phase, player)
    workers = pending if isinstance(pending, WorkersToChoose) else None
    return workers, pending if isinstance(pending, SectionsToChoose) else None


def decide(here: Here, phase: Events, command: Command) -> list[Event]:
    """Turn the card and take the owners' choices."""
    match command:
        case TurnEvent(card):
            return [_turned(here, phase, card)]
        case ChooseWorkers(player, workers):
            turn_of(player, waits(here, phase)[0])
            return [_workers(here, phase, player, workers)]
        case ChooseSections(player, sections):
            turn_of(player, waits(here, phase)[0])
            chosen = tuple(Razed(card, tuple(sorted(names))) for card, names in sorted(sections.items()) if names)
            return [_sections(here, phase, player, chosen)]
        case _:
            raise Refused("not_in_this_phase", phase="events")


def _turned(here: Here, phase: Events, card: str) -> EventTurned:
    event_card(here.state, card)
    if phase.card is not None:
        raise Refused("event_not_due", card=phase.card)
    if card in here.state.turned_events:
        raise Refused("turned_before", card=card)
    return EventTurned(card, here.state.turn_order)


def _workers(here: Here, phase: Events, player: str, workers: tuple[str, ...]) -> Event:
    pending = _pending(here, phase, player)
    effect = _effect(here, phase)
    if not isinstance(pending, WorkersToChoose) or effect is None:
        raise Refused("no_workers_to_choose", player=player)
    all_different(workers)
    for worker in workers:
        if worker not in pending.workers:
            raise Refused("worker_not_among_them", card=worker, choices=pending.workers)
    if len(workers) != pending.count:
        raise Refused("choose_so_many", count=pending.count)
    return on_workers(here.state.player(player), effect, tuple(sorted(workers)))


def _sections(here: Here, phase: Events, player: str, chosen: tuple[Razed, ...]) -> Event:
    pending = _pending(here, phase, player)
    if not isinstance(pending, SectionsToChoose):
        raise Refused("no_sections_to_choose", player=player)
    if chosen not in pending.ways:
        count = sum(len(razed.sections) for razed in pending.ways[0])
        raise Refused("sections_cannot_go", player=player, count=count)
    return SectionsRazed(player, chosen)


def follow_up(here: Here, phase: Events) -> list[Event]:
    """Carry out what leaves no choice, let the card come to the next player, or begin phase 4."""
    if phase.card is None:
        return []
    if phase.player is not None:
        pending = _pending(here, phase, phase.player)
        if isinstance(pending, WorkersToChoose | SectionsToChoose):
            return []
        if pending is not None:
            return [pending]
    return [EventReached(phase.rest[0])] if phase.rest else [BuildPhaseBegan()]


def offers(here: Here, phase: Events, player: str) -> list[Offer]:
    """Offer turning the card to the start player, choices to whom they fall."""
    if player not in waits(here, phase)[0]:
        return []
    if phase.card is None:
        unturned = tuple(card.id for card in here.state.catalog.events if card.id not in here.state.turned_events)
        return [Offer("turn_event", player, fields=(("card", OneOf(unturned)),), addressed=False)]
    workers, sections = choices(here, phase, player)
    possible: list[Offer] = []
    if workers is not None:
        some = SomeOf(workers.workers, workers.count, workers.count)
        possible.append(Offer("choose_workers", player, fields=(("workers", some),)))
    if sections is not None:
        ways = tuple(tuple((razed.contract, razed.sections) for razed in way) for way in sections.ways)
        possible.append(Offer("choose_sections", player, fields=(("sections", AnyOfThese(ways)),)))
    return possible
