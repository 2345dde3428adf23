"""How wide lettering of drawings runs, and how words are broken into lines, before a browser has drawn them."""

import re

_WIDE = 0.55
"""An average letter's width, in sizes of the type: what a server knows of a page's typeface."""
_WIDEST, _LETTERS = 0.9, frozenset("MWmw@%")
"""Letters that are wider than that in every typeface."""
_FULL_WIDTH = re.compile("[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\uff01-\uff60\U00020000-\U0003ffff]")
"""Letters that are as wide as high: Han, kana, Hangul."""
_WITHOUT_BLANKS = "\u2e80-\ua4cf\uf900-\ufaff\uff01-\uff60\U00020000-\U0003ffff"
_PIECE = re.compile(rf"[{_WITHOUT_BLANKS}]|\s+|[^\s{_WITHOUT_BLANKS}]+")
"""A blank, a word, or one letter of a script that has no blanks."""
_LEAST = 8
"""Words are set smaller down to the eighth part of their size, so that the longest of them stays whole."""
_BOLD, _HEADING = 1.1, 1.22
"""How much wider than that the bold typeface of figures is, and that of names where it is a wide one."""
LEADING = 1.2
"""From line to line, in sizes of the type."""


def letters_wide(words: str, *, bold: bool = False, heading: bool = False) -> float:
    """Estimate the width of words in sizes of the type, so that a wide typeface needs no more either."""
    wide = _usual_width(words) + (_WIDEST - _WIDE) * sum(letter in _LETTERS for letter in words)
    return wide * (_BOLD if bold else 1) * (_HEADING if heading else 1)


def _usual_width(words: str) -> float:
    """Return the usual width of words in sizes of the type."""
    return _WIDE * len(words) + (1 - _WIDE) * len(_FULL_WIDTH.findall(words))


def fit_prose(words: str, width: float, height: float, size: float) -> tuple[list[str], float]:
    """Return the lines of words that fill a rectangle, and the size of their type.

    Where they are too high they are set down to half as large; where a word is too wide, as small as it needs.

    Args:
        words: what is written.
        width: of the rectangle, in the unit of ``size``.
        height: of the rectangle without the space between lines.
        size: of the type where everything has room.

    """
    smaller = size
    lines = _lines(words, width / smaller)
    while (len(lines) * smaller > height and smaller > size / 2) or (
        max(map(_usual_width, lines)) * smaller > width and smaller > size / _LEAST
    ):
        smaller *= 0.94
        lines = _lines(words, width / smaller)
    return lines, smaller


def _lines(words: str, room: float) -> list[str]:
    """Break words into lines of a width in sizes of the type: at blanks, and between letters of Han and kana."""
    lines, blank = [""], ""
    for piece in _PIECE.findall(words.strip()):
        if piece.isspace():
            blank = " "
            continue
        longer = f"{lines[-1]}{blank}{piece}"
        if lines[-1] and _usual_width(longer) > room:
            lines.append(piece)
        else:
            lines[-1] = longer
        blank = ""
    return lines
