"""Phase 4: all plan at once and in secret, then the plans are carried out together in turn order (D26)."""

from companion.engine.errors import Refused
from companion.engine.offers import Assignment, Offer
from companion.games.master_builder.building import section_names, team_of
from companion.games.master_builder.commands import Command, Plan
from companion.games.master_builder.effects import unfinished
from companion.games.master_builder.events import (
    Event,
    IncomePhaseBegan,
    PlanLocked,
    PlanVoided,
    SectionsBuilt,
    WorkersReturned,
)
from companion.games.master_builder.guards import contract_card, seated, worker_card
from companion.games.master_builder.plans import check, jobs, own_site
from companion.games.master_builder.state import Build, Here, Player


def can_build(player: Player) -> bool:
    """Say whether a player is waited for: with an unfinished contract and a worker face up."""
    return bool(unfinished(player)) and any(worker.face_up for worker in player.crew)


def waits(here: Here, phase: Build) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Say whom the table waits for, and which commands would move the game on."""
    locked = {plan.player for plan in phase.plans}
    players = (here.state.player(player) for player in here.state.turn_order)
    return tuple(one.id for one in players if one.id not in locked and can_build(one)), ("plan",)


def decide(here: Here, phase: Build, command: Command) -> list[Event]:
    """Lock a plan; a later one replaces it."""
    del phase  # every plan is judged for itself
    match command:
        case Plan(player, work):
            one = seated(here.state, player)
            planned = jobs(work)
            for contract in work:
                own_site(here.state, one, contract)
            check(here.state, one, planned)
            return [PlanLocked(player, planned)]
        case _:
            raise Refused("not_in_this_phase", phase="build")


def follow_up(here: Here, phase: Build) -> list[Event]:
    """Drop plans that a correction broke; when all have planned, build, return workers, go on."""
    for plan in phase.plans:
        try:
            check(here.state, here.state.player(plan.player), plan.work)
        except Refused:
            return [PlanVoided(plan.player)]
    if waits(here, phase)[0]:
        return []
    by_player = {plan.player: plan.work for plan in phase.plans}
    built = [SectionsBuilt(player, by_player[player]) for player in here.state.turn_order if by_player.get(player)]
    return [*built, WorkersReturned(), IncomePhaseBegan()]


def offers(here: Here, phase: Build, player: str) -> list[Offer]:
    """Offer planning to everybody who can build, until all have planned."""
    del phase  # a locked plan may be replaced, so it is offered on
    state = here.state
    one = state.player(player)
    if not can_build(one):
        return []
    sites = tuple(
        (
            site.contract,
            tuple(
                (section, team_of(contract_card(state, site.contract), section))
                for section in section_names(contract_card(state, site.contract).kind)
                if section not in site.built
            ),
        )
        for site in unfinished(one)
    )
    workers = tuple((worker.id, worker_card(state, worker.id).type) for worker in one.crew if worker.face_up)
    return [Offer("plan", player, fields=(("work", Assignment(sites, workers)),))]
