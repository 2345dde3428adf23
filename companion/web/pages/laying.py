"""Cards to lay on the simulated table while the camera is tried out."""

from collections.abc import Mapping
from itertools import chain, islice, zip_longest

from companion.web.auth import services

MOST = 6


def cards_to_lay() -> list[str]:
    """Give a few cards of the deck that the camera's check looks for, one kind after the other."""
    check = services().check
    if check is None:
        return []
    tables = [list(table)[1:] for table in check.catalog.values() if isinstance(table, Mapping)]
    return list(islice((card for card in chain(*zip_longest(*tables)) if card is not None), MOST))
