"""What lies at a symbol's place in a picture, cut out and straightened by its corners."""

import cv2
import numpy as np

from companion.vision.label.sighting import Corners, Grey

RIM = 3 / 16
"""Sides of the symbol that are cut out round it."""


def straightened(grey: Grey, place: Corners, side: int) -> Grey:
    """Return a symbol of so many pixels a side with its rim: its own top left lies at ``side * RIM``."""
    rim = side * RIM
    square = np.array([(rim, rim), (rim + side, rim), (rim + side, rim + side), (rim, rim + side)], np.float32)
    onto = cv2.getPerspectiveTransform(np.array(place, np.float32), square)
    size = round(side + 2 * rim)
    flat = cv2.warpPerspective(grey, onto, (size, size), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8)
