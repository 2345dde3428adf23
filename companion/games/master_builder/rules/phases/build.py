"""Phase 4: all plan at once and in secret, then the plans are carried out together in turn order (D26)."""

from companion.engine.game import Amount, Assignment, Offer, OneOf, Refused
from companion.engine.ledger import BOX
from companion.game_api.messages import Command, Event
from companion.game_api.seating import require_player, require_turn
from companion.games.master_builder.rules import events as e
from companion.games.master_builder.rules.building import at_hand, check, jobs, require_site, section_names, team_of
from companion.games.master_builder.rules.commands import HireOut, Plan
from companion.games.master_builder.rules.effects import unfinished_sites
from companion.games.master_builder.rules.state import (
    Build,
    GamePosition,
    Player,
    State,
    cash,
    contract_card,
    validate_amount,
    worker_card,
)

VARIANT = "loaning_workers"


def can_build(state: State, player: Player) -> bool:
    """Return whether a player has something to plan: an unfinished contract and a worker at hand."""
    return bool(unfinished_sites(player)) and bool(at_hand(state, player))


def hiring_out(state: State, phase: Build) -> bool:
    """Return whether workers may be lent: in the variant, until the first plan (V3)."""
    return VARIANT in state.variants and not phase.closed


def waits(position: GamePosition, phase: Build) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return whom the table waits for, and which commands would move the game on."""
    locked = {plan.player for plan in phase.plans}
    players = [position.state.player(player) for player in position.state.turn_order if player not in locked]
    everybody = VARIANT in position.state.variants
    waiting = tuple(player.id for player in players if everybody or can_build(position.state, player))
    if position.state.rules.plans == "open":
        waiting = waiting[:1]
    return waiting, (("plan", "hire_out") if hiring_out(position.state, phase) else ("plan",))


def decide(position: GamePosition, phase: Build, command: Command) -> list[Event]:
    """Lock a plan, which a later one replaces unless plans are open; or lend a worker before the first plan."""
    in_the_open = position.state.rules.plans == "open"
    match command:
        case HireOut():
            return [_lent(position, phase, command)]
        case Plan(player, work):
            if in_the_open:
                require_turn(player, waits(position, phase)[0])
            builder = require_player(position.state, player)
            planned = jobs(work)
            for contract in work:
                require_site(position.state, builder, contract)
            check(position.state, builder, planned)
            return [e.PlanLocked(player, planned, secret=not in_the_open)]
        case _:
            raise Refused("not_in_this_phase", phase="build")


def _lent(position: GamePosition, phase: Build, command: HireOut) -> e.WorkerLent:
    state = position.state
    owner, borrower = require_player(state, command.owner), require_player(state, command.borrower)
    worker_card(state, command.worker)
    if VARIANT not in state.variants:
        raise Refused("variant_not_played", variant=VARIANT)
    if phase.closed:
        raise Refused("too_late_to_lend")
    if owner.id == borrower.id:
        raise Refused("not_to_oneself", player=owner.id)
    if not owner.employs(command.worker):
        raise Refused("not_your_worker", player=owner.id, card=command.worker)
    if command.worker not in at_hand(state, owner):
        raise Refused("worker_not_free", card=command.worker)
    validate_amount(command.price)
    if cash(position, borrower.id) < command.price:
        seen = {} if state.money_is_hidden else {"cash": cash(position, borrower.id)}
        raise Refused("cannot_pay", player=borrower.id, amount=command.price, **seen)
    return e.WorkerLent(owner.id, command.worker, borrower.id, command.price)


def follow_up(position: GamePosition, phase: Build) -> list[Event]:
    """Drop plans that a correction broke; when all have planned, build, return workers, go on."""
    for plan in phase.plans:
        try:
            check(position.state, position.state.player(plan.player), plan.work)
        except Refused:
            return [e.PlanVoided(plan.player)]
    if waits(position, phase)[0]:
        return []
    by_player = {plan.player: plan.work for plan in phase.plans}
    built = [
        e.SectionsBuilt(player, by_player[player]) for player in position.state.turn_order if by_player.get(player)
    ]
    return [*built, e.WorkersReturned(), e.IncomePhaseBegan()]


def offers(position: GamePosition, phase: Build, player: str) -> list[Offer]:
    """Offer planning to everybody who can build, until all have planned; and lending where it is played."""
    state = position.state
    builder = state.player(player)
    lending = _lending(position, builder) if hiring_out(state, phase) else []
    waiting, _ = waits(position, phase)
    if player not in waiting and (state.rules.plans == "open" or not can_build(state, builder)):
        return lending
    sites = tuple(
        (
            site.contract,
            tuple(
                (section, team_of(contract_card(state, site.contract), section))
                for section in section_names(contract_card(state, site.contract).kind)
                if section not in site.built
            ),
        )
        for site in unfinished_sites(builder)
    )
    workers = tuple((worker, worker_card(state, worker).type) for worker in at_hand(state, builder))
    return [Offer("plan", player, fields=(("work", Assignment(sites, workers)),)), *lending]


def _lending(position: GamePosition, owner: Player) -> list[Offer]:
    """Offer to lend any worker at hand to anybody for what they can pay; where that is hidden, for any price."""
    unseen, dearest = position.state.money_is_hidden, -position.ledger.balance(BOX)
    own = tuple(worker for worker in at_hand(position.state, owner) if owner.employs(worker))
    others = tuple(player for player in position.state.turn_order if player != owner.id)
    if not own:
        return []
    return [
        Offer(
            "hire_out",
            owner.id,
            given=(("owner", owner.id), ("borrower", other)),
            fields=(("worker", OneOf(own)), ("price", Amount(0, dearest if unseen else cash(position, other)))),
            addressed=False,
        )
        for other in others
    ]
