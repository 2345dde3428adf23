"""Reports of what was read in a picture, in the form of their JSON."""

from typing import TypedDict, final

from companion.qr.sighting import Picture, ReadMethod, Sighting
from companion.vision.label.tag import Deck


class TagReport(TypedDict):
    """One tag in a picture; ``card`` is None if no deck was given."""

    text: str
    card: str | None
    corners: list[list[float]]
    how: ReadMethod
    confidence: float


@final
class PictureReport(TypedDict):
    """The report of ``companion read`` on a picture; ``ms`` is the time of reading alone."""

    image: str
    width: int
    height: int
    ms: float
    tags: list[TagReport]


@final
class PictureFault(TypedDict):
    """The report of ``companion read`` on a file that is no picture."""

    image: str
    error: str


def report_picture(
    image: str, picture: Picture, sightings: tuple[Sighting, ...], ms: float, deck: Deck | None
) -> PictureReport:
    """Return the report on a picture named ``image``."""
    height, width = picture.shape[:2]
    tags = [_report_tag(sighting, deck) for sighting in sightings]
    return {"image": image, "width": int(width), "height": int(height), "ms": round(ms, 1), "tags": tags}


def _report_tag(sighting: Sighting, deck: Deck | None) -> TagReport:
    return {
        "text": sighting.text,
        "card": deck.card_of(sighting.text) if deck is not None else None,
        "corners": [[round(x, 2), round(y, 2)] for x, y in sighting.corners],
        "how": sighting.method,
        "confidence": round(sighting.confidence, 3),
    }
