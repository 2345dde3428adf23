"""Labels stuck on cards by hand: printed a little large or small, cut beside the line, turned, on other paper."""

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.label.sighting import Grey

Colours = npt.NDArray[np.uint8]
_PAPER, _INK = (0.86, 1.0), (0.04, 0.18)
"""Share of light that paper and ink give back, from and to."""
_OLD_PAPER, _GREY_INK = (0.7, 1.0), (0.05, 0.35)
_MOST_TURNED, _MOST_CUT_MM = 6.0, 1.0


def stick(face: Colours, label: Grey, corner: tuple[int, int], random: np.random.Generator) -> None:
    """Stick a label neatly on a face, its top left at a corner (x, y)."""
    paper, ink = random.uniform(*_PAPER), random.uniform(*_INK)
    inked = (label.astype(np.float32) * (paper - ink) + 255 * ink).astype(np.uint8)
    left, top = corner
    face[top : top + label.shape[0], left : left + label.shape[1]] = inked[:, :, None]


def stick_by_hand(
    face: Colours, label: Grey, corner: tuple[int, int], random: np.random.Generator, pixels_a_mm: float
) -> None:
    """Stick a label as people do: its middle where it would be, the rest not quite."""
    paper, ink = random.uniform(*_OLD_PAPER), random.uniform(*_GREY_INK)
    yellow = np.array([random.uniform(0.75, 1), random.uniform(0.92, 1), 1.0])
    light = ink + label.astype(np.float32)[:, :, None] / 255 * (max(paper, ink + 0.4) * yellow - ink)
    cut = np.round(random.uniform(-1, 1, 4) * _MOST_CUT_MM * pixels_a_mm).astype(int)
    size = label.shape[0]
    rim = np.maximum(cut, 0)
    wide = np.pad(light, ((rim[0], rim[1]), (rim[2], rim[3]), (0, 0)), constant_values=float(light.max()))
    lost = np.maximum(-cut, 0)
    kept = wide[lost[0] : len(wide) - lost[1], lost[2] : wide.shape[1] - lost[3]]
    middle = size / 2 + np.array([rim[2] - lost[2], rim[0] - lost[0]])
    onto = cv2.getRotationMatrix2D(
        (float(middle[0]), float(middle[1])), random.uniform(-1, 1) * _MOST_TURNED, random.uniform(0.97, 1.03)
    )
    onto[:, 2] += np.array(corner) + size / 2 - middle
    where = (face.shape[1], face.shape[0])
    cover = cv2.warpAffine(np.ones(kept.shape[:2], np.float32), onto, where)[:, :, None]
    shown = cv2.warpAffine(kept, onto, where, borderMode=cv2.BORDER_REPLICATE)
    face[:] = np.clip(face * (1 - cover) + 255 * shown * cover, 0, 255)


def art_round(face: Colours, middle: tuple[float, float], reach: float, random: np.random.Generator) -> None:
    """Print all kinds of things where a label will be stuck, so that they touch it."""
    ground = random.integers(0, 256, 3)
    top, left = int(middle[1] - reach), int(middle[0] - reach)
    face[max(top, 0) :, max(left, 0) :] = ground
    for _ in range(int(random.integers(10, 60))):
        x, y = (int(of + random.uniform(-reach, reach)) for of in middle)
        size = int(random.uniform(0.03, 0.35) * reach) + 1
        colour = tuple(int(part) for part in random.integers(0, 256, 3))
        kind = random.integers(4)
        if kind == 0:
            cv2.rectangle(face, (x, y), (x + size, y + int(random.integers(1, size + 1))), colour, -1)
        elif kind == 1:
            cv2.circle(face, (x, y), size, colour, int(random.choice((-1, 2, 5))), cv2.LINE_AA)
        elif kind == 2:  # noqa: PLR2004 - the third of four
            end = (x + int(random.normal(0, size)), y + int(random.normal(0, size)))
            cv2.line(face, (x, y), end, colour, int(random.integers(2, 8)), cv2.LINE_AA)
        else:
            letters = "".join(chr(one) for one in random.integers(65, 91, 4))
            cv2.putText(face, letters, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size / 25, colour, 3, cv2.LINE_AA)
