"""Faces that cannot be told from each other: the same thing is printed on both, or nearly so."""

import cv2
import numpy as np

from companion.vision.face.face import Matrix
from companion.vision.face.known import KnownFace, KnownFaces
from companion.vision.face.laid import laid
from companion.vision.face.told import told

COMPARED = 5
"""So many of the likest faces are held beside one."""
ALIKE = 0.95
"""Pictures that differ by less may be of one print: two of one differed by 0.3 at most, in dull light by 0.9."""
SOFT = 1.6
"""Pixels of a face by which a camera over the table softens it."""
AS_IT_IS: Matrix = np.eye(3)


def are_alike(one: KnownFace, other: KnownFace) -> bool:
    """Say whether two faces differ by too little, seen as softly as they may be later."""
    return apart(one, other) < ALIKE


def apart(one: KnownFace, other: KnownFace) -> float:
    """Say how much there is that tells two faces apart (``Told.apart``) where they are seen softly."""
    seen = np.asarray(cv2.GaussianBlur(one.face, (0, 0), SOFT), np.uint8)
    return told(laid(one, [seen], AS_IT_IS), laid(other, [seen], AS_IT_IS)).apart


def looks_alike(known: KnownFaces, card: str) -> list[str]:
    """Name the cards whose faces differ from one by too little."""
    mine = next((one for one in known.faces if one.card == card), None)
    if mine is None:
        return []
    if card not in known.alike:
        order = [known.faces[number] for number in known.order(mine.shown) if known.faces[number].card != card]
        known.alike[card] = sorted(other.card for other in order[:COMPARED] if are_alike(mine, other))
    return known.alike[card]
