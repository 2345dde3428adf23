"""Setting the table for two to five players (set-up, rulings MW-D02 to D04, D21, D24)."""

from collections.abc import Mapping, Sequence

from companion.engine.errors import Refused
from companion.games.men_at_work.rules.catalog import INSTRUCTIONS, Catalog
from companion.games.men_at_work.rules.commands import StartGame
from companion.games.men_at_work.rules.events import GameStarted
from companion.games.men_at_work.rules.fields import Level
from companion.games.men_at_work.rules.house_rules import Rules, chosen_rules, chosen_variants
from companion.games.men_at_work.rules.pieces import COLOURS, counted
from companion.games.men_at_work.rules.seats import FEWEST, MOST, called
from companion.games.men_at_work.rules.state import Player

CERTIFICATES = 3
"""What everybody takes who is no expert."""
HAND = 2
"""Cards dealt to each player in variant ``foreman``."""
SUPPORTS = 3
"""What the site stands on at the start."""
_BOSS_AT: Mapping[str, int] = {"quarter": 4, "third": 3, "half": 2}


def start(catalogs: Mapping[str, Catalog], command: StartGame) -> GameStarted:
    """Check who plays, with what and by which rules, and set the table."""
    ids = [seat.id for seat in command.players]
    sound_seats(ids)
    if command.first not in ids:
        raise Refused("unknown_player", player=command.first)
    catalog = known_catalog(catalogs, command.catalog)
    rules, variants = chosen_rules(command.rules), chosen_variants(command.variants)
    hand = dealt_hand(variants)
    players = tuple(
        Player(seat.id, called(seat.id, seat.name), seat.level, certificates, certificates, hand=hand)
        for seat in command.players
        for certificates in (dealt(seat.level, rules),)
    )
    return GameStarted(
        catalog_name=command.catalog,
        catalog=catalog,
        rules=rules,
        variants=variants,
        players=players,
        first=command.first,
        deck=INSTRUCTIONS + 1 - hand * len(players),
        about_after=about_after(rules, hand * len(players)),
        awards_needed=catalog.box.needed(len(players)),
        site=first_site(variants),
    )


def sound_seats(ids: Sequence[str]) -> None:
    """Check how many play, and that nobody sits twice; ``Refused``."""
    if not FEWEST <= len(ids) <= MOST:
        raise Refused("number_of_players", least=FEWEST, most=MOST)
    if len(set(ids)) != len(ids):
        raise Refused("colour_taken_twice")


def known_catalog(catalogs: Mapping[str, Catalog], name: str) -> Catalog:
    """Find a catalog; ``Refused``."""
    if name not in catalogs:
        raise Refused("unknown_catalog", name=name)
    return catalogs[name]


def dealt(level: Level, rules: Rules) -> int:
    """Say how many certificates a player takes at the start."""
    return rules.expert_certificates if level == "expert" else CERTIFICATES


def dealt_hand(variants: Sequence[str]) -> int:
    """Say how many cards each player is dealt."""
    return HAND if "foreman" in variants else 0


def about_after(rules: Rules, in_hands: int) -> int:
    """Say after how many instructions of the pile the boss goes in."""
    return (INSTRUCTIONS - in_hands) // _BOSS_AT[rules.boss_at]


def first_site(variants: Sequence[str]) -> dict[str, int]:
    """Say what stands at the start: three supports, a girder of each colour and a worker; no support in the box."""
    supports = 0 if "skyscraper" in variants else SUPPORTS
    return counted({**dict.fromkeys(COLOURS, 1), "workers": 1, "supports": supports})
