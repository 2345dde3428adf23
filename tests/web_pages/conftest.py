"""The pages over a real application and real tables; the fixtures are those of the web interface's tests."""

from tests.web.conftest import (
    app,
    as_caller,
    banker,
    hands,
    house,
    scanner,
    server,
    services,
    stranger,
    table,
    tables,
    tablet,
)

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
    "tables",
    "tablet",
]
