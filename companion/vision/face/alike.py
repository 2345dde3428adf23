"""Faces that cannot be told from each other: the same thing is printed on both, or nearly so."""

import numpy as np

from companion.vision.face.face import Face, Matrix
from companion.vision.face.known import KnownFaces
from companion.vision.face.laid import laid
from companion.vision.face.recognise import SURE_APART
from companion.vision.face.told import told

COMPARED = 5
"""So many of the likest faces are held beside one."""
AS_IT_IS: Matrix = np.eye(3)


def looks_alike(known: KnownFaces, card: str, face: Face) -> list[str]:
    """Name the cards whose faces differ from one by too little."""
    mine = next((one for one in known.faces if one.card == card), None)
    if mine is None:
        return []
    order = [known.faces[number] for number in known.order(mine.shown) if known.faces[number].card != card]
    here = laid(mine, [face], AS_IT_IS)
    near = (other for other in order[:COMPARED] if told(here, laid(other, [face], AS_IT_IS)).apart < SURE_APART)
    return sorted(other.card for other in near)
