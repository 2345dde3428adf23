"""Array and geometry types of reading pictures, each defined once."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

F32: TypeAlias = npt.NDArray[np.float32]
F64: TypeAlias = npt.NDArray[np.float64]
U8: TypeAlias = npt.NDArray[np.uint8]
Mask: TypeAlias = npt.NDArray[np.bool_]
Indices: TypeAlias = npt.NDArray[np.intp]

GreyPicture: TypeAlias = npt.NDArray[np.uint8]
"""uint8, height x width; 0 is black."""

Picture: TypeAlias = npt.NDArray[np.uint8]
"""A picture as cameras deliver it: uint8, height x width x 3 (blue, green, red), or grey."""

ToJpeg: TypeAlias = "Callable[[Picture], bytes]"
"""Encodes a picture as JPEG."""

Point: TypeAlias = tuple[float, float]
"""x to the right and y down, in pixels. The picture's corner is (0, 0), the centre of its first pixel (0.5, 0.5)."""

Corners: TypeAlias = tuple[Point, Point, Point, Point]
"""The corners of a symbol, clockwise from the symbol's own top left."""

Box: TypeAlias = tuple[int, int, int, int]
"""Left, top, right and bottom of a part of a picture, in pixels; right and bottom are the first outside."""
