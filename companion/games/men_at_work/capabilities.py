"""Optional functions of Men at Work, among them what is laid ready before the first act."""

from collections.abc import Iterator

from companion.game_api.capabilities import Capabilities, Choices, Preparation, PreparationStep
from companion.game_api.house_rules import values_by_key
from companion.games.men_at_work.command_cards import command_card
from companion.games.men_at_work.rules.catalog import BACKS, BOSS
from companion.games.men_at_work.rules.house_rules import VARIANTS, Rules
from companion.games.men_at_work.rules.setup import SUPPORTS, about_after, certificates_dealt, dealt_hand, first_site
from companion.games.men_at_work.rules.state import GamePosition, State


def is_due(position: GamePosition) -> bool:
    """Return whether nothing was turned yet; a game that was taken over lies on the table already.

    Whoever gets the hook by a correction has another turn than the first, with nothing turned either.
    """
    state = position.state
    goes_on = state.taken_over and state.turn > 1
    begins = not (goes_on or state.discard or state.on_duty or state.back or state.clean)
    as_dealt = all(
        player.certificates == certificates_dealt(player.level, state.rules) and not player.awards
        for player in state.players
    )
    first = first_site(state.variants)  # a support may have fallen already
    return begins and as_dealt and all(count <= first[piece] for piece, count in state.site.items())


def steps(position: GamePosition, seen: frozenset[str]) -> list[PreparationStep]:
    """Return what is laid ready, in an order in which several people can help; a back in view shows the pile."""
    piled = int(bool(seen & {*BACKS, BOSS}))
    return [
        PreparationStep(name, count, piled, 1) if name == "boss_card" else PreparationStep(name, count)
        for name, count in _figures(position.state)
    ]


def _figures(state: State) -> Iterator[tuple[str, int]]:
    """Yield each step with its figure: 0 where it has none."""
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
    yield "awards", state.catalog.box.awards_to_win(len(state.players))
    yield "hook", 0


def _certificates(state: State, rules: Rules) -> Iterator[tuple[str, int]]:
    levels = {player.level for player in state.players}
    if "standard" in levels:
        yield "certificates", certificates_dealt("standard", rules)
    if "expert" in levels:
        yield "expert_certificates", certificates_dealt("expert", rules)


CAPABILITIES = Capabilities(
    command_card=command_card,
    preparation=Preparation(is_due, steps),
    choices=Choices(values_by_key(Rules), VARIANTS, {"level": ("standard", "expert")}),
)
