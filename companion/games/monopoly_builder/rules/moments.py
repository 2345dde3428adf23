"""Which moment of the game it is, whom it waits for, and for what."""

from typing import Literal, TypeAlias

from companion.games.monopoly_builder.rules.state import Stage, State

Phase: TypeAlias = Literal[
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
_SAME: dict[Stage, Phase] = {
    "discard": "discard",
    "roll": "roll",
    "fee": "roll",
    "landed": "act",
    "turn_deed": "turn_deed",
    "buy": "buy",
    "auction": "auction",
    "chance": "chance",
    "resources": "resources",
    "card": "act",
    "steal": "steal",
    "parking": "parking",
    "act": "act",
    "finished": "finished",
}
_EXPECTS: dict[Phase, tuple[str, ...]] = {
    "discard": ("discard",),
    "roll": ("roll",),
    "turn_deed": ("turn_deed",),
    "buy": ("buy", "decline"),
    "auction": ("bid", "pass"),
    "chance": ("draw_chance",),
    "resources": ("roll_for_resources",),
    "take": ("take",),
    "return_chips": ("return_chips",),
    "steal": ("steal",),
    "parking": ("free_parking", "pass"),
    "debt": ("mortgage", "trade", "declare_bankrupt"),
    "finished": (),
}


def phase_of(state: State) -> Phase:
    """Name the moment."""
    if state.debts:
        return "debt"
    if state.stage == "card" and state.choosers:
        return state.choosers[0].what
    return _SAME[state.stage]


def waiting_for(state: State) -> tuple[str, ...]:
    """Name whom the game waits for, in turn order."""
    phase, auction = phase_of(state), state.auction
    if phase == "finished":
        return ()
    if phase == "debt":
        return state.debtors
    if phase in ("take", "return_chips"):
        return (state.choosers[0].player,)
    if phase == "auction" and auction is not None:
        return tuple(one for one in auction.may_bid if one != auction.leader and one not in auction.passed)
    return (state.turn,)


def expects(state: State) -> tuple[str, ...]:
    """Name the kinds of commands that would move the game on."""
    phase, mover = phase_of(state), state.mover
    if phase == "act":
        building = () if mover.in_jail else ("build",)
        trading = ("bank_trade",) if not mover.in_jail or state.rules.jail_bank_trade else ()
        return ("end_turn", *building, *trading)
    if phase == "roll" and mover.in_jail:
        return ("roll", "leave_jail", "play_chance") if jail_cards(state, mover.id) else ("roll", "leave_jail")
    return _EXPECTS[phase]


def jail_cards(state: State, player: str) -> tuple[str, ...]:
    """Name the kept cards of a player that lead out of jail."""
    return tuple(card for card in state.player(player).cards if kept_verb(state, card) == "out_of_jail")


def kept_verb(state: State, card: str) -> str:
    """Say what a keepable card does: it has one effect."""
    found = state.catalog.chance(card)
    return found.effects[0].do if found is not None and found.effects else ""
