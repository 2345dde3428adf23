"""Bare cards told by their faces: how many are right, how many sure, and whether anything sure is wrong.

    python -m benchmarks.faces [TABLES]

The decks that come with the games, as they are printed, without labels.  Their pictures are taken one after the other
over a table in mild light; then each card is laid once over each of TABLES other tables, by other cameras, turned by
any angle, with the highlight of a sleeve on six of ten.  ``strange`` were never taught: every second card is left out.
"""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from benchmarks.arguments import parse_arguments
from companion.qr.sighting import Picture
from companion.simulator.art import PIXELS_A_MM
from companion.simulator.optics import MEDIUM, MILD, Optics, Severity, compress_picture, sample_optics
from companion.simulator.scene import PlacedCard, Scene
from companion.vision.card_art.match import Recognition, recognise_card
from companion.vision.card_art.outline import (
    CardPicture,
    TaughtCards,
    crop_card,
    find_outlines,
    map_to_quad,
    resize_card,
    turn_upright,
)
from tests.card_faces import card_faces

FRAMES, SLEEVED = 3, 0.6
GAMES = ("master_builder", "men_at_work", "monopoly_builder")
SEVERITIES = {"mild": MILD, "medium": MEDIUM}


@dataclass(slots=True)
class Tally:
    """Counts of the cards of a kind that were laid."""

    laid: int = 0
    right: int = 0
    sure: int = 0
    wrong: list[str] = field(default_factory=list[str])
    confused: Counter[str] = field(default_factory=Counter[str])
    spent_s: float = 0.0

    def count(self, card: str, recognition: Recognition | None) -> None:
        """Count one recognition."""
        self.laid += 1
        sure = recognition is not None and recognition.is_certain
        self.sure += sure
        if recognition is not None and recognition.card == card:
            self.right += 1
        elif recognition is not None:
            self.confused[f"{card} for {recognition.card}"] += 1
            if sure:
                self.wrong.append(f"{card} for {recognition.card}")


class Over:
    """One camera over one table."""

    def __init__(self, faces: dict[str, Picture], severity: Severity, seed: int) -> None:
        """Draw the optics of a camera and an empty table."""
        self._random = np.random.default_rng([seed, 9])
        self.optics: Optics = sample_optics(severity, np.random.default_rng([seed, 4]))
        self._faces = faces
        self._scene = Scene(self.optics, {}, seed, unlabelled=faces)
        self.ground = compress_picture(self._scene.render([]), self.optics)

    def pictures(self, card: str, angle: float, *, sleeve: bool) -> list[Picture]:
        """Lay a card somewhere, and take a few pictures."""
        lying = PlacedCard(card, *self._random.uniform((150, 130), (880, 450)), angle)
        pictures = [self._scene.render([lying]) for _ in range(FRAMES)]
        if sleeve:
            light = self._highlight(lying)
            pictures = [np.clip(picture + light, 0, 255).astype(np.uint8) for picture in pictures]
        return [compress_picture(picture, self.optics) for picture in pictures]

    def _highlight(self, lying: PlacedCard) -> np.ndarray:
        """Draw the lamp in a sleeve: a soft streak that ends where the card ends."""
        random, optics = self._random, self.optics
        height, width = (side / PIXELS_A_MM for side in self._faces[lying.card].shape[:2])
        turn = np.radians(lying.angle)
        along, down = (np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)]))
        middle = np.array([lying.x_mm, lying.y_mm])
        corners = [
            middle + x * along * width / 2 + y * down * height / 2 for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
        spot = middle + random.uniform(-25, 25) * along + random.uniform(-35, 35) * down
        points = cv2.perspectiveTransform(np.array([[*corners, spot]], np.float64), optics.plane.matrix)[0]
        rows, columns = np.mgrid[0 : optics.height, 0 : optics.width].astype(np.float32)
        way, x, y = random.uniform(0, np.pi), columns - points[4][0], rows - points[4][1]
        across, far = x * np.cos(way) + y * np.sin(way), y * np.cos(way) - x * np.sin(way)
        light = np.exp(-((across / random.uniform(10, 22)) ** 2) / 2 - (far / random.uniform(20, 60)) ** 2 / 2)
        mask = np.zeros((optics.height, optics.width), np.float32)
        cv2.fillConvexPoly(mask, np.round(points[:4]).astype(np.int32), 1.0)
        return np.asarray((random.uniform(40, 160) * optics.brightness * light * mask)[:, :, None], np.float32)

    def sleeved(self) -> bool:
        """Return whether the next card is."""
        return bool(self._random.random() < SLEEVED)

    def angle(self) -> float:
        """Turn the next card."""
        return float(self._random.uniform(0, 360))


def taught(faces: dict[str, Picture], cards: Sequence[str]) -> TaughtCards:
    """Return the taught picture of each card."""
    over, card_pictures = Over(faces, MILD, 1), dict[str, CardPicture]()
    for card in cards:
        pictures = over.pictures(card, 0, sleeve=False)
        outline = turn_upright(find_outlines(over.ground, pictures[0])[0])
        card_pictures[card] = resize_card(
            np.asarray(np.mean([crop_card(picture, outline) for picture in pictures], axis=0), np.uint8)
        )
    return TaughtCards(card_pictures)


def looked(
    faces: dict[str, Picture], taught_cards: TaughtCards, severity: Severity, seeds: Sequence[int]
) -> tuple[Tally, Tally]:
    """Lay each card over each table; give what came of those that were taught, and of the others."""
    ours, strange = Tally(), Tally()
    names = {taught_card.card for taught_card in taught_cards.cards}
    for seed in seeds:
        over = Over(faces, severity, seed)
        for card in faces:
            pictures = over.pictures(card, over.angle(), sleeve=over.sleeved())
            outlines = find_outlines(over.ground, pictures[0])
            begun = time.perf_counter()
            recognition = recognise_card(taught_cards, pictures, map_to_quad(outlines[0])) if outlines else None
            tally = ours if card in names else strange
            tally.spent_s += time.perf_counter() - begun
            tally.count(card, recognition)
    return ours, strange


def main() -> None:
    """Print a table for the documentation."""
    tables: int = parse_arguments(__doc__, tables=2).tables
    print("| deck | taught | light | laid | right | sure | sure and wrong | ms |\n|---|---|---|---|---|---|---|---|")
    confused = Counter[str]()
    for game in GAMES:
        faces = card_faces(game)
        for share, cards in (("all", list(faces)), ("every second", list(faces)[::2])):
            taught_cards = taught(faces, cards)
            for light, severity in SEVERITIES.items():
                ours, strange = looked(faces, taught_cards, severity, range(100, 100 + tables))
                confused += ours.confused
                for name, tally in (("", ours), (", strange", strange)):
                    if tally.laid:
                        right = f"{100 * tally.right / tally.laid:.1f} %" if not name else ""
                        row = [f"{game}{name}", share, light, str(tally.laid), right, str(tally.sure)]
                        wrong = ", ".join(tally.wrong) if not name else f"{tally.sure}"
                        row += [wrong or "0", f"{1e3 * tally.spent_s / tally.laid:.0f}"]
                        print(f"| {' | '.join(row)} |", flush=True)
    print("\nConfused:", ", ".join(f"{pair} ({count})" for pair, count in confused.most_common()))


if __name__ == "__main__":
    main()
