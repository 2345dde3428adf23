"""Pictures that browsers and programs send: JPEG and PNG, and nothing that unfolds beyond measure."""

from companion.adapters.pictures import PictureError, decode_picture
from companion.service.errors import ForeignPicture, UnreadablePicture
from companion.vision.label.sighting import Picture

_JPEG = b"\xff\xd8\xff"
_PNG = b"\x89PNG\r\n\x1a\n"


def posted_picture(data: bytes) -> Picture:
    """Return the picture in the bytes of a JPEG or PNG file, uint8.

    Raises:
        ForeignPicture: for anything that does not begin as one of these.
        UnreadablePicture: for a broken one, or one that is too large.

    """
    if not data.startswith((_JPEG, _PNG)):
        raise ForeignPicture("a frame is a JPEG or a PNG")
    try:
        return decode_picture(data)
    except PictureError as fault:
        raise UnreadablePicture(str(fault)) from fault
