"""Going on with a game already begun at the table (refusals R17)."""

from collections.abc import Mapping

from companion.engine.game import Refused
from companion.game_api.house_rules import chosen_rules
from companion.game_api.seating import known_catalog, player_name, require_distinct_names, require_seats
from companion.games.men_at_work.rules.catalog import INSTRUCTIONS, PIECES, Catalog, Counts, all_pieces, together
from companion.games.men_at_work.rules.commands import TakenPlayer, TakenPosition, TakeOver
from companion.games.men_at_work.rules.decide import validate_floor
from companion.games.men_at_work.rules.events import GameTakenOver
from companion.games.men_at_work.rules.evolve import evolve
from companion.games.men_at_work.rules.house_rules import Rules, distinct_variants
from companion.games.men_at_work.rules.setup import (
    about_after,
    certificates_dealt,
    dealt_hand,
    first_site,
)
from companion.games.men_at_work.rules.state import FEWEST, HAND, MOST, Player, State


def taken_over(catalogs: Mapping[str, Catalog], command: TakeOver) -> GameTakenOver:
    """Check a position, and let the game go on with it; ``Refused``."""
    said = command.position
    require_seats(said.seats, FEWEST, MOST)
    if sorted(said.seats) != sorted(said.players):
        raise Refused("seats_differ")
    catalog = known_catalog(catalogs, said.catalog)
    rules, variants = chosen_rules(Rules, said.rules), distinct_variants(said.variants)
    players = tuple(_player(seat, said.players[seat], rules, variants) for seat in said.seats)
    require_distinct_names(player.name for player in players)
    needed = catalog.box.awards_to_win(len(players))
    _validate_players(said, players, needed)
    _validate_discard(catalog, said.discard)
    if said.turn < 1:
        raise Refused("no_such_turn", turn=said.turn)
    site, floor = _pieces(said, rules, variants)
    event = GameTakenOver(
        catalog_name=said.catalog,
        catalog=catalog,
        rules=rules,
        variants=variants,
        players=players,
        active=said.active,
        deck=_deck(said, players),
        about_after=about_after(rules, dealt_hand(variants) * len(players)),
        awards_needed=needed,
        site=site,
        floor=floor,
        turn=said.turn,
        clean=said.clean,
        discard=said.discard,
        on_duty=said.boss.on_duty,
        reason=command.reason,
    )
    _validate_box(evolve(None, event))
    return event


def _player(seat: str, said: TakenPlayer, rules: Rules, variants: tuple[str, ...]) -> Player:
    most = certificates_dealt(said.level, rules)
    certificates = most if said.certificates is None else said.certificates
    hand = dealt_hand(variants) if said.hand is None else said.hand
    if not 0 <= certificates <= most:
        raise Refused("certificates_cannot_be", player=seat, most=most)
    if "foreman" not in variants and hand:
        raise Refused("no_hands")
    if not 0 <= hand <= HAND:
        raise Refused("hand_cannot_be", player=seat, most=HAND)
    name = player_name(said.name, seat.capitalize())
    return Player(seat, name, said.level, most, certificates, said.awards, hand, out=certificates == 0)


def _validate_players(said: TakenPosition, players: tuple[Player, ...], needed: int) -> None:
    left_in = [player.id for player in players if not player.out]
    if said.active not in said.seats:
        raise Refused("unknown_player", player=said.active)
    if len(left_in) < 2:  # noqa: PLR2004 - one alone has won
        raise Refused("too_few_left")
    if said.active not in left_in:
        raise Refused("player_is_out", player=said.active)
    for player in players:
        most = needed - 1 if said.boss.on_duty else 0
        if not 0 <= player.awards <= most:
            raise Refused("awards_cannot_be", player=player.id, most=most)


def _validate_discard(catalog: Catalog, discard: tuple[str, ...]) -> None:
    for card in discard:
        if catalog.card(card) is None:
            raise Refused("unknown_card", card=card)
    if len(set(discard)) != len(discard):
        raise Refused("named_twice", cards=discard)


def _deck(said: TakenPosition, players: tuple[Player, ...]) -> int:
    """Count what is left for the pile; a boss who is not on duty must be in it."""
    boss = 1 if said.boss.on_duty else 0
    deck = INSTRUCTIONS + 1 - len(said.discard) - sum(player.hand for player in players) - boss
    if deck < 1 - boss:
        raise Refused("too_many_cards")
    return deck


def _pieces(said: TakenPosition, rules: Rules, variants: tuple[str, ...]) -> tuple[dict[str, int], dict[str, int]]:
    if not rules.counts and (said.site is not None or said.floor is not None):
        raise Refused("nothing_is_counted")
    heaps: list[Counts | None] = []
    for heap in (said.site, said.floor):
        for piece, count in (heap or {}).items():
            if piece not in PIECES:
                raise Refused("unknown_piece", piece=piece)
            if count < 0:
                raise Refused("no_pieces")
        heaps.append(heap)
    site = first_site(variants) if heaps[0] is None else all_pieces(heaps[0])
    return site, all_pieces(heaps[1] or {})


def _validate_box(state: State) -> None:
    """Check that the pieces are in the box, and that only what may lie on the floor does."""
    box: Counts = state.catalog.box.pieces
    lying = together(state.site, state.floor)
    for piece in PIECES:
        if lying[piece] > box[piece]:
            raise Refused("not_so_many", piece=piece, count=lying[piece], lying=box[piece])
    on_floor = {piece: count for piece, count in state.floor.items() if count}
    if on_floor:
        validate_floor(state, on_floor)
