"""What a card laid on the table means now: a command to propose, or why it leads to nothing."""

from companion.engine.errors import Refused
from companion.engine.game import Question
from companion.engine.placement import Placement
from companion.games.master_builder.commands import (
    ChooseWorkers,
    Command,
    FireWorker,
    HireWorker,
    OpenAuction,
    RevealContracts,
    TurnEconomy,
    TurnEvent,
)
from companion.games.master_builder.guards import contract_card
from companion.games.master_builder.phases.current import decide, waits
from companion.games.master_builder.phases.events import plays_from_hand
from companion.games.master_builder.state import Contracts, Events, Finished, Here, Hire


def read(here: Here, placement: Placement) -> Command | Question | None:
    """Read a card that was laid down; ``None`` where it only lies there."""
    if placement.event == "remove" or isinstance(here.state.phase, Finished):
        return None
    try:
        meant = _meaning(here, placement.card)
        if meant is not None:
            decide(here, meant)
    except Refused as refused:
        return Question(placement.card, refused.rule, tuple(refused.details.items()))
    return meant


def _meaning(here: Here, card: str) -> Command | None:
    waiting, expects = waits(here)
    if card.startswith("W"):
        return _worker(here, card, waiting[0] if waiting else "", expects)
    if card.startswith("C"):
        return _contract(here, card, waiting[0] if waiting else "")
    if card.startswith("E"):
        return _event(here, card)
    if card.startswith("Y"):
        return None if card in here.state.turned_economy else TurnEconomy(card)
    return None


def _event(here: Here, card: str) -> Command | None:
    phase = here.state.phase
    if card in here.state.turned_events:
        return None
    return TurnEvent(card, from_hand=isinstance(phase, Events) and plays_from_hand(here.state, phase))


def _worker(here: Here, card: str, player: str, expects: tuple[str, ...]) -> Command | None:
    if isinstance(here.state.phase, Hire):
        if here.state.player(player).employs(card) and here.state.round > 1:
            return FireWorker(player, card)
        return HireWorker(player, card)
    if isinstance(here.state.phase, Events) and "choose_workers" in expects:
        return ChooseWorkers(player, (card,))
    return None


def _contract(here: Here, card: str, player: str) -> Command | None:
    phase = here.state.phase
    if not isinstance(phase, Contracts) or phase.auction is not None:
        return None
    if phase.economy_due or phase.reveal_due:
        return RevealContracts((card,)) if card not in here.state.display else None
    return OpenAuction(player, card, contract_card(here.state, card).cost)
