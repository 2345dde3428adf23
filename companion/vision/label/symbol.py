"""The symbol that carries a label's text: QR version 1, level H."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt
import segno

MODULES = 21
"""Modules a side of a version 1 symbol."""


@lru_cache(maxsize=512)
def symbol_of(text: str) -> npt.NDArray[np.bool_]:
    """Return the symbol of a text, bool 21 x 21, True where it is dark; read-only.

    Raises:
        ValueError: when the text does not fit version 1 with level H.

    """
    try:
        code = segno.make(text, version=1, error="h", mode="alphanumeric", micro=False, boost_error=False)
    except ValueError as fault:
        reason = f"{text!r} does not fit a label: one to ten capital letters and digits"
        raise ValueError(reason) from fault
    symbol = np.array([[bool(module) for module in row] for row in code.matrix], np.bool_)
    symbol.flags.writeable = False
    return symbol
