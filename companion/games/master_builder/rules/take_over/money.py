"""Faults in money, wages and loans."""

from collections.abc import Iterator

from companion.engine.errors import Refused
from companion.games.master_builder.rules.guards import THOUSAND
from companion.games.master_builder.rules.loans import IOUS
from companion.games.master_builder.rules.setup import MONEY
from companion.games.master_builder.rules.take_over.setting import Setting
from companion.games.master_builder.rules.taken_position import TakenPosition
from companion.games.master_builder.rules.unsold import PREMIUM


def money_faults(said: TakenPosition, setting: Setting) -> Iterator[Refused]:
    """Name every fault in what players hold, owe and pay, and in what lies on contracts."""
    for player, one in said.players.items():
        if not _in_notes(one.cash):
            yield Refused("cash_cannot_be", player=player, amount=one.cash)
        if one.loans.small < 0 or one.loans.large < 0:
            yield Refused("loans_cannot_be", player=player)
    for card, lying in said.display.items():
        if lying not in (0, PREMIUM):
            yield Refused("premium_cannot_be", card=card, amount=lying, premium=PREMIUM)
    if setting.rules.iou_supply == "limited" and sum(one.loans.large for one in said.players.values()) > IOUS["large"]:
        yield Refused("loan_sold_out", loan="large")
    yield from _sum_faults(said)
    yield from _wage_faults(said, setting)


def _in_notes(amount: int) -> bool:
    return amount >= 0 and amount % THOUSAND == 0


def held_money(said: TakenPosition) -> int:
    """Add up what lies before players and on contracts, in dollars."""
    return sum(one.cash for one in said.players.values()) + sum(said.display.values())


def _sum_faults(said: TakenPosition) -> Iterator[Refused]:
    """Compare what is held with the notes of the box; what the bank holds follows, or was counted too."""
    held = held_money(said)
    if said.bank is not None and said.bank + held != MONEY:
        yield Refused(
            "money_does_not_add_up", money=MONEY, amount=said.bank + held, missing=abs(MONEY - held - said.bank)
        )
    if said.bank is None and held > MONEY:
        yield Refused("more_money_than_in_the_box", money=MONEY, amount=held)


def _wage_faults(said: TakenPosition, setting: Setting) -> Iterator[Refused]:
    employed = {worker for one in said.players.values() for worker in one.workers}
    known = {card.id for card in setting.catalog.workers}
    for worker in sorted({*said.workers, *said.round_wages}):
        if worker not in employed or worker not in known:
            yield Refused("wage_of_nobody", card=worker)
            continue
        extra = said.round_wages.get(worker, 0)
        due = said.workers.get(worker, setting.printed_wage(worker) + extra)
        if not (_in_notes(due) and _in_notes(due - extra)):
            yield Refused("wage_cannot_be", card=worker, wage=due)
