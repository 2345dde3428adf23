"""Small tables of labels that no reader decodes, drawn for tests."""

import cv2
import numpy as np

from companion.qr.sighting import GreyPicture
from companion.vision.label.label import STANDARD_LABEL, draw_label
from companion.vision.label.tag import Deck

CARDS = [f"W{number:02}" for number in range(1, 41)] + [f"C{number:02}" for number in range(1, 13)]
DECK = Deck("MB", frozenset(CARDS))
RUNS = frozenset({1})
PIXELS_A_MM = 1.85


def small_table(
    *texts: str, blur: float = 0.9, noise: float = 4, seed: int = 0
) -> tuple[GreyPicture, list[np.ndarray]]:
    """Labels on a grey table at 1.85 pixels a millimetre, each turned otherwise; and the corners of their symbols."""
    random = np.random.default_rng(seed)
    table = np.full((120, 110 * max(1, len(texts))), 120, np.float32)
    truth = []
    for number, text in enumerate(texts):
        label = draw_label(text, text[3:], 20.0).astype(np.float32) * 0.7 + 20
        angle = 25 + 67 * number
        turn = cv2.getRotationMatrix2D((250, 250), angle, PIXELS_A_MM / 20)
        turn[:, 2] += np.array([55 + 110 * number, 60]) - 250
        place = (table.shape[1], table.shape[0])
        fine = cv2.GaussianBlur(label, (0, 0), 4)
        shown = cv2.warpAffine(fine, turn, place)
        cover = cv2.warpAffine(np.ones_like(label), turn, place)
        table = table * (1 - cover) + shown * cover
        x, y, side = (measure * 20 for measure in STANDARD_LABEL.symbol_mm)
        corners = np.array([(x, y), (x + side, y), (x + side, y + side), (x, y + side)]) - 0.5
        truth.append(corners @ turn[:, :2].T + turn[:, 2] + 0.5)
    soft = cv2.GaussianBlur(table, (0, 0), blur) + random.normal(0, noise, table.shape)
    return np.clip(soft, 0, 255).astype(np.uint8), truth
