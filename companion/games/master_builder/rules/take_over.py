"""Going on with a game already begun at the table: a whole position becomes the first event.

Whatever does not hold together is said in one refusal, fault by fault.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from companion.engine.game import Auction, Refused
from companion.game_api.corrections import described_faults
from companion.game_api.house_rules import chosen_rules, chosen_variants
from companion.game_api.seating import player_name, require_player
from companion.games.master_builder.rules import commands as c
from companion.games.master_builder.rules.building import at_hand, check, jobs
from companion.games.master_builder.rules.catalog import Catalog
from companion.games.master_builder.rules.events import GameTakenOver
from companion.games.master_builder.rules.house_rules import VARIANTS, Rules
from companion.games.master_builder.rules.phases import begin_anew, first_opportunity, passes_over
from companion.games.master_builder.rules.phases.build import VARIANT
from companion.games.master_builder.rules.phases.contracts import may_bid, purse
from companion.games.master_builder.rules.phases.event_cards import cards_a_round
from companion.games.master_builder.rules.setup import MONEY
from companion.games.master_builder.rules.state import (
    EVENT_HAND,
    FEWEST,
    LAST_ROUND,
    MOST,
    Build,
    BuildingSite,
    Contracts,
    Employed,
    Events,
    Finished,
    GamePosition,
    Hire,
    Income,
    MoneyPlace,
    Phase,
    Planned,
    Player,
    State,
    WagesOf,
    contract_card,
    event_card,
    moment_of,
    require_distinct_cards,
    validate_amount,
    worker_card,
)
from companion.games.master_builder.rules.take_over_faults import (
    GameSetup,
    card_faults,
    contracts_in_game,
    deck_faults,
    disagreements,
    economy_left,
    last_round,
    money_faults,
    nothing_left,
    round_faults,
    seen_contracts,
)

# The phase of a position taken over; without details it has just begun.

BOUND = {
    "hire": ("hire",),
    "contracts": ("economy_due", "declined", "auction", "raised"),
    "events": ("event", "drawn"),
    "build": ("planned", "plan", "plans", "lent"),
    "income": ("settlement",),
}
"""What only one phase has."""


def stray_fields(said: c.TakenPosition) -> Iterator[Refused]:
    """Return what is told of another phase than the one that is on."""
    for phase, names in BOUND.items():
        for name in names if phase != said.phase else ():
            if getattr(said, name) is not None:
                yield Refused("belongs_to_phase", field=name, phase=phase)
    if said.reveal_due and said.phase != "contracts":
        yield Refused("belongs_to_phase", field="reveal_due", phase="contracts")


def phase_taken(said: c.TakenPosition, position: GamePosition) -> Phase:
    """Build the phase; ``position`` has everything else.  ``Refused`` names the first fault."""
    match said.phase:
        case "hire":
            return _hire(said, position.state)
        case "contracts":
            return _contracts(said, position)
        case "events":
            return _events(said, position.state)
        case "build":
            return _build(said, position.state)
        case "income":
            return _income(said, position.state)
        case _:
            return Finished()


def _all_seated(state: State, players: Collection[str]) -> None:
    require_distinct_cards(players)
    for player in players:
        require_player(state, player)


def _waiting(said: c.TakenPosition, state: State) -> str | None:
    """Return the one whom the table waits for; ``None``: that was left out."""
    waiting = list(said.waiting_for or ())
    if len(waiting) > 1:
        raise Refused("one_at_a_time")
    return require_player(state, waiting[0]).id if waiting else None


def _follows_crews(said: c.TakenPosition) -> bool:
    """Return whether the lap follows from how many workers each has: in round 1, where nobody said which it is."""
    crews = any(player.workers for player in said.players.values())
    return crews and said.round == 1 and said.phase == "hire" and said.hire is None


def _hire(said: c.TakenPosition, state: State) -> Hire:
    begun = first_opportunity(state)
    if _follows_crews(said):
        return begun
    taken = said.hire or c.TakenHire()
    if not 1 <= taken.lap <= begun.laps:
        raise Refused("no_such_lap", lap=taken.lap, laps=begun.laps)
    crews = [len(player.crew) for player in state.players]
    in_turn = state.round == 1 and max(crews) <= min(begun.laps, min(crews) + 1)  # else cards were corrected
    if in_turn and taken.lap != begun.lap:
        raise Refused("disagrees", field="hire.lap", said=taken.lap, follows=begun.lap)
    if in_turn and begun.used:
        return begun
    player = _waiting(said, state) or (begun.player if taken.lap == begun.lap else state.start)
    _all_seated(state, taken.rested)
    _check_passes(state, taken, player)
    return Hire(
        player,
        taken.lap,
        begun.laps,
        rested=taken.rested,
        passes=taken.passes,
        looked=taken.looked,
    )


def _check_passes(state: State, taken: c.TakenHire, player: str) -> None:
    """Check what was said of passes and of a pile in hand, as far as the house rules and variants know it."""
    until_all_pass = state.round > 1 and state.rules.hire_fire == "until_all_pass"
    most = len(state.players) - 1 if until_all_pass else taken.lap * len(state.players)
    if not 0 <= taken.passes <= most:
        raise Refused("passes_cannot_be", count=taken.passes, most=most)
    if taken.rested and until_all_pass:
        raise Refused("rest_does_not_exist")
    if player in taken.rested:
        raise Refused("cannot_wait_for", player=player, phase="hire")
    if taken.looked is not None and "choosing_workers" not in state.variants:
        raise Refused("variant_not_played", variant="choosing_workers")


def _contracts(said: c.TakenPosition, position: GamePosition) -> Phase:
    state = position.state
    if said.economy_due is None and said.reveal_due is None and said.declined is None and said.auction is None:
        return begin_anew(state, state, "contracts")
    economy, reveal, declined = bool(said.economy_due), said.reveal_due or 0, said.declined or ()
    if economy and (state.round == 1 or state.economy == 0):
        raise Refused("economy_not_due")
    if not 0 <= reveal <= state.deck:
        raise Refused("reveal_cannot_be", count=reveal, left=state.deck)
    _all_seated(state, declined)
    auction = None if said.auction is None else _auction(said, said.auction, position)
    raised = auction is not None if said.raised is None else said.raised
    return Contracts(economy, reveal, declined, auction, raised)


def _auction(said: c.TakenPosition, taken: c.TakenAuction, position: GamePosition) -> Auction:
    state = position.state
    card = contract_card(state, taken.contract)
    if taken.contract not in state.display:
        raise Refused("not_on_display", card=taken.contract)
    _all_seated(state, taken.still_in)
    if taken.leader not in taken.still_in:
        raise Refused("leader_left", player=taken.leader)
    still_in = tuple(player for player in state.turn_order if player in taken.still_in)
    for player in still_in:
        if not may_bid(state, player):
            raise Refused("may_not_bid", player=player)
    validate_amount(taken.bid)
    if taken.bid < card.cost:
        raise Refused("bid_below_cost", least=card.cost, bid=taken.bid)
    if taken.bid > purse(position, taken.leader, taken.contract):
        raise Refused(
            "cannot_pay", player=taken.leader, amount=taken.bid, cash=purse(position, taken.leader, taken.contract)
        )
    auction = Auction.open(taken.contract, taken.bid, taken.leader, still_in)
    asked = _waiting(said, state)
    if asked is None or asked == auction.to_bid:
        return auction
    if asked == taken.leader or asked not in still_in:
        raise Refused("cannot_wait_for", player=asked, phase="contracts")
    return Auction(taken.contract, taken.bid, taken.leader, still_in, asked)


def _events(said: c.TakenPosition, state: State) -> Events:
    taken = said.event
    drawn = said.drawn if said.drawn is not None else 0 if taken is None else 1
    if not (0 if taken is None else 1) <= drawn <= cards_a_round(state) - (1 if taken is None else 0):
        raise Refused("events_cannot_be", count=drawn)
    if taken is None:
        return Events(drawn=drawn)
    if not 0 <= taken.effect <= len(event_card(state, taken.card).effects):
        raise Refused("no_such_effect", card=taken.card)
    if taken.player is None:
        if taken.effect or taken.hit or taken.rest is not None:
            raise Refused("missing_field", field="position.event.player")
        return Events(taken.card, rest=state.turn_order, drawn=drawn)
    order = state.turn_order
    require_player(state, taken.player)
    rest = order[order.index(taken.player) + 1 :] if taken.rest is None else taken.rest
    _all_seated(state, (taken.player, *rest))
    _check_hit(state, taken.player, taken.hit)
    return Events(taken.card, taken.player, rest, taken.effect, taken.hit, drawn)


def _check_hit(state: State, player: str, hit: tuple[str, ...]) -> None:
    """Check that an event hit workers who are the player's, or were until it dismissed them."""
    require_distinct_cards(hit)
    for worker in hit:
        worker_card(state, worker)
        employer = state.employer(worker)
        if employer is not None and employer.id != player:
            raise Refused("not_your_worker", player=player, card=worker)


