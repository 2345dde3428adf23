"""Pictures of cards in the data folder: kept under the names that games give their cards, whatever these hold."""

import os
import time
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


def test_the_picture_that_was_kept_last_is_the_latest_though_the_clock_was_set_back(tmp_path: Path) -> None:
    # given a picture of a sitting at which the clock was an hour ahead
    files = CardPictures(tmp_path)
    files.write("box", "W09", b"before")
    ahead = time.time() + 3_600
    os.utime(tmp_path / "box.W09.jpg", (ahead, ahead))

    # when others are kept, one of them twice
    for card in ("W01", "W02", "W01"):
        files.write("box", card, b"now")
        times = files.cards("box")

        # then each is the latest at its time
        assert max(times, key=lambda card: times[card]) == card
