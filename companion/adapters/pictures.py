"""Bytes of a picture file to an array.  What is no picture, or a trap, is refused in one line."""

import threading
from contextlib import nullcontext

import cv2
import numpy as np
import numpy.typing as npt

from companion.adapters.opencv_log import opencv_silent
from companion.adapters.picture_sizes import announced_depth, announced_size
from companion.vision.label.sighting import Picture

MOST_BYTES = 64_000_000
MOST_PIXELS = 16_000_000
"""A 12-megapixel camera is below; a small file that unfolds into gigabytes is far above."""
LONGEST_SIDE = 32_000
"""Pixels; zxing-cpp takes no picture of which twice the size is longer than 65,535."""

_ALPHA_PLANES = 4
_DEEP = 16
_LARGE = 4_000_000
_one_large = threading.Lock()
"""What is unfolded takes several times the memory that is kept of it: one large picture at a time, whoever sends it."""
_STRIP = 128
"""Rows that are laid on white at once: what is needed meanwhile stays small beside the picture."""
_LEAST_BYTES = 64
"""OpenCV refuses very short files; bytes after the end do no harm."""


class PictureError(Exception):
    """These bytes are no picture that can be read; the message is one line."""


def decode_picture(data: bytes) -> Picture:
    """Return the picture in the bytes of a PNG, JPEG, WebP, GIF, BMP or PNM file.

    The result is uint8, height x width (grey files) or height x width x 3 (blue, green, red), turned the way its
    camera says; transparency is laid on white.

    Raises:
        PictureError: for an empty, broken, foreign or oversized file.

    """
    if not data:
        raise PictureError("the file is empty")
    if len(data) > MOST_BYTES:
        raise PictureError(f"the file is larger than {MOST_BYTES // 1_000_000} MB")
    size = announced_size(data)
    if size is None or 0 in size:
        raise PictureError("not a picture: PNG, JPEG, WebP, GIF, BMP and PNM can be read")
    most = MOST_PIXELS // 2 if announced_depth(data) == _DEEP else MOST_PIXELS  # two bytes a sample unfold twice as far
    if size[0] * size[1] > most:
        raise PictureError(f"{size[0]} x {size[1]} pixels are more than {most // 1_000_000} million")
    if max(size) > LONGEST_SIDE:
        raise PictureError(f"{max(size)} pixels are more than {LONGEST_SIDE} in one direction")
    with _one_large if size[0] * size[1] > _LARGE else nullcontext():
        decoded = _decoded(data)
        if decoded is None or decoded.size == 0:
            raise PictureError("a picture file that is broken")
        return _laid_on_white(decoded)


def _decoded(data: bytes) -> npt.NDArray[np.uint8] | None:
    """Return what OpenCV makes of the bytes, with transparency, or None."""
    may_be_transparent = data.startswith((b"\x89PNG", b"RIFF", b"GIF8"))
    flags = cv2.IMREAD_UNCHANGED if may_be_transparent else cv2.IMREAD_ANYCOLOR
    with opencv_silent():
        try:
            decoded = cv2.imdecode(np.frombuffer(data.ljust(_LEAST_BYTES, b"\0"), np.uint8), flags)
        except cv2.error:
            return None  # the caller says so
    if decoded is None:
        return None
    if decoded.dtype == np.uint16:
        return (decoded.view(np.uint16) >> 8).astype(np.uint8)
    return decoded.astype(np.uint8, copy=False)


def _laid_on_white(decoded: npt.NDArray[np.uint8]) -> Picture:
    planes = 1 if decoded.ndim == 2 else decoded.shape[2]  # noqa: PLR2004 - axes
    if planes == 1:
        return decoded.reshape(decoded.shape[:2])
    if planes < _ALPHA_PLANES:
        return decoded[:, :, :3] if planes == 3 else decoded[:, :, 0]  # noqa: PLR2004 - colours
    laid = np.empty((*decoded.shape[:2], 3), np.uint8)
    for top in range(0, len(decoded), _STRIP):
        strip = decoded[top : top + _STRIP]
        share = strip[:, :, 3:].astype(np.float32) / 255
        laid[top : top + _STRIP] = np.rint(strip[:, :, :3] * share + 255 * (1 - share))
    return laid