def _build(said: c.TakenPosition, state: State) -> Build:
    lent = said.lent or ()
    require_distinct_cards([loan.worker for loan in lent])
    closed = bool(said.plans) or (said.expects is not None and "hire_out" not in said.expects)
    for loan in lent:
        owner, _ = require_player(state, loan.owner), require_player(state, loan.borrower)
        if VARIANT not in state.variants:
            raise Refused("variant_not_played", variant=VARIANT)
        if not owner.employs(loan.worker):
            raise Refused("not_your_worker", player=loan.owner, card=loan.worker)
        if loan.owner == loan.borrower:
            raise Refused("not_to_oneself", player=loan.owner)
        if loan.worker not in at_hand(state, owner):
            raise Refused("worker_not_free", card=loan.worker)
    if said.plan or (state.rules.plans != "open" and (said.planned or said.plans)):
        raise Refused("plans_are_made_again")
    building = state.with_phase(Build(lent=lent))
    plans = tuple(Planned(require_player(state, player).id, jobs(work)) for player, work in (said.plans or {}).items())
    for plan in plans:
        check(building, building.player(plan.player), plan.work)
    return Build(plans, lent, closed=closed)


def _income(said: c.TakenPosition, state: State) -> Income:
    taken = said.settlement or c.TakenSettlement()
    for payment in taken.earned:
        if payment.contract not in require_player(state, payment.player).completed:
            raise Refused("not_your_contract", player=payment.player, card=payment.contract)
        price = contract_card(state, payment.contract).price
        if payment.price != price:
            raise Refused("disagrees", field=f"settlement.{payment.contract}", said=payment.price, follows=price)
    require_distinct_cards([payment.contract for payment in taken.earned])
    _all_seated(state, tuple(taken.paid))
    for amount in taken.paid.values():
        validate_amount(amount)
    return Income(taken.earned, tuple(WagesOf(player, amount) for player, amount in taken.paid.items()))


