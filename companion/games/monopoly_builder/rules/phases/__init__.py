"""The phase of a turn, and what decisions on all commands share: checks that raise ``Refused``, and the recorder."""

from collections.abc import Mapping
from typing import Literal, TypeAlias, cast

from companion.engine.game import Refused
from companion.game_api.event_recorder import EventRecorder
from companion.game_api.messages import Event
from companion.game_api.seating import require_player
from companion.games.monopoly_builder.rules import events as e
from companion.games.monopoly_builder.rules.accounting import account_for, cash, chips_at, free_cash, tray
from companion.games.monopoly_builder.rules.catalog import KINDS, UNIT, Catalog, Chance, Chips, Deed, full, some
from companion.games.monopoly_builder.rules.evolve import evolve
from companion.games.monopoly_builder.rules.house_rules import Rules
from companion.games.monopoly_builder.rules.state import GamePosition, Player, Stage, State

# Which moment of the game it is, whom it waits for, and for what.

TurnPhase: TypeAlias = Literal[
    "discard",
    "roll",
    "turn_deed",
    "buy",
    "auction",
    "chance",
    "resources",
    "take",
    "return_chips",
    "steal",
    "parking",
    "act",
    "debt",
    "finished",
]
_PHASES: Mapping[Stage, TurnPhase] = {"fee": "roll", "landed": "act", "card": "act"}
"""Stages that are a moment of another name."""
_EXPECTS: Mapping[TurnPhase, tuple[str, ...]] = {
    "buy": ("buy", "decline"),
    "auction": ("bid", "pass"),
    "chance": ("draw_chance",),
    "resources": ("roll_for_resources",),
    "parking": ("free_parking", "pass"),
    "debt": ("mortgage", "trade", "declare_bankrupt"),
    "finished": (),
}
"""Commands that do not have the name of their moment."""


def phase_of(state: State) -> TurnPhase:
    """Return the moment."""
    if state.debts:
        return "debt"
    if state.stage == "card" and state.choosers:
        return state.choosers[0].what
    return _PHASES.get(state.stage) or cast("TurnPhase", state.stage)


def waiting_for(state: State) -> tuple[str, ...]:
    """Return whom the game waits for, in turn order."""
    phase, auction = phase_of(state), state.auction
    if phase == "finished":
        return ()
    if phase == "debt":
        return state.debtors
    if phase in ("take", "return_chips"):
        return (state.choosers[0].player,)
    if phase == "auction" and auction is not None:
        return tuple(bidder for bidder in auction.may_bid if bidder != auction.leader and bidder not in auction.passed)
    return (state.turn,)


def expects(state: State) -> tuple[str, ...]:
    """Return the kinds of commands that would move the game on."""
    phase, mover = phase_of(state), state.mover
    if phase == "act":
        building = () if mover.in_jail else ("build",)
        trading = ("bank_trade",) if not mover.in_jail or state.rules.jail_bank_trade else ()
        return ("end_turn", *building, *trading)
    if phase == "roll" and mover.in_jail:
        return ("roll", "leave_jail", "play_chance") if jail_cards(state, mover.id) else ("roll", "leave_jail")
    return _EXPECTS.get(phase, (phase,))


def jail_cards(state: State, player: str) -> tuple[str, ...]:
    """Return the kept cards of a player that lead out of jail."""
    return tuple(card for card in state.player(player).cards if kept_verb(state, card) == "out_of_jail")


def kept_verb(state: State, card: str) -> str:
    """Return what a keepable card does: it has one effect."""
    chance_card = state.catalog.chance(card)
    return chance_card.effects[0].do if chance_card is not None and chance_card.effects else ""


# The questions that many rules ask first; each raises ``Refused`` with its reason.

DIE = range(1, 7)


def require_solvent(state: State, player: str) -> Player:
    """Return a player; ``Refused`` where they are bankrupt."""
    player_state = require_player(state, player)
    if player_state.bankrupt:
        raise Refused("bankrupt", player=player)
    return player_state


def require_running(state: State) -> None:
    """Check that the game is not over."""
    if state.finished:
        raise Refused("game_over")


def require_playing(state: State, player: str) -> Player:
    """Return a player; ``Refused`` where they are bankrupt, or the game is over."""
    require_running(state)
    return require_solvent(state, player)


