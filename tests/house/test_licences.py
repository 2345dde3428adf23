"""The licence lies in the tree, and what is installed to play agrees with it."""

import re
from importlib.metadata import metadata
from pathlib import Path

import pytest

from tests.house.test_locks import locked, name_of

ROOT = Path(__file__).resolve().parents[2]
FREE = re.compile(
    r"\b(MIT|BSD|0BSD|Apache|PSF|Python Software Foundation|HPND|ISC|Zlib|Unicode|ZPL|Zope|Unlicense|Public Domain)\b",
    re.IGNORECASE,
)
TYPEFACES = {"font-source-sans-pro": "SIL OFL 1.1", "font-source-serif-pro": "SIL OFL 1.1"}
"""Under the Open Font License: their letters are embedded in what is printed, and served to browsers (ADR 30, 49)."""
LIBRARIES = {
    "zeroconf": "LGPL-2.1-or-later",
    **dict.fromkeys(("psycopg", "psycopg-binary", "psycopg-pool"), "LGPL-3.0-only"),
}
"""Under the Lesser GPL: used as they are, installed beside and never copied into the tree (ADR 37, 51)."""
RECIPROCAL = re.compile(r"\b(A?GPL|Affero)\b|General Public", re.IGNORECASE)


def licence_of(distribution: str) -> str:
    details = metadata(distribution)
    classifiers = [line for line in details.get_all("Classifier") or [] if line.startswith("License")]
    named = [line[:200] for key in ("License-Expression", "License") for line in details.get_all(key) or []]
    return " ".join([*named, *classifiers])


def test_the_licence_is_mit_and_belongs_to_the_contributors() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert text.startswith("MIT License")
    assert "the Companion contributors" in text


@pytest.mark.parametrize("distribution", sorted({name_of(pin) for pin in locked("requirements-hall.lock")}))
def test_what_is_installed_to_play_is_freely_licensed(distribution: str) -> None:
    licence = licence_of(distribution)
    other = (LIBRARIES | TYPEFACES).get(distribution, "none")
    assert FREE.search(licence) or licence.startswith(other), licence
    assert not RECIPROCAL.search(licence), licence


def test_what_is_installed_to_check_is_not_under_the_affero_licence() -> None:
    for pin in locked("requirements-dev.lock"):
        name = name_of(pin)
        if "win32" not in pin:
            assert "Affero" not in licence_of(name), name
