"""Parse TOML within bounds, so that no text takes long or fills the memory; and the errors of files of calibration.

``tomllib`` takes time that grows with the square of the parts of a key, recurses into brackets, and converts figures
of any length.  The bounds are checked first, in one pass over the text.
"""

import codecs
import re
import tomllib
from typing import Any

MAX_DOTS = 10
"""Dots in one key at most."""
MAX_NESTING = 20
"""Brackets within brackets at most."""
MAX_WORD = 250
"""Letters and digits of a number or bare key at most; figures of that length still fit a float."""

STRING = r'"""(?:[^\\"]++|\\.|"{1,2}(?!"))*+"{3,5}' r"|'''.*?'{3,5}" r'|"(?:[^"\\\n]++|\\.)*+"' r"|'[^'\n]*+'"
"""Regular expression of a string of any kind, with ``re.DOTALL``; it keeps nothing to return to."""

_TOKEN = re.compile(
    r"(?P<word>[^\s\"'#\[\]{}.,=]+)"
    rf"|(?P<string>{STRING})"
    r"|(?P<quote>[\"'])"
    r"|(?P<dot>\.)"
    r"|(?P<opening>[\[{])"
    r"|(?P<closing>[\]}])"
    r"|(?P<end>[\n,=]+|#[^\n]*)",
    re.DOTALL,
)


def is_utf16(data: bytes) -> bool:
    """Return whether the bytes of a text are UTF-16: its mark, or a zero in most pairs of bytes, but no more.

    A pulled plug leaves files of zeros alone.
    """
    return data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or (
        len(data) < data.count(0) * 4 < len(data) * 3
    )


def decode_text(data: bytes) -> str:
    """Return the text of a file in UTF-8, without the mark that editors on Windows put before it.

    Raises:
        ValueError: for other bytes; those of UTF-16 are told as such.

    """
    if is_utf16(data):
        raise ValueError("UTF-16, not UTF-8: save the file as UTF-8")
    return data.decode("utf-8-sig")


def quote_string(text: str) -> str:
    """Return a text as a TOML string: as it is, but for what is not printable."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(char if char.isprintable() else f"\\U{ord(char):08x}" for char in escaped) + '"'


def parse_toml(text: str) -> dict[str, Any]:
    """Return the tables of a TOML text; time and memory grow with its length only.

    Raises:
        tomllib.TOMLDecodeError: for invalid TOML, and for a text beyond the bounds; the message ends in the place.
        ValueError: for a value that cannot be converted.

    """
    _check_bounds(text)
    return tomllib.loads(text)


def _check_bounds(text: str) -> None:
    """Raise ``tomllib.TOMLDecodeError`` where a text is beyond the bounds, up to its first unterminated string."""
    dots = nesting = 0
    for token in _TOKEN.finditer(text):
        match token.lastgroup:
            case "word" if token.end() - token.start() > MAX_WORD:
                raise _error(text, token.start(), f"more than {MAX_WORD} letters without a blank")
            case "dot":
                dots += 1
                if dots > MAX_DOTS:
                    raise _error(text, token.start(), f"more than {MAX_DOTS} dots in a key")
            case "opening":
                dots, nesting = 0, nesting + 1
                if nesting > MAX_NESTING:
                    raise _error(text, token.start(), f"brackets within brackets, more than {MAX_NESTING} deep")
            case "closing":
                dots, nesting = 0, nesting - 1
            case "end":
                dots = 0
            case "quote":  # tomllib reads no further either, and says why
                return
            case _:
                pass


def _error(text: str, at: int, reason: str) -> tomllib.TOMLDecodeError:
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    return tomllib.TOMLDecodeError(f"{reason} (at line {line}, column {column})")


# What mats and camera profiles fail with; nothing here loads OpenCV


class MatError(ValueError):
    """Raised for a mat file that cannot be used; the message is one line."""


class ProfileError(ValueError):
    """Raised for a profile that cannot be used; the message is one line and says what to do."""
