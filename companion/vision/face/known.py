"""The faces that were taught, made ready to be compared with one under the camera."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.face.face import Face, Shown, inner, near, shown_on
from companion.vision.face.features import Features, features_of

COARSE, FINE = (48, 66), (96, 132)
"""Broad and tall: so fine are faces compared with all others, before and after it is known how they lie."""
Rows = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class KnownFace:
    """A face as it was taught, what is printed on it, and its features."""

    card: str
    face: Face
    shown: Shown
    features: Features

    @classmethod
    def of(cls, card: str, face: Face) -> "KnownFace":
        """Make a straightened face ready."""
        return cls(card, face, shown_on(face), features_of(face))


class KnownFaces:
    """All taught faces of a box; any thread may use them."""

    def __init__(self, faces: Mapping[str, Face] | Iterable[KnownFace]) -> None:
        """Take the faces by card, each straightened, or as they were made ready before."""
        ready = [KnownFace.of(*one) for one in faces.items()] if isinstance(faces, Mapping) else faces
        self.faces = tuple(sorted(ready, key=lambda one: one.card))
        self.alike: dict[str, list[str]] = {}
        """Cards that look like others, found when first asked for."""
        self._coarse = _rows([_unit(one.shown, COARSE) for one in self.faces])
        self._fine = _rows([_unit(_evened(one.shown), FINE) for one in self.faces])

    def likest(self, face: Face) -> tuple[float, int, bool]:
        """Compare a face, which may stand on its head, with all: how alike (1: the same), which, whether turned."""
        turned = np.ascontiguousarray(face[::-1, ::-1])
        alike = [self._coarse @ _unit(shown_on(one), COARSE) for one in (face, turned)]
        return max((float(there.max()), int(there.argmax()), bool(way)) for way, there in enumerate(alike))

    def order(self, shown: Shown) -> list[int]:
        """Give the numbers of all faces, the one that is likest first, where it is known how the face lies."""
        return [int(number) for number in np.argsort(-(self._fine @ _unit(_evened(shown), FINE)))]


def _rows(units: Sequence[Rows]) -> Rows:
    return np.stack(units) if units else np.zeros((0, 1), np.float32)


def _evened(shown: Shown) -> Shown:
    """Let small print count beside large letters."""
    found = near(shown)
    return np.asarray(np.sign(found) * np.sqrt(np.abs(found)), np.float32)


def _unit(shown: Shown, size: tuple[int, int]) -> Rows:
    small = cv2.resize(inner(shown), size, interpolation=cv2.INTER_AREA).ravel()
    centred = small - small.mean()
    return np.asarray(centred / (float(np.linalg.norm(centred)) + 1e-6), np.float32)