def taken_over(
    catalogs: Mapping[str, Catalog], command: c.TakeOver, laid_out: Callable[[GameTakenOver], GamePosition]
) -> GameTakenOver:
    """Check a position and let the game begin with it; ``Refused`` names every fault that was found.

    ``laid_out`` gives the position that an event begins with: books are opened only where all events are folded.
    """
    said = command.position
    setting = _game_setup(catalogs, said)
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
        there = laid_out(begun)
        phase = phase_taken(said, there)
    except Refused as refused:
        raise Refused("position_faulty", faults=described_faults([refused])) from refused
    by_crews = _follows_crews(said) and isinstance(phase, Hire) and passes_over(there.state, phase)
    event = _event(said, setting, phase, command.reason, by_crews=by_crews)
    _none(disagreements(said, laid_out(event)))
    return event


def _none(faults: Iterable[Refused]) -> None:
    all_faults = list(faults)
    if all_faults:
        raise Refused("position_faulty", faults=described_faults(all_faults))


def _game_setup(catalogs: Mapping[str, Catalog], said: c.TakenPosition) -> GameSetup:
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
    return GameSetup(
        catalogs[said.catalog], chosen_rules(Rules, said.rules), chosen_variants(VARIANTS, said.variants), seats
    )


def _event(
    said: c.TakenPosition, setting: GameSetup, phase: Phase, reason: str, *, by_crews: bool = False
) -> GameTakenOver:
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
        end_found=last < LAST_ROUND or nothing_left(said, setting),
        phase=said.phase,
        moment=moment_of(phase),
        money=MONEY,
        cash=tuple(MoneyPlace(player, said.players[player].cash) for player in setting.seats),  # type: ignore[index]  # checked
        on_contracts=tuple(MoneyPlace(card, lying) for card, lying in sorted(said.display.items()) if lying),
        deck=contracts_in_game(setting.catalog, len(setting.seats)) - len(seen),
        economy=economy_left(said),
        display=tuple(sorted(said.display)),
        removed=tuple(sorted(said.removed)),
        seen=seen,
        turned_economy=said.turned.economy,
        turned_events=(*said.turned.events, *in_hand),
        reason=reason,
        by_crews=by_crews,
    )


def _player(said: c.TakenPosition, setting: GameSetup, player: str) -> Player:
    taken_player: c.TakenPlayer = said.players[player]  # type: ignore[index]  # seats are the players, as was checked
    hand = EVENT_HAND if "selective_events" in setting.variants else 0
    return Player(
        id=player,
        name=player_name(taken_player.name, player.capitalize()),
        crew=tuple(_employed(said, setting, taken_player, worker) for worker in taken_player.workers),
        sites=tuple(BuildingSite(card, tuple(sorted(built))) for card, built in taken_player.contracts.items()),
        completed=taken_player.completed,
        small=taken_player.loans.small,
        large=taken_player.loans.large,
        event_hand=hand if taken_player.event_hand is None else taken_player.event_hand,
    )


def _employed(said: c.TakenPosition, setting: GameSetup, taken_player: c.TakenPlayer, worker: str) -> Employed:
    extra = said.round_wages.get(worker, 0)
    due = said.workers.get(worker, setting.printed_wage(worker) + extra)
    return Employed(worker, due - extra, extra, face_up=worker not in taken_player.unavailable)
