"""A small table under a simulated camera, with what else happens on tables: hands, glare, cards turned over."""

from dataclasses import replace

import cv2
import numpy as np

from companion.qr.sighting import GreyPicture
from companion.service.camera.camera import Frame
from companion.simulator.art import CARD_HEIGHT_MM, CARD_WIDTH_MM, PlacedMat, label_centre_mm
from companion.simulator.optics import MILD, Severity, compute_view, sample_optics
from companion.simulator.scene import PlacedCard, Scene
from tests.opened import house_texts

WIDTH, HEIGHT = 640, 360
"""Pixels, of a table of 346 x 195 mm: recordings of it are small."""
PIXELS_A_MM = 1.85
FRAME_MS = 200


class Film:
    """A camera whose table is set up anew between two frames.  Places are in millimetres, of a card's label."""

    name = "film"

    def __init__(self, seed: int, severity: Severity = MILD, mat: PlacedMat | None = None) -> None:
        self._texts: dict[str, str | None] = {**house_texts()}
        self._optics = sample_optics(severity, np.random.default_rng([seed, 4]), WIDTH, HEIGHT, PIXELS_A_MM)
        self._seed, self._mat = seed, mat
        self._scene = self._drawn()
        self._number = 0
        self.lying: dict[str, PlacedCard] = {}
        self.turned_over: set[str] = set()
        self.hand_mm: float | None = None
        """How far the tip of an arm reaches in from the left, across the middle of the table."""
        self.glare_mm: tuple[float, float] | None = None

    def _drawn(self) -> Scene:
        return Scene(self._optics, self._texts, self._seed, mat=self._mat)

    def lay(self, card: str, x_mm: float, y_mm: float, angle: float = 0.0) -> None:
        across, down = (a - b / 2 for a, b in zip(label_centre_mm(), (CARD_WIDTH_MM, CARD_HEIGHT_MM), strict=True))
        turn = np.radians(angle)
        left = x_mm - across * np.cos(turn) + down * np.sin(turn)
        top = y_mm - across * np.sin(turn) - down * np.cos(turn)
        self.lying.pop(card, None)
        self.lying[card] = PlacedCard(card, float(left), float(top), angle)

    def take_away(self, card: str) -> None:
        del self.lying[card]

    def bump(self, tilt: float, towards: float) -> None:
        """Knock against the camera: it leans another way from now on (radians)."""
        self._optics = replace(self._optics, plane=compute_view(WIDTH, HEIGHT, PIXELS_A_MM, tilt, towards))
        self._scene = self._drawn()

    def grab(self) -> Frame:
        picture = self._scene.render(tuple(self.lying.values()))
        grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
        for card in self.turned_over & self.lying.keys():
            self._turn_over(grey, self.lying[card])
        if self.glare_mm is not None:
            self._shine(grey, *self.glare_mm)
        if self.hand_mm is not None:
            self._reach(grey, self.hand_mm)
        frame = Frame(grey, self._number * FRAME_MS, self._number)
        self._number += 1
        return frame

    def close(self) -> None:
        """There is nothing to give back."""

    def _pixels(self, *points: tuple[float, float]) -> np.ndarray:
        return np.array([self._optics.plane.to_pixels(*point) for point in points], np.float32)

    def _turn_over(self, grey: GreyPicture, card: PlacedCard) -> None:
        box = cv2.boxPoints(((card.x_mm, card.y_mm), (CARD_WIDTH_MM, CARD_HEIGHT_MM), card.angle))
        cv2.fillConvexPoly(grey, np.rint(self._pixels(*map(tuple, box))).astype(np.int32), 96, cv2.LINE_AA)

    def _shine(self, grey: GreyPicture, x_mm: float, y_mm: float) -> None:
        ((x, y),) = self._pixels((x_mm, y_mm))
        rows, columns = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
        bright = 230 * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * 25.0**2))
        np.clip(grey + bright, 0, 255, out=grey, casting="unsafe")

    def _reach(self, grey: GreyPicture, tip_mm: float) -> None:
        arm = self._pixels((-80, 60), (tip_mm, 75), (tip_mm + 15, 95), (tip_mm, 115), (-80, 130))
        cv2.fillConvexPoly(grey, np.rint(arm).astype(np.int32), 148, cv2.LINE_AA)
