"""How much is tested: a part of what is exhaustive each time, all of it by ``./check --all``."""

import os
from collections.abc import Iterable
from typing import TypeVar

import pytest
from _pytest.mark import ParameterSet

T = TypeVar("T")

ALL = os.environ.get("COMPANION_TESTS") == "all"
"""True by ``./check --all``: everything is tested, however long it takes."""


def by_night(*cases: object) -> list[ParameterSet]:
    """Return cases of a parametrised test that ``./check --all`` alone tests."""
    return [pytest.param(case, marks=pytest.mark.nightly) for case in cases]


def of_all(daily: T, everything: T) -> T:
    """Return how much of something is tested now: ``daily`` each time, ``everything`` by ``./check --all``."""
    return everything if ALL else daily


def in_check(everything: Iterable[T], *daily: T) -> list[ParameterSet]:
    """Return all cases as parameters: those of ``daily`` run each time, the others by ``./check --all`` alone."""
    return [pytest.param(case, marks=() if case in daily else pytest.mark.nightly) for case in everything]
