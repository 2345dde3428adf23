"""What was read, as values that turn into JSON."""

from typing import TypedDict, final

from companion.qr.sighting import How, Picture, Sighting
from companion.vision.label.tag import Deck


class TagReport(TypedDict):
    """One tag in a picture; ``card`` is None when no deck was asked for."""

    text: str
    card: str | None
    corners: list[list[float]]
    how: How
    confidence: float


@final
class PictureReport(TypedDict):
    """What ``companion read`` says of a picture; ``ms`` is the reading alone."""

    image: str
    width: int
    height: int
    ms: float
    tags: list[TagReport]


@final
class PictureFault(TypedDict):
    """What ``companion read`` says of a file that is no picture."""

    image: str
    error: str


def report_picture(
    image: str, picture: Picture, sightings: tuple[Sighting, ...], ms: float, deck: Deck | None
) -> PictureReport:
    """Return the report on one picture; ``image`` is what it is called."""
    height, width = picture.shape[:2]
    tags = [_tag(seen, deck) for seen in sightings]
    return {"image": image, "width": int(width), "height": int(height), "ms": round(ms, 1), "tags": tags}


def _tag(seen: Sighting, deck: Deck | None) -> TagReport:
    return {
        "text": seen.text,
        "card": deck.card_of(seen.text) if deck is not None else None,
        "corners": [[round(x, 2), round(y, 2)] for x, y in seen.corners],
        "how": seen.how,
        "confidence": round(seen.confidence, 3),
    }
