"""Pictures that browsers and programs send: JPEG and PNG, and nothing that unfolds beyond measure."""

from companion.adapters.picture_sizes import announced_size
from companion.adapters.pictures import PictureError, decode_picture
from companion.service.errors import ForeignPicture, UnreadablePicture
from companion.vision.label.sighting import Picture

MOST_PIXELS = 16_000_000
"""A 12-megapixel camera is below.  Four bytes a pixel: one picture takes at most 64 MB while it is looked at."""

_JPEG = b"\xff\xd8\xff"
_PNG = b"\x89PNG\r\n\x1a\n"


def posted_picture(data: bytes) -> Picture:
    """Return the picture in the bytes of a JPEG or PNG file, uint8.

    Raises:
        ForeignPicture: for anything that does not begin as one of these.
        UnreadablePicture: for a broken one, or one of more than ``MOST_PIXELS``.

    """
    if not data.startswith((_JPEG, _PNG)):
        raise ForeignPicture("a frame is a JPEG or a PNG")
    size = announced_size(data)
    if size is not None and size[0] * size[1] > MOST_PIXELS:
        raise UnreadablePicture(f"{size[0]} x {size[1]} pixels are more than {MOST_PIXELS // 1_000_000} million")
    try:
        return decode_picture(data)
    except PictureError as fault:
        raise UnreadablePicture(str(fault)) from fault
