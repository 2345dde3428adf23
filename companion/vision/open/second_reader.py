"""The second opinion: the ZBar reader, where the machine has its library."""

from functools import cache
from types import ModuleType

from companion.vision.label.corners import from_own_top_left
from companion.vision.label.sighting import Grey, Point, Sighting


@cache
def _zbar() -> ModuleType | None:
    """Return the reader, or None on a machine without the ZBar library: it is an optional part."""
    try:
        from pyzbar import pyzbar  # noqa: PLC0415 - loaded when first wanted, for it needs a system library
    except ImportError:
        return None
    return pyzbar  # type: ignore[no-any-return,unused-ignore]


def second_reader_present() -> bool:
    """Say whether this machine has a second reader."""
    return _zbar() is not None


def second_opinion(grey: Grey) -> tuple[Sighting, ...]:
    """Read QR codes with the second reader; nothing where there is none.

    It guesses at encodings and at times guesses wrong, so only plain ASCII texts are taken from it.
    """
    zbar = _zbar()
    if zbar is None:
        return ()
    found = []
    for code in zbar.decode(grey, symbols=[zbar.ZBarSymbol.QRCODE]):
        outline: tuple[Point, ...] = tuple((float(point.x), float(point.y)) for point in code.polygon)
        if not code.data or not code.data.isascii() or len(outline) != 4:  # noqa: PLR2004 - a symbol has four corners
            continue
        corners = from_own_top_left(grey, (outline[0], outline[1], outline[2], outline[3]))
        found.append(Sighting(text=code.data.decode("ascii"), corners=corners))
    return tuple(found)
