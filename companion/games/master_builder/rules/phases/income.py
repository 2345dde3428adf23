"""Phase 5: all prices are paid, then wages in turn order; who cannot pay borrows first (D34, D38)."""

from companion.engine.game import Offer, Refused, left_neighbour
from companion.game_api.messages import Command, Event
from companion.game_api.seating import require_turn
from companion.games.master_builder.rules.commands import Borrow, Pass
from companion.games.master_builder.rules.effects import ALL_SECTIONS
from companion.games.master_builder.rules.events import GameEnded, PricePaid, RoundBegan, WagesPaid
from companion.games.master_builder.rules.house_rules import Rules
from companion.games.master_builder.rules.loans import lend, loan_offers
from companion.games.master_builder.rules.phases.hire import laps
from companion.games.master_builder.rules.state import WAGE_LIMIT, GamePosition, Income, Player, cash, contract_card


def wages_due(rules: Rules, player: Player) -> int:
    """Return what a player pays this round."""
    return payable(player.wages, rules)


def payable(wages: int, rules: Rules) -> int:
    """Return what is paid of a wage total: at most what the track holds, unless a house rule says so (D06)."""
    return wages if rules.wage_overflow == "full" else min(wages, WAGE_LIMIT)


def _debtor(position: GamePosition, phase: Income) -> tuple[str, ...]:
    """Find the one whose wages are due next; nobody when all have paid."""
    paid = {wages.player for wages in phase.paid}
    return tuple(player for player in position.state.turn_order if player not in paid)[:1]


def waits(position: GamePosition, phase: Income) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return whom the table waits for, and which commands would move the game on."""
    debtor = _debtor(position, phase)
    by_choice = position.state.rules.loans == "voluntary_phase5" and all(
        _can_pay(position, player) for player in debtor
    )
    return debtor, (("borrow", "pass") if by_choice else ("borrow",))


def _can_pay(position: GamePosition, player: str) -> bool:
    return cash(position, player) >= wages_due(position.state.rules, position.state.player(player))


def decide(position: GamePosition, phase: Income, command: Command) -> list[Event]:
    """Lend to whoever cannot pay their wages."""
    match command:
        case Borrow(player, loan):
            require_turn(player, waits(position, phase)[0])
            return [lend(position.state, player, loan)]
        case Pass(player, rest):
            require_turn(player, waits(position, phase)[0])
            if rest:
                raise Refused("rest_only_when_hiring")
            if "pass" not in waits(position, phase)[1]:
                raise _cannot_pay(position, player)
            return [_wages(position, player)]
        case _:
            raise Refused("not_in_this_phase", phase="income")


def _cannot_pay(position: GamePosition, player: str) -> Refused:
    """Return why a player must borrow before their wages; what is missing tells their cash, which may be hidden."""
    due = wages_due(position.state.rules, position.state.player(player))
    if position.state.money_is_hidden:
        return Refused("cannot_pay", player=player, amount=due)
    return Refused("must_borrow_for_wages", player=player, missing=due - cash(position, player))


def follow_up(position: GamePosition, phase: Income) -> list[Event]:
    """Pay prices, then wages; then the next round, or the end."""
    state = position.state
    for player in state.turn_order:
        for site in state.player(player).sites:
            if len(site.built) == ALL_SECTIONS:
                return [PricePaid(player, site.contract, contract_card(state, site.contract).price)]
    for debtor in _debtor(position, phase):
        asked = state.rules.loans == "voluntary_phase5"
        return [_wages(position, debtor)] if _can_pay(position, debtor) and not asked else []
    if state.round >= state.last_round:
        return [GameEnded(state.round)]
    return [RoundBegan(state.round + 1, left_neighbour(state.seats, state.start), laps(state.rules))]


def _wages(position: GamePosition, player: str) -> WagesPaid:
    return WagesPaid(player, wages_due(position.state.rules, position.state.player(player)))


def offers(position: GamePosition, phase: Income, player: str) -> list[Offer]:
    """Offer loans to those who cannot pay, and by house rule to everybody on their turn."""
    if player not in _debtor(position, phase):
        return []
    loans = loan_offers(position.state, player)
    return [*loans, Offer("pass", player)] if "pass" in waits(position, phase)[1] else loans
