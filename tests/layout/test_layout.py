"""Nothing lies on, sticks out of, or hides anything else: measured in the page, on every screen, in every language."""

from collections.abc import Sequence

import pytest

from tests.layout.conftest import ARTIFACTS, Visit
from tests.layout.measures import MEASURES, SMALLEST, THUMB
from tests.layout.places import DAILY, PLACES, Place

pytestmark = pytest.mark.browser

EXTREMES = ((390, 844), (1920, 1080))
"""The smallest screen and the largest one."""
SIZES = ((1280, 800), (1024, 600), (800, 1280), (844, 390), *EXTREMES)


def faults_at(visit: Visit, place: Place, language: str, sizes: Sequence[tuple[int, int]] = SIZES) -> list[str]:
    """Measure a place on screens of these sizes; what lies badly there is kept as a picture."""
    page = visit(place, language)
    all_faults: list[str] = []
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        faults = page.evaluate(MEASURES, {"target": THUMB, "letters": SMALLEST})
        if faults:
            ARTIFACTS.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=ARTIFACTS / f"{place}-{language}-{width}x{height}.png")
        all_faults += [f"{width}x{height} {fault}" for fault in faults]
    if all_faults:
        (ARTIFACTS / f"{place}-{language}.txt").write_text("\n".join(all_faults) + "\n", encoding="utf-8")
    return all_faults


@pytest.mark.parametrize("place", DAILY, ids=str)
def test_every_word_has_its_place_in_the_longest_language(visit: Visit, place: Place) -> None:
    assert faults_at(visit, place, "de", EXTREMES) == []


@pytest.mark.nightly
@pytest.mark.parametrize("place", PLACES, ids=str)
@pytest.mark.parametrize("language", ["fr", "en", "de"])
def test_every_word_has_its_place_in_every_language(visit: Visit, place: Place, language: str) -> None:
    assert faults_at(visit, place, language) == []
