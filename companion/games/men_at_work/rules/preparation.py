"""What is laid ready before the first card is turned (set-up, rulings MW-D02 to D04, D21, D24)."""

from collections.abc import Iterator

from companion.games.men_at_work.rules.house_rules import Rules
from companion.games.men_at_work.rules.setup import SUPPORTS, about_after, dealt, dealt_hand
from companion.games.men_at_work.rules.state import State

Prepared = tuple[str, int]
"""A step by its name, and its figure: 0 where it has none."""


def is_due(state: State) -> bool:
    """Say whether nothing was turned yet; a game that was taken over lies on the table already."""
    return state.turn == 1 and not state.discard and not state.on_duty and state.back is None


def steps(state: State) -> Iterator[Prepared]:
    """List what is laid ready, in an order in which several can help."""
    variants, rules = state.variants, state.rules
    hand = dealt_hand(variants)
    if "skyscraper" in variants:
        yield "box", 0
    else:
        yield "site", SUPPORTS
    yield "reserve", 0
    if "crane" in variants:
        yield "crane", 0
    yield "instructions", 0
    if hand:
        yield "hands", hand
    yield "boss_card", about_after(rules, hand * len(state.players))
    yield from _certificates(state, rules)
    yield "awards", state.catalog.box.needed(len(state.players))
    yield "hook", 0


def _certificates(state: State, rules: Rules) -> Iterator[Prepared]:
    levels = {player.level for player in state.players}
    if "standard" in levels:
        yield "certificates", dealt("standard", rules)
    if "expert" in levels:
        yield "expert_certificates", dealt("expert", rules)
