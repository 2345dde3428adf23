"""Cards in sleeves: plastic takes contrast, and throws back lamps."""

import zlib

import numpy as np
import numpy.typing as npt

from companion.adapters.cameras.nuisances import Nuisances

Colours = npt.NDArray[np.uint8]
_SHARE, _LAMP = 0.6, 0.5
"""How many cards are in sleeves, and how many of these throw back a lamp."""


def sleeved(face: Colours, card: str, seed: int, nuisances: Nuisances) -> Colours:
    """Return a card's face as its sleeve shows it; some have none."""
    if not nuisances & {"sleeves", "highlights"}:
        return face
    random = np.random.default_rng([seed, 10, zlib.crc32(card.encode())])
    if random.random() > _SHARE:
        return face
    height, width = face.shape[:2]
    takes, adds = random.uniform(0.85, 1.0), random.uniform(0, 0.06)
    shown = face * takes + 255 * adds if "sleeves" in nuisances else face.astype(np.float64)
    if "highlights" in nuisances and random.random() < _LAMP:
        y, x = np.mgrid[:height, :width].astype(np.float32)
        angle, at = random.uniform(0, np.pi), random.uniform(0, 1, 2) * (width, height)
        across = (x - at[0]) * np.cos(angle) + (y - at[1]) * np.sin(angle)
        along = (y - at[1]) * np.cos(angle) - (x - at[0]) * np.sin(angle)
        narrow, long = random.uniform(0.04, 0.15) * width, random.uniform(0.2, 0.6) * height
        lamp = 255 * random.uniform(0.2, 1.1) * np.exp(-0.5 * ((across / narrow) ** 2 + (along / long) ** 2))
        shown = shown + lamp[:, :, None]
    return np.asarray(np.clip(shown, 0, 255), np.uint8)
