"""Phase 5: all prices are paid, then wages in turn order; who cannot pay borrows first (D34, D38)."""

from companion.engine.auction import left_of
from companion.engine.errors import Refused
from companion.engine.game import Offer
from companion.games.master_builder.rules.commands import Borrow, Command, Pass
from companion.games.master_builder.rules.effects import ALL_SECTIONS
from companion.games.master_builder.rules.events import Event, GameEnded, PricePaid, RoundBegan, WagesPaid
from companion.games.master_builder.rules.guards import WAGE_LIMIT, cash, contract_card, turn_of
from companion.games.master_builder.rules.house_rules import Rules
from companion.games.master_builder.rules.loans import loan_offers, taken
from companion.games.master_builder.rules.phases.hire import laps
from companion.games.master_builder.rules.state import Here, Income, Player


def wages_due(rules: Rules, player: Player) -> int:
    """Say what a player pays this round."""
    return payable(player.wages, rules)


def payable(wages: int, rules: Rules) -> int:
    """Say what is paid of a wage total: at most what the track holds, unless a house rule says so (D06)."""
    return wages if rules.wage_overflow == "full" else min(wages, WAGE_LIMIT)


def _debtor(here: Here, phase: Income) -> tuple[str, ...]:
    """Find the one whose wages are due next; nobody when all have paid."""
    paid = {wages.player for wages in phase.paid}
    return tuple(player for player in here.state.turn_order if player not in paid)[:1]


def waits(here: Here, phase: Income) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Say whom the table waits for, and which commands would move the game on."""
    debtor = _debtor(here, phase)
    by_choice = here.state.rules.loans == "voluntary_phase5" and all(_can_pay(here, player) for player in debtor)
    return debtor, (("borrow", "pass") if by_choice else ("borrow",))


def _can_pay(here: Here, player: str) -> bool:
    return cash(here, player) >= wages_due(here.state.rules, here.state.player(player))


def decide(here: Here, phase: Income, command: Command) -> list[Event]:
    """Lend to who cannot pay his wages."""
    match command:
        case Borrow(player, loan):
            turn_of(player, waits(here, phase)[0])
            return [taken(here.state, player, loan)]
        case Pass(player, rest):
            turn_of(player, waits(here, phase)[0])
            if rest:
                raise Refused("rest_only_when_hiring")
            if "pass" not in waits(here, phase)[1]:
                raise Refused("must_borrow_first", player=player)
            return [_wages(here, player)]
        case _:
            raise Refused("not_in_this_phase", phase="income")


def follow_up(here: Here, phase: Income) -> list[Event]:
    """Pay prices, then wages; then the next round, or the end."""
    state = here.state
    for player in state.turn_order:
        for site in state.player(player).sites:
            if len(site.built) == ALL_SECTIONS:
                return [PricePaid(player, site.contract, contract_card(state, site.contract).price)]
    for debtor in _debtor(here, phase):
        asked = state.rules.loans == "voluntary_phase5"
        return [_wages(here, debtor)] if _can_pay(here, debtor) and not asked else []
    if state.round >= state.last_round:
        return [GameEnded(state.round)]
    return [RoundBegan(state.round + 1, left_of(state.seats, state.start), laps(state.rules))]


def _wages(here: Here, player: str) -> WagesPaid:
    return WagesPaid(player, wages_due(here.state.rules, here.state.player(player)))


def offers(here: Here, phase: Income, player: str) -> list[Offer]:
    """Offer loans to who cannot pay, and by house rule to everybody on his turn."""
    if player not in _debtor(here, phase):
        return []
    loans = loan_offers(here.state, player)
    return [*loans, Offer("pass", player)] if "pass" in waits(here, phase)[1] else loans
