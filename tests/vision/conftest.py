"""Pictures of symbols, and the folder of real photographs."""

from pathlib import Path

import pytest

from tests.qr.conftest import Symbol, symbol

__all__ = ["Symbol", "symbol"]  # a fixture, and its type

PHOTOS = Path(__file__).parents[3] / "shared" / "photos"


@pytest.fixture
def photos() -> Path:
    if not PHOTOS.is_dir():
        pytest.skip(f"the real photographs are not here: {PHOTOS} is no folder")
    return PHOTOS
