"""The width of lettering in a picture that leaves the app, before any browser has drawn it."""

import re

NARROW, MIDDLE, WIDE = 0.36, 0.6, 0.92
"""Widths in ems, on the safe side of the faces that tokens.css asks for."""
VOICE = 1.17
"""How much wider the bold face of names and titles runs."""
SQUEEZED = 1.14
"""A line that is too long by less than this is written smaller before it is broken."""
SLIM = frozenset("iIjlt.,:;'\u2019|!()[]-\u2010 \u00a0\u202f")
BROAD = frozenset("mMwWÆŒæœ%@—")
LEAST = 0.5
"""No line is drawn smaller than this part of its size; what is still too long ends in dots."""


def width(text: str, size: float) -> float:
    """Return how wide a text is at most, in the units of ``size``."""
    return size * sum(_width(letter) for letter in text)


def _width(letter: str) -> float:
    if letter in SLIM:
        return NARROW
    if letter in BROAD or ord(letter) >= 0x2E80:  # noqa: PLR2004 - from there on letters are as wide as high
        return WIDE if letter in BROAD else 1.0
    return MIDDLE + 0.1 if letter.isupper() else MIDDLE


def fitted(text: str, size: float, room: float) -> tuple[str, float]:
    """Return a text and the size at which it has room on one line."""
    wide = width(text, size)
    if wide <= room:
        return text, size
    small = max(size * LEAST, size * room / wide)
    while width(text, small) > room and len(text) > 1:
        text = text[:-2].rstrip() + "…"
    return text, round(small, 1)


def lines(text: str, size: float, room: float) -> tuple[tuple[str, ...], float]:
    """Break a sentence, or a name, onto one line or two, and give the size at which both have room."""
    if width(text, size) <= room * SQUEEZED:
        return (text,), round(min(size, size * room / width(text, size)), 1)
    parts = re.findall(r"[^ -]+[ -]?", text)
    cuts = [("".join(parts[:cut]).strip(), "".join(parts[cut:])) for cut in range(1, len(parts))]
    if not cuts:
        whole, small = fitted(text, size, room)
        return (whole,), small
    best = min(cuts, key=lambda cut: max(width(part, size) for part in cut))
    small = min(fitted(part, size, room)[1] for part in best)
    return tuple(fitted(part, small, room)[0] for part in best), small
