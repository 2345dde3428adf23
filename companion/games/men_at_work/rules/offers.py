"""Offers for the holder of the hook."""

from collections.abc import Sequence

from companion.engine.game import Bag, Field, Offer, OneOf
from companion.games.men_at_work.rules.catalog import BACKS, COLOURS, PIECES
from companion.games.men_at_work.rules.decide import turnable
from companion.games.men_at_work.rules.phases import ActionPhase, action_of, expects, phase_of
from companion.games.men_at_work.rules.state import State

UNADDRESSED = frozenset({"turn_card", "show_back", "reshuffle"})
"""Commands that name no player: a card lies there, whoever turned it."""


def offers(state: State, player: str) -> Sequence[Offer]:
    """List what a player may do now; nothing where somebody else holds the hook."""
    if player != state.active:
        return ()
    phase = phase_of(state)
    all_offers: list[Offer] = []
    for do in expects(state):
        if do == "fallen":
            all_offers.extend(_fallen(state))
        elif do == "claim_highest" and state.awards_left == 0:
            continue
        else:
            all_offers.append(_offer(state, do, phase))
    if state.rules.counts and phase not in ("clean", "colour", "finished") and state.site["supports"]:
        supports = Bag((("supports", state.site["supports"]),), 1)
        all_offers.append(Offer("fallen", player, (("to", "reserve"),), (("pieces", supports),), "possible"))
    return tuple(all_offers)


def _offer(state: State, do: str, phase: ActionPhase) -> Offer:
    urgency = "possible" if do in ("accident", "impossible", "exhausted") else "due"
    if do == "use_foreman_card" and phase in ("place", "turn"):
        urgency = "possible"
    return Offer(do, state.active, (), _fields(state, do, phase), urgency, addressed=do not in UNADDRESSED)  # type: ignore[arg-type]


def _fields(state: State, do: str, phase: ActionPhase) -> tuple[tuple[str, Field], ...]:
    match do:
        case "turn_card":
            return (("card", OneOf(turnable(state, phase))),)
        case "show_back":
            return (("back", OneOf(BACKS)),)
        case "say_colour":
            return (("colour", OneOf(_colours(state))),)
        case "done" if len(_colours(state)) > 1:
            return (("colour", OneOf(_colours(state))),)
        case "use_foreman_card":
            unseen = tuple(card.id for card in state.catalog.cards if card.id not in state.seen)
            return (("card", OneOf(unseen)), ("on", OneOf(("deck", "discard"))))
        case _:
            return ()


def _colours(state: State) -> tuple[str, ...]:
    """Return the colours between which a girder's is to be told."""
    action = action_of(state)
    if action is None or action.kind == "worker" or not state.rules.counts:
        return ()
    return action.colours


def _fallen(state: State) -> list[Offer]:
    """Offer what may have fallen: back into the reserve, and in the box what stays on the floor."""
    lying = tuple((piece, state.site[piece]) for piece in PIECES if state.site[piece])
    sources = [("reserve", lying)]
    if "skyscraper" in state.variants:
        sources.append(("floor", tuple(piece for piece in lying if piece[0] not in (*COLOURS, "supports"))))
    return [
        Offer("fallen", state.active, (("to", to),), (("pieces", Bag(bag, 1)),), "possible")
        for to, bag in sources
        if bag
    ]