def require_no_debt(state: State) -> None:
    """Check that no debt is open."""
    if state.debts:
        raise Refused("debt_open", waiting=state.debtors)


def require_stage(state: State, player: str, *stages: Stage) -> Player:
    """Return the player; ``Refused`` where it is not their turn, or it has not come to one of these stages."""
    player_state = require_playing(state, player)
    require_no_debt(state)
    if player != state.turn:
        raise Refused("not_your_turn", player=player, waiting=waiting_for(state))
    if state.stage not in stages:
        raise Refused("not_now", phase=phase_of(state), waiting=waiting_for(state))
    return player_state


def require_deed(state: State, deed: str) -> Deed:
    """Return a deed of the box; ``Refused`` for another id."""
    deed_card = state.catalog.deed(deed)
    if deed_card is None:
        raise Refused("unknown_deed", card=deed)
    return deed_card


def require_chance(state: State, card: str) -> Chance:
    """Return a Chance card of the box; ``Refused`` for another id."""
    chance_card = state.catalog.chance(card)
    if chance_card is None:
        raise Refused("unknown_chance", card=card)
    return chance_card


def validate_amount(amount: int, least: int = UNIT) -> None:
    """Check that an amount is a multiple of 5, and no less than it may be."""
    if amount < least or amount % UNIT:
        raise Refused("not_a_multiple", amount=amount, least=least)


def validate_dice(dice: tuple[int, int]) -> None:
    """Check that two dice show what dice show."""
    if any(die not in DIE for die in dice):
        raise Refused("no_such_dice")


def validate_chips(position: GamePosition, place: str | int, chips: Mapping[str, int]) -> dict[str, int]:
    """Check that chips of a place are of known kinds and not negative; return the counts of all four kinds."""
    for kind, count in chips.items():
        if kind not in KINDS:
            raise Refused("unknown_kind", kind=kind)
        if count < 0:
            raise Refused(
                "not_so_many_chips", place=place, kind=kind, count=count, there=chips_at(position, place)[kind]
            )
    return full(chips)


def require_chips(position: GamePosition, place: str | int, chips: Chips) -> None:
    """Check that a player, a space or the tray (``bank``) has these chips, and no number is negative."""
    there = chips_at(position, place)
    for kind, count in chips.items():
        if not 0 <= count <= there[kind]:
            raise Refused("not_so_many_chips", place=place, kind=kind, count=count, there=there[kind])


def require_in_tray(position: GamePosition, chips: Chips) -> None:
    """Check that the tray has these chips."""
    there = tray(position)
    short = next((kind for kind, count in chips.items() if there[kind] < count), None)
    if short is not None:
        raise Refused("tray_is_short", kind=short, count=chips[short], there=there[short])


def require_money(position: GamePosition, player: str, amount: int) -> None:
    """Check that a player's money suffices, their own bid set aside; how much there is, is told where it is open."""
    free = free_cash(position, player)
    if amount > free:
        bid = cash(position, player) - free
        seen = {"bid": bid, "free": free} if bid else {"free": free}
        raise Refused("cannot_pay", player=player, amount=amount, **({} if position.state.money_is_hidden else seen))


# What a command leads to, with the steps that several commands share.


class Recorder(EventRecorder[State, Event]):
    """The events of one command so far, and the position after them."""

    def __init__(self, position: GamePosition) -> None:
        """Begin with a position."""
        super().__init__(position, evolve, account_for)

    @property
    def catalog(self) -> Catalog:
        """The box that is played with."""
        return self.state.catalog

    @property
    def rules(self) -> Rules:
        """Return what the table has agreed on."""
        return self.state.rules

    @property
    def mover(self) -> Player:
        """The player whose turn it is."""
        return self.state.mover

    def enter_stage(self, stage: Stage) -> None:
        """Let the turn come to something."""
        self.record(e.StageCame(stage))

    def give_chips(self, player: str, chips: Mapping[str, int]) -> None:
        """Record chips of the tray that go to a player, if there are any to give."""
        if some(chips):
            self.record(e.ChipsGathered(player, some(chips)))

    def incur_debt(self, debtor: str, creditor: str, amount: int) -> None:
        """Enter a debt, if there is anything to pay."""
        if amount:
            self.record(e.DebtIncurred(debtor, creditor, amount))

    def pass_turn(self) -> None:
        """Let the next solvent player begin."""
        self.record(e.TurnBegan(self.state.next_player(), 0))
