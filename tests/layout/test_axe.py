"""Every page for everybody: WCAG 2.2 AA by axe, in light and dark."""

from collections.abc import Sequence
from typing import Any, Literal

import pytest

from tests.layout.conftest import Visit
from tests.layout.places import PLACE_CALLED, PLACES, Place
from tests.pages import run_axe

pytestmark = pytest.mark.browser

Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
LANGUAGES = ("en", "fr", "de")
OPTIONS: dict[str, Any] = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
"""Everything that axe knows, and what is new in 2.2 and not yet looked at unasked."""
COMBINED = [(scheme, language) for scheme in SCHEMES for language in LANGUAGES]
KINDS = ("tablet_differing", "take_over", "report", "menu", "seat_later_hire")
"""Places of different kinds."""
DIAGONAL = [(PLACE_CALLED[name], *COMBINED[number % len(COMBINED)]) for number, name in enumerate(KINDS)]


def barriers(visit: Visit, place: Place, schemes: Sequence[Scheme], language: str) -> list[str]:
    """Return what axe objects to on a page, in each of the schemes."""
    page = visit(place, language)
    page.set_viewport_size({"width": 1280, "height": 800})
    faults: list[str] = []
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        faults += [
            f"{scheme}: {violation['id']}: {node['html'][:160]} ({node['failureSummary']})"
            for violation in run_axe(page, options=OPTIONS).response["violations"]
            for node in violation["nodes"]
        ]
    return faults


@pytest.mark.parametrize(("place", "scheme", "language"), DIAGONAL, ids=str)
def test_nothing_stands_in_the_way_of_anybody(visit: Visit, place: Place, scheme: Scheme, language: str) -> None:
    assert barriers(visit, place, [scheme], language) == []


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("place", "language"), [(place, LANGUAGES[number % len(LANGUAGES)]) for number, place in enumerate(PLACES)], ids=str
)
def test_nothing_stands_in_the_way_anywhere(visit: Visit, place: Place, language: str) -> None:
    # given each place in one of the languages, in turn: what axe looks at changes with the scheme, not with the words
    assert barriers(visit, place, SCHEMES, language) == []
