"""Letters as people see them: a character with its accents, a flag, an emoji with all that is joined to it."""

import unicodedata

_JOINER = "\u200d"
_MARKS = {"Mn", "Mc", "Me"}  # accents, vowel signs, variation selectors
_SYMBOLS = {"So", "Sm"}  # a joiner joins pictures; between letters it only shapes them


def first_two_letters(name: str) -> tuple[str, str]:
    """Return the first two letters of a name, each empty where the name is too short."""
    text = name.strip()
    end = _letter_end(text, 0)
    return text[:end], text[end : _letter_end(text, end)]


def _letter_end(text: str, start: int) -> int:
    """Return the index after the letter that begins at an index."""
    end = start + 1
    if _is_flag_half(text[start:end]) and _is_flag_half(text[end : end + 1]):
        end += 1
    while end < len(text) and (_extends(text[end]) or _is_joined(text, end)):
        end += 1
    return min(end, len(text))


def _extends(character: str) -> bool:
    """Return whether a character is drawn with the one before it."""
    is_skin_tone = "\U0001f3fb" <= character <= "\U0001f3ff"
    is_tag = "\U000e0020" <= character <= "\U000e007f"  # flags of regions
    is_joiner = character in {_JOINER, "\u200c"}
    return is_skin_tone or is_tag or is_joiner or unicodedata.category(character) in _MARKS


def _is_joined(text: str, index: int) -> bool:
    """Return whether a picture is joined to the one before it."""
    return text[index - 1] == _JOINER and unicodedata.category(text[index]) in _SYMBOLS


def _is_flag_half(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"
