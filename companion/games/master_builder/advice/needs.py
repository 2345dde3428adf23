"""Unmet needs of a player: the workers that contracts ask for, and the work that each worker more would get done."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from typing_extensions import TypedDict

from companion.engine.game import Refused
from companion.games.master_builder.advice.planning import best_plan
from companion.games.master_builder.rules.building import section_names, team_of
from companion.games.master_builder.rules.catalog import RANK
from companion.games.master_builder.rules.effects import ALL_SECTIONS, unfinished
from companion.games.master_builder.rules.state import BuildingSite, GamePosition, Job, State, contract_card

ONE_MORE = "one more"
"""Stands for a worker of whom somebody only thinks."""


@dataclass(frozen=True, slots=True)
class CrewOutput:
    """The work of a crew in this round: the number of sections, and the contracts that it finishes."""

    sections: int
    finished: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Needs:
    """``wants``: by contract, how many workers of each type its open sections ask for, the highest type first.

    ``now``: what the crew gets done as it is; ``then``: with one worker more, by his type.
    """

    player: str
    wants: Mapping[str, Mapping[str, int]]
    now: CrewOutput
    then: Mapping[str, CrewOutput]


class ContractWantsJson(TypedDict, closed=True):
    """How many workers of each type a contract still asks for."""

    contract: str
    wants: dict[str, Any]


class CrewOutputJson(TypedDict, closed=True):
    """Work that is done in a round."""

    sections: int
    finished: list[str]


class NeedsJson(TypedDict):
    """Needs of a player, as the description of the interface has them."""

    player: str
    contracts: list[ContractWantsJson]
    now: CrewOutputJson
    then: dict[str, CrewOutputJson]


def needs(position: GamePosition, player: str, contract: str | None = None) -> Needs:
    """Return what a player needs; ``contract`` is one that he could get and counts as his.  ``Refused``: no such."""
    state = position.state
    if all(other.id != player for other in state.players):
        raise Refused("unknown_player", player=player)
    if contract is not None:
        position = replace(position, state=_with(state, player, contract))
    sites = sorted(unfinished(position.state.player(player)), key=lambda site: site.contract)
    then = {kind: _done(position, player, best_plan(position, player, ((rank, ONE_MORE),))) for kind, rank in _types()}
    wants = {site.contract: _wanted(position.state, site) for site in sites}
    return Needs(player, wants, _done(position, player, best_plan(position, player)), then)


def needs_view(position: GamePosition, player: str, contract: str | None) -> NeedsJson:
    """Return the needs of a player as JSON."""
    player_needs = needs(position, player, contract)
    return {
        "player": player,
        "contracts": [{"contract": card, "wants": dict(wants)} for card, wants in player_needs.wants.items()],
        "now": _written(player_needs.now),
        "then": {kind: _written(done) for kind, done in player_needs.then.items()},
    }


def _written(done: CrewOutput) -> CrewOutputJson:
    return {"sections": done.sections, "finished": list(done.finished)}


def _types() -> list[tuple[str, int]]:
    return sorted(RANK.items(), key=lambda ranked: -ranked[1])


def _with(state: State, player: str, contract: str) -> State:
    if all(card.id != contract for card in state.catalog.contracts):
        raise Refused("unknown_card", card=contract)
    player_state = state.player(player)
    site_cards = {site.contract for site in player_state.sites}
    return (
        state
        if contract in site_cards
        else state.with_player(replace(player_state, sites=(*player_state.sites, BuildingSite(contract))))
    )


def _wanted(state: State, site: BuildingSite) -> dict[str, int]:
    card = contract_card(state, site.contract)
    open_ones = [section for section in section_names(card.kind) if section not in site.built]
    asked = Counter(code for section in open_ones for code in team_of(card, section))
    return {kind: asked[kind] for kind, _ in _types() if asked[kind]}


def _done(position: GamePosition, player: str, plan: tuple[Job, ...]) -> CrewOutput:
    coming = Counter(job.contract for job in plan)
    built = {site.contract: len(site.built) for site in position.state.player(player).sites}
    return CrewOutput(len(plan), tuple(card for card in coming if built[card] + coming[card] == ALL_SECTIONS))
