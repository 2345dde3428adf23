"""What Master Builder can do besides being played."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from companion.engine.game import Offer
from companion.engine.ledger import Transaction
from companion.game_api.capabilities import Capabilities, Step
from companion.games.master_builder.advice.needs import needs_view
from companion.games.master_builder.advice.reasons import suggestion
from companion.games.master_builder.forecast.view import forecast_view, planned, reasons_view
from companion.games.master_builder.notes.exchange import NOTES
from companion.games.master_builder.notes.tills import HandOver, Tills, paid
from companion.games.master_builder.rules import preparation
from companion.games.master_builder.rules.commands import Command, HireOut, Pass
from companion.games.master_builder.rules.differences import differences
from companion.games.master_builder.rules.explaining.figures import MasterBuilderExplainer
from companion.games.master_builder.rules.phases.current import waits
from companion.games.master_builder.rules.state import Here, State


class _Forecasts:
    """Looks ahead at wages, prices and loans."""

    def forecast(
        self, position: Here, viewer: str, player: str, card: str | None, amount: int | None
    ) -> dict[str, Any] | None:
        """Look ahead, and at what a contract for a bid would change."""
        return forecast_view(position, viewer, player, card, amount)


class _Advises:
    """Knows the best building plan."""

    verb = "plan"

    def suggestion(self, position: Here, player: str) -> tuple[Command, dict[str, Any]]:
        """Give the best plan that a player could lock now, and why it is."""
        advice = suggestion(position, player)
        return planned(advice), reasons_view(advice)


class _Needs:
    """Knows whom a player's contracts still ask for."""

    def needs(self, position: Here, player: str, card: str | None) -> dict[str, Any]:
        """Say whom, and what one worker more would get done."""
        return needs_view(position, player, card)


class _KeepsNotes:
    """Follows the books in the notes of the box."""

    denominations = NOTES

    def empty(self) -> Tills:
        """Begin with the box closed."""
        return Tills()

    def paid(self, tills: Tills, transaction: Transaction) -> tuple[Tills, Sequence[HandOver]]:
        """Carry a transaction out in notes."""
        return paid(tills, transaction)


class _Compares:
    """Compares zones of the mat with where workers and contracts belong."""

    def differences(self, state: State, lying: Mapping[str, str]) -> list[dict[str, Any]]:
        """Say where cards in zones contradict the books."""
        return [{"difference": type(one).__name__.lower(), **asdict(one)} for one in differences(state, lying)]


class _SetsTable:
    """Knows the preparation."""

    def is_due(self, position: Here) -> bool:
        """Say whether the table still waits for its first hire."""
        return preparation.is_due(position.state)

    def steps(self, position: Here, seen: frozenset[str]) -> list[Step]:
        """List what is laid ready, and what of it the cards seen show."""
        state = position.state
        types = {card.id: card.type for card in state.catalog.workers}
        laid = (
            (one, preparation.shown(one, seen, types)) for one in preparation.steps(len(state.seats), state.variants)
        )
        return [Step(one.name, one.count, *shown) for one, shown in laid]


class _AsksConsent:
    """A worker is lent only to somebody who wants him."""

    def needs_consent(self, command: Command) -> str | None:
        """Name the borrower."""
        return command.borrower if isinstance(command, HireOut) else None


class _HearsCards:
    """Command cards: PASS is the one player's whose turn it is."""

    def command(self, position: Here, offers: Sequence[Offer], word: str) -> Command | None:
        """Give the pass that is offered."""
        waiting, _ = waits(position)
        if word != "pass" or len(waiting) != 1:
            return None
        offered = any((offer.do, offer.player) == ("pass", waiting[0]) for offer in offers)
        return Pass(waiting[0]) if offered else None


CAPABILITIES = Capabilities(
    explains=MasterBuilderExplainer(),
    forecasts=_Forecasts(),
    advises=_Advises(),
    needs=_Needs(),
    keeps_notes=_KeepsNotes(),
    compares=_Compares(),
    sets_table=_SetsTable(),
    asks_consent=_AsksConsent(),
    hears_cards=_HearsCards(),
)
