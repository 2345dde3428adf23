"""Cards to lay on the simulated table while the camera is tried out."""

from itertools import chain, islice, zip_longest

from companion.web.game_ui import main_game
from companion.web.http.auth import services

MOST = 6


def cards_to_lay() -> list[str]:
    """Give a few cards of the deck that the camera's check looks for, one kind after the other."""
    check = services().check
    if check is None:
        return []
    kinds = main_game(services()).kinds
    tables = [list(check.catalog.get(kind.table, ()))[1:] for kind in kinds]
    return list(islice((card for card in chain(*zip_longest(*tables)) if card is not None), MOST))
