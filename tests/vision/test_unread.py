"""Causes of unread labels: each alone, in scenes where it is known."""

from collections import Counter

import numpy as np
import pytest

from companion.vision.label.legibility import UnreadReason
from companion.vision.read import read_codes
from companion.vision.tracking.unread import find_unread_labels
from tests.extent import in_check
from tests.vision.small_tables import DECK, small_table
from tests.vision.spoilt import SPOIL, spoilt
from tests.vision.throws import throw

TABLES = 16
LEAST_TOLD = 0.4
"""The share of what is not read that is told in any case: what is hidden too well is taken for no label."""


@pytest.mark.parametrize("why", in_check(SPOIL, "glare"))
def test_a_label_that_is_spoilt_says_by_what(why: UnreadReason) -> None:
    reasons: Counter[str] = Counter()
    for number in range(TABLES):
        # given three labels in good light, of which one is spoilt
        random = np.random.default_rng([number, 11])
        texts = [f"MB1{card}" for card in random.choice(sorted(DECK.cards), 3, replace=False)]
        grey, quads = small_table(*texts, blur=0.6, noise=2, seed=number)
        picture, quad = spoilt(grey, quads[1], why, random)

        # when it is looked for
        seen = read_codes(picture, "frame", DECK)
        if texts[1] in {sighting.text for sighting in seen}:
            continue
        labels = [label for label in find_unread_labels(picture, seen) if _lies_at(np.array(label.corners), quad)]
        reasons[labels[0].reason if labels else "nothing"] += 1

    # then it is told by nothing but what it is spoilt by, or not at all
    assert set(reasons) <= {why, "nothing"}, reasons
    assert reasons[why] >= max(1, LEAST_TOLD * sum(reasons.values())), reasons


def test_where_all_is_read_nothing_is_told() -> None:
    grey, _ = small_table("MB1W07", "MB1C11", "MB1W21", blur=0.6, noise=2)

    assert find_unread_labels(grey, read_codes(grey, "frame", DECK)) == ()


def test_a_clear_label_of_no_deck_is_told_as_such() -> None:
    grey, quads = small_table("MB1W07", "QX4Z88", blur=0.6, noise=2)

    (label,) = find_unread_labels(grey, read_codes(grey, "frame", DECK))

    assert label.reason == "strange"
    assert _lies_at(np.array(label.corners), quads[1])


@pytest.mark.nightly
def test_among_art_and_dice_where_no_label_lies_little_is_told() -> None:
    # given twenty throws of dice among things and print of all kinds
    labels = [find_unread_labels(throw(seed).image, ()) for seed in range(20)]

    # then in most of them nothing is taken for a label
    assert sum(map(bool, labels)) <= 6, labels


def test_a_picture_of_nothing_tells_nothing() -> None:
    assert find_unread_labels(np.zeros((8, 8), np.uint8), ()) == ()
    assert find_unread_labels(np.full((300, 300, 3), 90, np.uint8), ()) == ()


def _lies_at(quad: np.ndarray, truth: np.ndarray) -> bool:
    apart = np.linalg.norm(quad.mean(axis=0) - truth.mean(axis=0))
    return bool(apart < np.linalg.norm(truth[1] - truth[0]) / 2)
