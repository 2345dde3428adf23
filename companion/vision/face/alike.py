"""Faces that cannot be told from each other: the same thing is printed on both, or nearly so."""

import numpy as np

from companion.vision.face.face import Matrix
from companion.vision.face.known import KnownFace, KnownFaces
from companion.vision.face.laid import laid
from companion.vision.face.told import told

COMPARED = 5
"""So many of the likest faces are held beside one."""
ALIKE = 2.0
"""Taught pictures that differ by less (``Told.apart``) may be of one print: two of one had up to 1.7 in dull light."""
AS_IT_IS: Matrix = np.eye(3)


def are_alike(one: KnownFace, other: KnownFace) -> bool:
    """Say whether two faces, as they were taught, differ by too little."""
    return told(laid(one, [one.face], AS_IT_IS), laid(other, [one.face], AS_IT_IS)).apart < ALIKE


def looks_alike(known: KnownFaces, card: str) -> list[str]:
    """Name the cards whose faces differ from one by too little."""
    mine = next((one for one in known.faces if one.card == card), None)
    if mine is None:
        return []
    order = [known.faces[number] for number in known.order(mine.shown) if known.faces[number].card != card]
    return sorted(other.card for other in order[:COMPARED] if are_alike(mine, other))
