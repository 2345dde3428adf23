"""What a bot is given when the table waits for its player, and what it answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

from companion.engine.game import Offer, OneOf
from companion.engine.ledger import Ledger, player_account
from companion.games.master_builder.rules.catalog import WorkerType
from companion.games.master_builder.rules.commands import Command
from companion.games.master_builder.rules.guards import cash
from companion.games.master_builder.rules.state import Build, Here, Player, State

F = TypeVar("F")

Lots: TypeAlias = Callable[[int], int]
"""Draws a whole number from 0 up to, not including, the one given.  Chance comes from outside."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A player's moment: the position as he may know it, his offers, and the cards before his eyes.

    ``tops``: the worker on top of each pile; ``hand``: the events that he holds.
    """

    here: Here
    player: str
    offers: tuple[Offer, ...]
    tops: Mapping[WorkerType, str]
    hand: tuple[str, ...]
    below: Lots

    @property
    def state(self) -> State:
        """The table."""
        return self.here.state

    @property
    def me(self) -> Player:
        """The player himself."""
        return self.here.state.player(self.player)

    @property
    def cash(self) -> int:
        """What he holds, in dollars."""
        return cash(self.here, self.player)

    @property
    def rounds(self) -> int:
        """How many rounds there are to go, this one included."""
        return self.state.last_round - self.state.round + 1

    def offer(self, do: str) -> Offer | None:
        """Find his first offer of this kind."""
        return next((offer for offer in self.offers if offer.do == do), None)

    def to_hire(self, offer: Offer) -> tuple[str, ...]:
        """List whom he sees and may hire; where he may hire none whom he sees, whoever comes next."""
        values = field_of(offer, "worker", OneOf).values
        if getattr(self.state.phase, "looked", None) is not None:
            return values  # he has paid to see them all
        return tuple(worker for worker in self.tops.values() if worker in values) or values[:1]


Bot: TypeAlias = Callable[[Turn], Command]
"""Names one of the commands that were offered."""


def field_of(offer: Offer, name: str, kind: type[F]) -> F:
    """Find an open field of an offer."""
    return next(field for key, field in offer.fields if key == name and isinstance(field, kind))


def as_known_to(here: Here, player: str) -> Here:
    """Take out of a position what a player may not know: others' secret plans, and their money where it is hidden."""
    state, ledger = here.state, here.ledger
    if isinstance(state.phase, Build) and state.rules.plans == "secret":
        own = tuple(plan for plan in state.phase.plans if plan.player == player)
        state = state.with_phase(replace(state.phase, plans=own))
    if state.rules.money == "hidden":
        known = (player_account(player), "contract:")
        ledger = Ledger(tuple(held for held in ledger.balances if held[0].startswith(known)))
    return replace(here, state=state, ledger=ledger)
