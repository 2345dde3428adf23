"""The pages over a real application; most fixtures are those of the web interface's tests."""

from itertools import count

import pytest

from companion.adapters.clock import SystemClock
from companion.adapters.master_builder import MasterBuilderEdition
from companion.adapters.memory_journal import MemoryJournal
from companion.games.master_builder.catalog import Catalog
from companion.service.tables import Tables
from tests.web.conftest import app, as_caller, banker, hands, house, scanner, server, services, stranger, table, tablet

__all__ = [
    "app",
    "as_caller",
    "banker",
    "hands",
    "house",
    "scanner",
    "server",
    "services",
    "stranger",
    "table",
    "tablet",
]


@pytest.fixture
def tables(house: Catalog) -> Tables:
    """Tables that live as long as the test: whole games are played, and no disk need remember them."""
    numbers = count(1)
    edition = MasterBuilderEdition({"house": house})
    decks = [{"name": "house", "title": "House deck", "invented": True}]
    return Tables(
        {"master_builder": edition}, MemoryJournal(), SystemClock(), lambda: f"t{next(numbers)}", lambda: decks
    )
