"""Phase 1: hire and fire.

Round 1: five laps in which everybody hires one worker.  Later: three opportunities each, one act at a time,
clockwise (ruling D02).  Nobody hires past a wage total of 30,000 (D06).
"""

from companion.engine.game import Offer, OneOf, Refused
from companion.game_api.messages import Command, Event
from companion.game_api.seating import require_turn
from companion.games.master_builder.rules import events as e
from companion.games.master_builder.rules.catalog import WorkerType
from companion.games.master_builder.rules.commands import FireWorker, HireWorker, LookThrough, Pass
from companion.games.master_builder.rules.house_rules import Rules
from companion.games.master_builder.rules.state import (
    FIRST_LAPS,
    WAGE_LIMIT,
    GamePosition,
    Hire,
    Player,
    State,
    cash,
    worker_card,
)

LAPS = 3
MOST_LAPS = 20
"""A bound for the house rule ``until_all_pass``, under which hiring and firing could go on for ever."""
UNTIL_ALL_PASS = "until_all_pass"  # noqa: S105 - a house rule, no password
VARIANT = "choosing_workers"
LOOK_FEE = 1_000
TYPES: tuple[WorkerType, ...] = ("A", "T", "F", "MC")


def waits(position: GamePosition, phase: Hire) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return whom the table waits for, and which commands would move the game on."""
    expects: tuple[str, ...] = ("hire_worker",)
    if position.state.round > 1:
        expects = ("hire_worker", "pass") if phase.looked else ("hire_worker", "fire_worker", "pass")
    if VARIANT in position.state.variants and phase.looked is None:
        expects = (*expects, "look_through")
    return (phase.player,), expects


def decide(position: GamePosition, phase: Hire, command: Command) -> list[Event]:
    """Let the player whose opportunity it is hire, fire or pass."""
    state = position.state
    match command:
        case HireWorker(player, worker):
            require_turn(player, (phase.player,))
            return [_hired(state, phase, state.player(player), worker)]
        case FireWorker(player, worker):
            require_turn(player, (phase.player,))
            return [_fired(state, phase, state.player(player), worker)]
        case LookThrough(player, kind):
            require_turn(player, (phase.player,))
            return [_looked(position, phase, player, kind)]
        case Pass(player, rest):
            require_turn(player, (phase.player,))
            if state.round == 1:
                raise Refused("no_pass_in_round_1", player=player)
            if rest and state.rules.hire_fire == UNTIL_ALL_PASS:
                raise Refused("rest_does_not_exist")
            return [e.OpportunityPassed(player, rest)]
        case _:
            raise Refused("not_in_this_phase", phase="hire")


def _hired(state: State, phase: Hire, player: Player, worker: str) -> e.WorkerHired:
    card = worker_card(state, worker)
    if phase.looked is not None and card.type != phase.looked:
        raise Refused("hire_from_that_pile", type=phase.looked)
    employer = state.employer(worker)
    if employer is not None:
        raise Refused("worker_taken", card=worker, owner=employer.id)
    total = player.wages + card.wage
    if total > WAGE_LIMIT or player.wages >= WAGE_LIMIT:
        raise Refused("wage_limit", player=player.id, wages=total, limit=WAGE_LIMIT)
    return e.WorkerHired(player.id, worker, card.wage)


def _looked(position: GamePosition, phase: Hire, player: str, kind: WorkerType) -> e.PileLookedThrough:
    """Pay for a look: once an opportunity, into a pile that is not empty, and in round 1 not in vain (V1)."""
    if VARIANT not in position.state.variants:
        raise Refused("variant_not_played", variant=VARIANT)
    if phase.looked is not None:
        raise Refused("looked_already")
    supply = in_supply(position.state, kind)
    if not supply:
        raise Refused("pile_is_empty", type=kind)
    if position.state.round == 1 and not set(supply) & set(hireable(position.state, position.state.player(player))):
        raise Refused("nobody_fits_there", type=kind)
    if cash(position, player) < LOOK_FEE:
        raise Refused("cannot_pay", player=player, amount=LOOK_FEE, cash=cash(position, player))
    return e.PileLookedThrough(player, kind, LOOK_FEE)


def _fired(state: State, phase: Hire, player: Player, worker: str) -> e.WorkerFired:
    card = worker_card(state, worker)
    if phase.looked is not None:
        raise Refused("hire_from_that_pile", type=phase.looked)
    if state.round == 1:
        raise Refused("no_firing_in_round_1", player=player.id)
    if not player.employs(worker):
        raise Refused("not_your_worker", player=player.id, card=worker)
    due = next(employed.due for employed in player.crew if employed.id == worker)
    return e.WorkerFired(player.id, worker, None if due == card.wage else due)


def in_supply(state: State, kind: WorkerType | None = None) -> tuple[str, ...]:
    """Return the workers in the supply, of one type or of all."""
    employed = {worker.id for player in state.players for worker in player.crew}
    return tuple(
        card.id for card in state.catalog.workers if card.id not in employed and (kind is None or card.type == kind)
    )


def hireable(state: State, player: Player, kind: WorkerType | None = None) -> tuple[str, ...]:
    """Return the workers in the supply whom a player may hire."""
    room = WAGE_LIMIT - player.wages
    if room <= 0:
        return ()
    return tuple(worker for worker in in_supply(state, kind) if worker_card(state, worker).wage <= room)


def follow_up(position: GamePosition, phase: Hire) -> list[Event]:
    """Pass the opportunity on, or begin phase 2."""
    state = position.state
    if not phase.used:
        if state.round == 1 and not hireable(state, state.player(phase.player), phase.looked):
            return [e.OpportunityLapsed(phase.player)]
        return []
    number = len(state.seats)
    if state.round > 1 and state.rules.hire_fire == UNTIL_ALL_PASS and phase.passes >= number:
        return [contracts_phase(state)]
    place = (phase.lap - 1) * number + lap_order(state, phase.lap).index(phase.player) + 1
    for turn in range(place, phase.laps * number):
        lap = turn // number + 1
        player = lap_order(state, lap)[turn % number]
        if player not in phase.rested and not is_full(state, player):
            return [e.OpportunityCame(player, lap)]
    return [contracts_phase(state)]


def is_full(state: State, player: str) -> bool:
    """Return whether laps of round 1 that follow the crews pass a player over: they have a worker for each."""
    return state.by_crews and state.round == 1 and len(state.player(player).crew) >= FIRST_LAPS


def lap_order(state: State, lap: int) -> tuple[str, ...]:
    """Return the order of a lap: clockwise, or by house rule every second lap of round 1 back again (D04)."""
    back = state.rules.round1_draft == "snake" and state.round == 1 and lap % 2 == 0
    return state.turn_order[::-1] if back else state.turn_order


def laps(rules: Rules) -> int:
    """Return how many laps phase 1 has from round 2 on at most (D02)."""
    return MOST_LAPS if rules.hire_fire == UNTIL_ALL_PASS else LAPS


def contracts_phase(state: State) -> e.ContractsPhaseBegan:
    """Return what phase 2 begins with: round 1 shows one contract more than players, later the economy says."""
    if state.round == 1:
        return e.ContractsPhaseBegan(economy_due=False, reveal_due=min(state.deck, len(state.players) + 1))
    left = state.deck > 0 or bool(state.display)
    return e.ContractsPhaseBegan(economy_due=left and state.economy > 0, reveal_due=0)


def offers(position: GamePosition, phase: Hire, player: str) -> list[Offer]:
    """Offer hiring, firing and passing to the player whose opportunity it is."""
    if player != phase.player:
        return []
    employer = position.state.player(player)
    possible: list[Offer] = []
    supply = hireable(position.state, employer, phase.looked)
    if supply:
        possible.append(Offer("hire_worker", player, fields=(("worker", OneOf(supply)),)))
    possible += _look_offers(position, phase, player)
    if position.state.round == 1:
        return possible
    if employer.crew and phase.looked is None:
        crew = tuple(worker.id for worker in employer.crew)
        possible.append(Offer("fire_worker", player, fields=(("worker", OneOf(crew)),)))
    possible.append(Offer("pass", player))
    if phase.lap < phase.laps and position.state.rules.hire_fire != UNTIL_ALL_PASS:
        possible.append(Offer("pass", player, given=(("rest", True),)))
    return possible


def _look_offers(position: GamePosition, phase: Hire, player: str) -> list[Offer]:
    """Offer a look into each pile that is worth one."""
    if VARIANT not in position.state.variants or phase.looked is not None or cash(position, player) < LOOK_FEE:
        return []
    employer = position.state.player(player)
    kinds = tuple(
        kind
        for kind in TYPES
        if (hireable(position.state, employer, kind) if position.state.round == 1 else in_supply(position.state, kind))
    )
    return [Offer("look_through", player, fields=(("type", OneOf(kinds)),))] if kinds else []
