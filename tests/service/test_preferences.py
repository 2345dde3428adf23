"""Choices made once, kept before they count."""

import pytest

from companion.service.access.preferences import Preferences, PreferenceValues
from companion.service.ports import InMemoryStore


class FakeKept:
    """Remembers what was written; a full disk while ``full``."""

    def __init__(self, chosen: PreferenceValues) -> None:
        self.written = [chosen]
        self.full = False

    def read(self) -> PreferenceValues:
        return self.written[-1]

    def write(self, chosen: PreferenceValues) -> None:
        if self.full:
            raise OSError("no space left on device")
        self.written.append(chosen)


def test_what_is_chosen_is_kept_once() -> None:
    kept = FakeKept(PreferenceValues())
    preferences = Preferences(kept)
    for _ in range(2):
        preferences.choose(welcomed=True, layout="mat")
        preferences.hand_notes("t1", wanted=True)
    preferences.hand_notes("t1", wanted=False)
    mat = PreferenceValues(welcomed=True, layout="mat")
    assert kept.written == [
        PreferenceValues(),
        mat,
        PreferenceValues(welcomed=True, layout="mat", notes=frozenset({"t1"})),
        mat,
    ]
    assert preferences.chosen == Preferences(kept).chosen == mat


def test_what_cannot_be_kept_is_not_chosen() -> None:
    kept = FakeKept(PreferenceValues())
    preferences = Preferences(kept)
    kept.full = True
    with pytest.raises(OSError, match="no space"):
        preferences.choose(deck="attic")
    with pytest.raises(OSError, match="no space"):
        preferences.hand_notes("t1", wanted=True)
    assert preferences.chosen == PreferenceValues()


def test_a_program_that_forgets_welcomes_nobody() -> None:
    preferences = Preferences(InMemoryStore(PreferenceValues(welcomed=True)))
    preferences.choose(deck="attic")
    assert preferences.chosen == PreferenceValues(welcomed=True, deck="attic")
