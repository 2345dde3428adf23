"""Going on with a game already begun at the table: a whole position becomes the first event.

Whatever does not hold together is said in one refusal, fault by fault.
"""

from collections.abc import Callable, Iterable, Mapping

from companion.engine.errors import Refused
from companion.games.master_builder.rules.catalog import Catalog
from companion.games.master_builder.rules.commands import TakeOver
from companion.games.master_builder.rules.events import GameTakenOver, Held
from companion.games.master_builder.rules.house_rules import chosen_rules, chosen_variants
from companion.games.master_builder.rules.moments import written
from companion.games.master_builder.rules.seats import FEWEST, MOST, UNNAMED, sound_name
from companion.games.master_builder.rules.setup import EVENT_HAND, MONEY
from companion.games.master_builder.rules.state import LAST_ROUND, BuildingSite, Employed, Finished, Here, Phase, Player
from companion.games.master_builder.rules.take_over.agreement import disagreements
from companion.games.master_builder.rules.take_over.cards import card_faults, seen_contracts
from companion.games.master_builder.rules.take_over.decks import (
    contracts_in_game,
    deck_faults,
    economy_left,
    last_round,
    round_faults,
)
from companion.games.master_builder.rules.take_over.money import money_faults
from companion.games.master_builder.rules.take_over.phases import phase_taken, stray_fields
from companion.games.master_builder.rules.take_over.setting import Setting
from companion.games.master_builder.rules.taken_position import TakenPlayer, TakenPosition


def taken_over(
    catalogs: Mapping[str, Catalog], command: TakeOver, laid_out: Callable[[GameTakenOver], Here]
) -> GameTakenOver:
    """Check a position and let the game begin with it; ``Refused`` names every fault that was found.

    ``laid_out`` gives the position that an event begins with: books are opened only where all events are folded.
    """
    said = command.position
    setting = _setting(catalogs, said)
    _none(
        (
            *round_faults(said, setting),
            *card_faults(said, setting),
            *deck_faults(said, setting),
            *money_faults(said, setting),
            *stray_fields(said),
        )
    )
    begun = _event(said, setting, Finished(), command.reason)
    try:
        phase = phase_taken(said, laid_out(begun))
    except Refused as refused:
        raise _faulty([refused]) from refused
    event = _event(said, setting, phase, command.reason)
    _none(disagreements(said, laid_out(event)))
    return event


def _none(faults: Iterable[Refused]) -> None:
    found = list(faults)
    if found:
        raise _faulty(found)


def _faulty(faults: Iterable[Refused]) -> Refused:
    """Put faults into one refusal."""
    listed = tuple({"rule": fault.rule, "details": dict(fault.details)} for fault in faults)
    return Refused("position_faulty", faults=listed)


def _setting(catalogs: Mapping[str, Catalog], said: TakenPosition) -> Setting:
    """Find out who plays with what and by which rules; without that nothing else can be checked."""
    seats = tuple(said.players) if said.seats is None else said.seats
    faults: list[Refused] = []
    if not FEWEST <= len(said.players) <= MOST:
        faults.append(Refused("number_of_players", least=FEWEST, most=MOST))
    if sorted(seats) != sorted(said.players):
        faults.append(Refused("seats_differ"))
    if said.start_player not in said.players:
        faults.append(Refused("unknown_player", player=said.start_player))
    if said.catalog not in catalogs:
        faults.append(Refused("unknown_catalog", name=said.catalog))
    _none(faults)
    return Setting(catalogs[said.catalog], chosen_rules(said.rules), chosen_variants(said.variants), seats)


def _event(said: TakenPosition, setting: Setting, phase: Phase, reason: str) -> GameTakenOver:
    seen = seen_contracts(said)
    in_hand = (said.event.card,) if said.event and said.event.card not in said.turned.events else ()
    last = last_round(said, setting)
    return GameTakenOver(
        catalog_name=said.catalog,
        catalog=setting.catalog,
        rules=setting.rules,
        variants=setting.variants,
        players=tuple(_player(said, setting, player) for player in setting.seats),
        start=said.start_player,
        round=said.round,
        last_round=last,
        end_found=last < LAST_ROUND,
        phase=said.phase,
        moment=written(phase),
        money=MONEY,
        cash=tuple(Held(player, said.players[player].cash) for player in setting.seats),  # type: ignore[index]  # checked
        on_contracts=tuple(Held(card, lying) for card, lying in sorted(said.display.items()) if lying),
        deck=contracts_in_game(setting.catalog, len(setting.seats)) - len(seen),
        economy=economy_left(said),
        display=tuple(sorted(said.display)),
        removed=tuple(sorted(said.removed)),
        seen=seen,
        turned_economy=said.turned.economy,
        turned_events=(*said.turned.events, *in_hand),
        reason=reason,
    )


def _player(said: TakenPosition, setting: Setting, player: str) -> Player:
    one: TakenPlayer = said.players[player]  # type: ignore[index]  # seats are the players, as was checked
    hand = EVENT_HAND if "selective_events" in setting.variants else 0
    return Player(
        id=player,
        name=player.capitalize() if one.name == UNNAMED else sound_name(one.name),
        crew=tuple(_employed(said, setting, one, worker) for worker in one.workers),
        sites=tuple(BuildingSite(card, tuple(sorted(built))) for card, built in one.contracts.items()),
        completed=one.completed,
        small=one.loans.small,
        large=one.loans.large,
        event_hand=hand if one.event_hand is None else one.event_hand,
    )


def _employed(said: TakenPosition, setting: Setting, one: TakenPlayer, worker: str) -> Employed:
    extra = said.round_wages.get(worker, 0)
    due = said.workers.get(worker, setting.printed_wage(worker) + extra)
    return Employed(worker, due - extra, extra, face_up=worker not in one.unavailable)
