"""Setting the table for two to five players (set-up, rulings MW-D02 to D04, D21, D24)."""

from collections.abc import Mapping, Sequence

from companion.game_api.house_rules import chosen_rules
from companion.game_api.seating import known_catalog, player_name, require_distinct_names, require_seated, require_seats
from companion.games.men_at_work.rules.catalog import COLOURS, INSTRUCTIONS, Catalog, all_pieces
from companion.games.men_at_work.rules.commands import StartGame
from companion.games.men_at_work.rules.events import GameStarted
from companion.games.men_at_work.rules.house_rules import Rules, distinct_variants
from companion.games.men_at_work.rules.state import FEWEST, HAND, MOST, Level, Player

CERTIFICATES = 3
"""What everybody takes who is no expert."""
SUPPORTS = 3
"""What the site stands on at the start."""
_BOSS_AT: Mapping[str, int] = {"quarter": 4, "third": 3, "half": 2}


def start(catalogs: Mapping[str, Catalog], command: StartGame) -> GameStarted:
    """Check who plays, with what and by which rules, and set the table."""
    ids = [seat.id for seat in command.players]
    require_seats(ids, FEWEST, MOST)
    require_seated(ids, command.first)
    catalog = known_catalog(catalogs, command.catalog)
    rules, variants = chosen_rules(Rules, command.rules), distinct_variants(command.variants)
    hand = dealt_hand(variants)
    players = tuple(
        Player(seat.id, player_name(seat.name, seat.id.capitalize()), seat.level, certificates, certificates, hand=hand)
        for seat in command.players
        for certificates in (certificates_dealt(seat.level, rules),)
    )
    require_distinct_names(player.name for player in players)
    return GameStarted(
        catalog_name=command.catalog,
        catalog=catalog,
        rules=rules,
        variants=variants,
        players=players,
        first=command.first,
        deck=INSTRUCTIONS + 1 - hand * len(players),
        about_after=about_after(rules, hand * len(players)),
        awards_needed=catalog.box.awards_to_win(len(players)),
        site=first_site(variants),
    )


def certificates_dealt(level: Level, rules: Rules) -> int:
    """Return how many certificates a player takes at the start."""
    return rules.expert_certificates if level == "expert" else CERTIFICATES


def dealt_hand(variants: Sequence[str]) -> int:
    """Return how many cards each player is dealt."""
    return HAND if "foreman" in variants else 0


def about_after(rules: Rules, in_hands: int) -> int:
    """Return after how many instructions of the pile the boss goes in."""
    return (INSTRUCTIONS - in_hands) // _BOSS_AT[rules.boss_at]


def first_site(variants: Sequence[str]) -> dict[str, int]:
    """Return what stands at the start: three supports, a girder of each colour and a worker; no support in the box."""
    supports = 0 if "skyscraper" in variants else SUPPORTS
    return all_pieces({**dict.fromkeys(COLOURS, 1), "workers": 1, "supports": supports})
