"""What a figure is the sum of now: workers and their wages, loans and their price, contracts and what they pay."""

from companion.engine.explanation import Part
from companion.games.master_builder.rules.effects import ALL_SECTIONS
from companion.games.master_builder.rules.fields import Loan
from companion.games.master_builder.rules.guards import contract_card
from companion.games.master_builder.rules.loans import held, price_of
from companion.games.master_builder.rules.reckoning import pay_if_unfinished
from companion.games.master_builder.rules.state import State


def workers(state: State, player: str) -> tuple[Part, ...]:
    """List a player's workers with what each costs this round, the dearest first."""
    crew = sorted(state.player(player).crew, key=lambda one: (-one.due, one.id))
    return tuple(Part("worker", one.due, "wage_track", card=one.id) for one in crew)


def loans(state: State, player: str, sign: int = 1) -> tuple[Part, ...]:
    """List a player's loans by kind with what repaying them costs now; ``sign`` -1 counts them as debts."""
    kinds: tuple[Loan, ...] = ("small", "large")
    return tuple(
        Part(kind, sign * count * price_of(state, kind), "repaying", count=count, each=price_of(state, kind))
        for kind in kinds
        if (count := held(state.player(player), kind))
    )


def sites(state: State, player: str) -> tuple[Part, ...]:
    """List a player's unpaid contracts with what each would pay at the end; ``count`` sections are missing."""
    return tuple(
        Part(
            "contract",
            pay_if_unfinished(state.rules, contract_card(state, one.contract), len(one.built)),
            "reckoning",
            card=one.contract,
            count=ALL_SECTIONS - len(one.built),
        )
        for one in sorted(state.player(player).sites, key=lambda one: one.contract)
    )
