"""Text that people read: which characters it may hold, and which texts look the same."""

# ruff: noqa: RUF001 - letters that look the same are what this is about

from unicodedata import category, normalize

ZERO_WIDTH_NON_JOINER, ZERO_WIDTH_JOINER = "\u200c", "\u200d"
_JOINERS = frozenset((ZERO_WIDTH_NON_JOINER, ZERO_WIDTH_JOINER))
_NO_BREAK = frozenset("\u00a0\u202f")
"""Blanks before a sign or a unit, as French and German set them: cards are printed with them."""
_JOINED = frozenset(("Lo", "Lm", "Mn", "Mc", "Me", "So", "Sk", "Cn"))
"""Categories after which a joiner means something: letters without capitals, their marks, pictures."""
_BLACK_FLAG = "\U0001f3f4"
_SOFT_HYPHEN = "\u00ad"
"""Put into long words by pages, from which people may copy a name."""
_EMPTY_BRAILLE = "\u2800"
_TAGS = frozenset(chr(code) for code in range(0xE0020, 0xE0080))
"""Letters of the flags of England, Scotland and the like, which begin with a black flag."""
_EMPTY = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U0001d159")
"""Characters that are no blanks, and show nothing."""
_SHOWN = frozenset("LNPS")
"""First letters of the categories that show something by themselves."""

LONGEST_NORMALIZED = 400
"""Characters of a text that is normalised, which takes time that grows with the square of its marks; no name has as
many."""

_TWINS = str.maketrans(
    "АВЕЅІЈКМНОРСТУХԚԜӀасеѕіјорухһԛԝӏѵѡΑΒΕΖΗΙΚΜΝΟΡΤΥΧϜοανυιρκϲոսօհԼՕՍƖǀ∣ı0I1|ɑɡꞁ"
    "ԁԌѴҮՏᴄᴏᴜᴠᴡᴢꜱ"
    "ᎠᎡᎢᎥᎩᎪᎫᎬᎳᎷᎻᎽᏀᏂᏃᏎᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏮᏳᏴꭵꮁꮃꮓꮩꮪꮯ"
    "ꓐꓑꓒꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ",
    "ABESlJKMHOPCTYXQWlacesijopyxhqwlvwABEZHlKMNOPTYXFoavvipkcnuohLOUllliOlllagl"
    "dGVYScouvwzs"
    "DRTiYAJEWMHYGhZ4bRWSVSLCPKd6GBirwzvsc"
    "BPdDTGKJCZFMNLSRVHWXYAElOU",
)
"""Letters of other scripts, digits and signs, to the Latin letter that looks the same."""


def join_words(text: str) -> str:
    """Return a text with single blanks between its words, without soft hyphens and joiners that join nothing.

    The joiners of Persian, Malayalam and emoji stay: they are letters there.  A text that is too long for any name has
    its blanks joined only, and stays too long.
    """
    joined, kept = " ".join(text.replace(_SOFT_HYPHEN, "").split()), ""
    if len(joined) > LONGEST_NORMALIZED:
        return joined
    for letter in normalize("NFC", joined):
        if letter not in _JOINERS or (kept and category(kept[-1]) in _JOINED):
            kept += letter
    return kept.rstrip()


def is_readable(text: str) -> bool:
    """Return whether a text is one line in which every character may be shown, and some show something."""
    tagged = False
    for letter in text:
        if letter in _TAGS:
            if not tagged:
                return False
        else:
            tagged = letter == _BLACK_FLAG
            if not letter.isprintable() and letter not in _JOINERS | _NO_BREAK and not _is_new_emoji(letter):
                return False
    return any(_is_shown(letter) for letter in text)


def appearance(text: str) -> str:
    """Return the same text for all texts that look alike to a reader at a table, as far as they may be names."""
    letters = normalize("NFKD", text) if len(text) <= LONGEST_NORMALIZED else text
    seen = "".join(_seen(letter) for letter in letters)
    return " ".join(seen.translate(_TWINS).split())


def shapes(text: str) -> frozenset[str]:
    """Return how a text looks without regard to case: two texts that share a shape are not told apart."""
    return frozenset((appearance(text).casefold(), appearance(text.casefold())))


def _is_shown(letter: str) -> bool:
    return letter not in _EMPTY and (category(letter)[0] in _SHOWN or _is_new_emoji(letter))


def _seen(letter: str) -> str:
    """Return what is seen of a character: itself, a blank, or nothing.  Tags are seen: they choose a flag."""
    if letter == _EMPTY_BRAILLE or category(letter)[0] == "Z":
        return " "
    selects = "\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef"
    hidden = letter in _EMPTY or selects or (category(letter)[0] == "C" and letter not in _TAGS)
    return "" if hidden and not _is_new_emoji(letter) else letter


def _is_new_emoji(letter: str) -> bool:
    """Return whether a character is a picture that is newer than this Python's tables."""
    return "\U0001f300" <= letter <= "\U0001faff" and category(letter) == "Cn"
