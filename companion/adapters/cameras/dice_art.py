"""Dice as they are drawn for the simulated camera: seen from above, with the shadow that they throw."""

import re

import cv2
import numpy as np
import numpy.typing as npt

from companion.adapters.cameras.card_art import PIXELS_A_MM, Colours
from companion.vision.label.sighting import Grey

DIE_MM = 16.0
ROOM_MM = 24.0
"""How large the drawn square is: the die in its middle, its shadow beside it."""
_NAME = re.compile("die ([0-9]+): ([1-6])")
_CORNER, _RIM, _PIP, _APART = 2.6, 0.9, 1.7, 4.3
"""Millimetres: roundness of its corners, what is seen of its sides, a pip's radius, how far pips are apart."""
_BODY, _SIDES, _INK = (44, 40, 186), (30, 26, 128), (246, 248, 248)
_SHADOW_MM, _SHADOW = 2.2, 0.45
_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def die_named(number: int, face: int) -> str:
    """Name a die that lies on the table, by its number and the face that lies up."""
    return f"die {number}: {face}"


def is_die(name: str) -> bool:
    """Say whether what lies there is a die and no card."""
    return _NAME.fullmatch(name) is not None


def draw_die(name: str) -> tuple[Colours, Grey]:
    """Draw a die on its square: colours as far as they cover, and by how much they cover what lies below, 0 to 255."""
    found = _NAME.fullmatch(name)
    face = int(found[2]) if found else 1
    middle = ROOM_MM / 2
    body = _rounded(middle, middle, DIE_MM)
    shadow = cv2.GaussianBlur(_rounded(middle + _SHADOW_MM, middle + _SHADOW_MM, DIE_MM), (0, 0), 1.2 * PIXELS_A_MM)
    colours = np.zeros((*body.shape, 3), np.float32)
    colours += body[:, :, None] * np.array(_SIDES, np.float32)
    top = _rounded(middle - _RIM / 2, middle - _RIM / 2, DIE_MM - _RIM)[:, :, None]
    colours = colours * (1 - top) + top * np.array(_BODY, np.float32)
    for across, down in _PIPS[face]:
        pip = _disc(middle + across * _APART - _RIM / 2, middle + down * _APART - _RIM / 2, _PIP)[:, :, None]
        colours = colours * (1 - pip) + pip * np.array(_INK, np.float32)
    cover = np.maximum(body, shadow * _SHADOW)
    return np.rint(colours).astype(np.uint8), np.rint(cover * 255).astype(np.uint8)


def _plane() -> Grey:
    side = round(ROOM_MM * PIXELS_A_MM)
    return np.zeros((side, side), np.uint8)


def _rounded(x: float, y: float, side: float) -> npt.NDArray[np.float32]:
    inner = side / 2 - _CORNER
    corners = [(x + i * inner, y + j * inner) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    points = np.rint(np.array(corners) * PIXELS_A_MM).astype(np.int32)
    plane = _plane()
    cv2.fillConvexPoly(plane, points, 255)
    core = 2 * round(_CORNER * PIXELS_A_MM) + 1
    grown = cv2.dilate(plane, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (core, core)))
    return np.asarray(grown.astype(np.float32) / 255)


def _disc(x: float, y: float, radius: float) -> npt.NDArray[np.float32]:
    plane = _plane()
    place = (round(x * PIXELS_A_MM), round(y * PIXELS_A_MM))
    cv2.circle(plane, place, round(radius * PIXELS_A_MM), 255, -1, cv2.LINE_AA)
    return np.asarray(plane.astype(np.float32) / 255)
