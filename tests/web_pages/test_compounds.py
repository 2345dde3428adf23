"""German compounds may be divided where their parts meet."""

import pytest

from companion.games.master_builder.ui.ui import SOFT_HYPHEN, breakable


@pytest.mark.parametrize(
    ("title", "divided"),
    [
        ("Stiftsbibliothek", "Stifts|bibliothek"),
        ("Badehaus", "Bade|haus"),
        ("Haus am Turm", "Haus am Turm"),
        ("Bibliothèque du chapitre", "Bibliothèque du chapitre"),
        ("Guildhall", "Guildhall"),
    ],
)
def test_a_title_may_be_divided_before_the_head_of_a_compound(title: str, divided: str) -> None:
    assert breakable(title).replace(SOFT_HYPHEN, "|") == divided
