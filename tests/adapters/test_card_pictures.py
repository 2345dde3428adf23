"""Pictures of cards in the data folder: kept under the names that games give their cards, whatever these hold."""

from pathlib import Path

import pytest

from companion.adapters.boxes import CardPictures


@pytest.mark.parametrize("card", ["W01", "nut 1", "../secret", "a.b", "Nuß/№1", "%2E", "*"])
def test_a_picture_is_kept_under_any_name_of_a_card(tmp_path: Path, card: str) -> None:
    # given a folder with pictures of this box and of another
    files = CardPictures(tmp_path / "pictures")
    files.write("other-box", card, b"another")

    # when one is kept
    files.write("box", card, b"jpeg")

    # then it is this card's alone, in this folder
    assert list(files.cards("box")) == [card]
    assert files.read("box", card) == b"jpeg"
    assert len(list((tmp_path / "pictures").iterdir())) == 2
    assert list(tmp_path.iterdir()) == [tmp_path / "pictures"]
    files.remove("box")
    assert files.read("box", card) is None
    assert files.read("other-box", card) == b"another"
