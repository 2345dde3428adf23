"""The rules of the harbour: two ships a night, and whoever sends the strongest crew unloads one."""

# ruff: noqa: ARG002, RUF009 - written as docs/new-game.md has it

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.engine.game import Amount, Field, OneOf, Position, clockwise_order
from companion.engine.ledger import BANK, Transaction, player_account, transfer
from companion.game_api.cards import ListedCatalog
from companion.game_api.choices import FillRow, Holdings, RowFilled, SecretChoice
from companion.game_api.manifest import Seats
from companion.game_api.step_game import GameState, Player, StepGame, dealt
from companion.game_api.steps import Finished, cash

from .messages import MESSAGES, Crew, CrewSent, GameEnded, GameStarted, MorningCame, Send, Ship, ShipWon

PURSE, CREWS, SHIPS, STEP = 60, 3, 2, 5


@dataclass(frozen=True, kw_only=True)
class Night(SecretChoice):
    """All send a crew to one of the ships, and pay it as they like: the strongest wins, the earliest of equal ones."""

    phase, command, event = "night", Send, CrewSent
    ships: tuple[str, ...]

    def options(self, position: Position["State"], player: str) -> Sequence[tuple[str, Field]]:
        most = cash(position, player) // STEP * STEP
        crews = position.state.crews.of(player)
        return (("ship", OneOf(self.ships)), ("crew", OneOf(crews)), ("pay", Amount(0, most, STEP)))

    def revealed(self, position: Position["State"]) -> Sequence[Any]:
        catalog = position.state.catalog
        events: list[Any] = [MorningCame(self.ships)]
        for ship in self.ships:
            sent = [
                choice
                for player in self.players
                for choice in self.chosen
                if (choice.player, choice.ship) == (player, ship)
            ]
            if sent:
                best = max(sent, key=lambda choice: choice.pay + catalog.card(choice.crew).skill)
                events.append(ShipWon(best.player, ship, best.pay))
        return events

    def view(self, viewer: str) -> Mapping[str, Any]:
        return {"ships": list(self.ships), **super().view(viewer)}


@dataclass(frozen=True, slots=True, kw_only=True)
class State(GameState):
    """``crews``: who still has which; ``holds``: who has unloaded which ship."""

    crews: Holdings
    holds: Holdings = Holdings()
    gone: tuple[str, ...] = ()
    round: int = 1

    def arrival(self) -> FillRow:
        """Return the step in which ships come in."""
        pile = tuple(ship for ship in self.catalog.of(Ship) if ship not in self.gone)
        return FillRow(player=self.first, size=SHIPS, pile=pile)

    def cargo(self, player: str) -> int:
        return sum(self.catalog.card(ship).cargo for ship in self.holds.of(player))


class NightHarbour(StepGame[State]):
    """Answers what the companion asks of a game."""

    name, label_code = "night_harbour", "NH"
    seats = Seats(("red", "blue", "yellow", "green"), 2, 4)
    messages = MESSAGES

    def started(self, players: tuple[Player, ...], first: str, catalog: ListedCatalog[Ship | Crew]) -> Sequence[Any]:
        return [GameStarted(players, first, catalog, PURSE)]

    def begun(self, event: GameStarted) -> State:
        order = clockwise_order([player.id for player in event.players], event.first)
        crews = Holdings()
        for number, crew in enumerate(event.deck.of(Crew)[: CREWS * len(order)]):
            crews = crews.moved(order[number % len(order)], crew)
        step = FillRow(player=event.first, size=SHIPS, pile=event.deck.of(Ship))
        return State(players=event.players, first=event.first, catalog=event.deck, step=step, crews=crews)

    def changed(self, state: State, event: Any) -> State:
        match event:
            case RowFilled(ships):
                return replace(state, step=Night(players=state.order, ships=ships))
            case MorningCame(ships):
                choices: tuple[CrewSent, ...] = state.step.chosen if isinstance(state.step, Night) else ()
                crews = state.crews.moved("home", *(choice.crew for choice in choices))
                later = replace(state, crews=crews, gone=(*state.gone, *ships), round=state.round + 1)
                return replace(later, step=later.arrival())
            case ShipWon(player, ship):
                return replace(state, holds=state.holds.moved(player, ship))
            case GameEnded():
                return replace(state, step=Finished())
            case _:
                return super().changed(state, event)

    def follow_up(self, position: Position[State]) -> Sequence[Any]:
        step = position.state.step
        is_over = isinstance(step, FillRow) and not step.pile and not step.row
        return [GameEnded()] if is_over else super().follow_up(position)

    def account_for(self, event: Any) -> Transaction | None:
        match event:
            case GameStarted(players, purse=purse):
                return dealt(players, purse)
            case ShipWon(player, price=price) if price:
                return transfer(player_account(player), BANK, price)
            case _:
                return super().account_for(event)

    def figures(self, position: Position[State], player: str, viewer: str) -> Mapping[str, Any]:
        state = position.state
        return {
            "crews": list(state.crews.of(player)),
            "cargo": state.cargo(player),
            "ships": list(state.holds.of(player)),
        }

    def scores(self, position: Position[State]) -> Mapping[str, Mapping[str, int]]:
        cargo = {player: position.state.cargo(player) for player in position.state.order}
        return {player: {"cargo": cargo[player], "cash": cash(position, player)} for player in position.state.order}
