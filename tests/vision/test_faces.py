"""Bare cards are told by their faces: where they lie, which they are, and when nobody can say."""

from functools import cache

import cv2
import numpy as np
import pytest

from companion.qr.sighting import Picture
from companion.simulator.optics import MEDIUM, MILD, Optics, Severity, compress_picture, sample_optics
from companion.simulator.scene import PlacedCard, Scene
from companion.vision.card_art.match import Recognition, find_lookalikes, recognise_card
from companion.vision.card_art.outline import (
    CardPicture,
    TaughtCards,
    crop_card,
    detect_features,
    find_outlines,
    find_single_card,
    locate_by_features,
    map_to_quad,
    resize_card,
    turn_upright,
)
from tests.card_faces import card_faces
from tests.extent import of_all


def house_faces() -> dict[str, Picture]:
    """Return the faces of the House deck; they are drawn when the first test needs them."""
    return card_faces("master_builder")


PLACE = PlacedCard("W07", 500.0, 280.0, 0.0)


class Over:
    """A camera over a table on which bare cards of the House deck are laid."""

    def __init__(self, severity: Severity, seed: int) -> None:
        self.optics: Optics = sample_optics(severity, np.random.default_rng([seed, 4]))
        self._scene = Scene(self.optics, {}, seed, unlabelled=house_faces())
        self.ground = self.empty()

    def empty(self) -> Picture:
        return compress_picture(self._scene.render([]), self.optics)

    def pictures(self, card: str, angle: float, count: int = 3) -> list[Picture]:
        lying = [PlacedCard(card, PLACE.x_mm, PLACE.y_mm, angle)]
        return [compress_picture(self._scene.render(lying), self.optics) for _ in range(count)]

    def taught(self, card: str) -> CardPicture:
        pictures = self.pictures(card, 0)
        outline = turn_upright(find_outlines(self.ground, pictures[0])[0])
        return resize_card(np.asarray(np.mean([crop_card(picture, outline) for picture in pictures], axis=0), np.uint8))

    def recognise(self, cards: TaughtCards, card: str, angle: float) -> Recognition | None:
        pictures = self.pictures(card, angle)
        return recognise_card(cards, pictures, map_to_quad(find_outlines(self.ground, pictures[0])[0]))


@cache
def taught() -> TaughtCards:
    """Cards all through the House deck, and two that bear the same print; in mild light, one after the other."""
    over = Over(MILD, 1)
    cards = dict.fromkeys([*list(house_faces())[:: of_all(60, 5)], "C06", "W04", "W06"])
    return TaughtCards({card: over.taught(card) for card in cards})


@pytest.mark.parametrize(
    ("severity", "seed", "sure"), [(MILD, 21, 0.9), pytest.param(MEDIUM, 27, 0.7, marks=pytest.mark.nightly)]
)
def test_a_card_is_known_however_it_lies(severity: Severity, seed: int, sure: float) -> None:
    # given another camera over another table than that at which cards were taught
    over = Over(severity, seed)
    cards = [taught_card.card for taught_card in taught().cards if taught_card.card not in {"W04", "W06"}]

    # when cards are laid down, turned by any angle
    recognitions = {
        card: over.recognise(taught(), card, 360 * number / len(cards)) for number, card in enumerate(cards)
    }

    # then each is told, and most for sure: the others lie in a highlight
    assert {card: recognition and recognition.card for card, recognition in recognitions.items()} == {
        card: card for card in cards
    }
    assert sum(
        recognition is not None and recognition.is_certain for recognition in recognitions.values()
    ) >= sure * len(cards)


def test_a_card_that_was_never_taught_is_never_sure() -> None:
    over = Over(MILD, 23)
    strange = [card for card in house_faces() if card not in {taught_card.card for taught_card in taught().cards}][
        :: of_all(40, 4)
    ]

    recognitions = {card: over.recognise(taught(), card, 40) for card in strange}

    assert [
        card for card, recognition in recognitions.items() if recognition is not None and recognition.is_certain
    ] == []


@pytest.mark.nightly
def test_two_cards_with_one_print_are_told_as_alike_and_neither_is_sure() -> None:
    over = Over(MILD, 24)

    recognition = over.recognise(taught(), "W04", 10)

    assert recognition is not None
    assert {recognition.card, recognition.other} == {"W04", "W06"}
    assert not recognition.is_certain
    assert find_lookalikes(taught(), "W04") == ["W06"]
    assert find_lookalikes(taught(), "C01") == []


@pytest.mark.nightly
def test_features_say_how_a_card_lies_of_which_a_corner_is_covered() -> None:
    # given a contract, and something dark on a corner of it, so that its outline is not that of a card
    over = Over(MILD, 25)
    pictures = over.pictures("C06", 30)
    outline = find_outlines(over.ground, pictures[0])[0]
    covered = [picture.copy() for picture in pictures]
    for picture in covered:
        cv2.circle(picture, [int(at) for at in outline[2]], 45, (30, 30, 30), -1)

    # when it is sought by its features
    start = locate_by_features([taught_card.features for taught_card in taught().cards], detect_features(covered[0]))

    # then it is found, and told
    assert start is not None
    recognition = recognise_card(taught(), covered, start)
    assert recognition is not None
    assert recognition.card == "C06"


def test_nothing_is_found_on_an_empty_table() -> None:
    over = Over(MEDIUM, 26)

    assert find_outlines(over.ground, over.empty()) == []


@pytest.mark.parametrize("card", ["W01", "C03", "E05", "Y02"])
def test_a_card_that_somebody_photographs_on_a_cloth_is_cut_out(card: str) -> None:
    # given a card askew on a dark cloth, as a telephone sees it
    random = np.random.default_rng(4)
    cloth = np.clip(random.normal(70, 6, (1200, 900, 3)), 0, 255).astype(np.uint8)
    corners = np.array([(160, 130), (730, 180), (700, 1010), (120, 960)], np.float32)
    height, width = house_faces()[card].shape[:2]
    onto = cv2.getPerspectiveTransform(
        np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32), corners
    )
    shown = cv2.warpPerspective(house_faces()[card], onto, (900, 1200))
    there = cv2.warpPerspective(np.full((height, width), 255, np.uint8), onto, (900, 1200))[:, :, None]
    picture = np.where(there > 0, shown, cloth).astype(np.uint8)

    # when it is cut out
    outline = find_single_card(picture)

    # then its corners are where they are
    assert outline is not None
    assert float(np.abs(turn_upright(outline) - corners).max()) < 12


@pytest.mark.parametrize("picture", [np.zeros((20, 20, 3), np.uint8), np.full((400, 300), 90, np.uint8)])
def test_a_picture_of_nothing_shows_no_card(picture: Picture) -> None:
    assert find_single_card(picture) is None
