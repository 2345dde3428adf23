"""PDF documents to print: at 100 %, with their typefaces embedded, in letters that these have."""

from functools import cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Literal, TypeAlias
from unicodedata import bidirectional, category, name, normalize

from reportlab.pdfbase.pdfmetrics import registerFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

REGULAR, BOLD, HEADING = "SourceSansPro-Regular", "SourceSansPro-Bold", "SourceSerifPro-Semibold"
CAPITALS = 0.66
"""Height of the capitals, as a share of the font size."""
Turn: TypeAlias = Literal["none", "long", "short"]
"""The edge over which the printer turns a sheet; ``none``: it prints fronts only."""

_PACKAGES = {REGULAR: "font_source_sans_pro", BOLD: "font_source_sans_pro", HEADING: "font_source_serif_pro"}
_DUPLEX: dict[Turn, str] = {"none": "Simplex", "long": "DuplexFlipLongEdge", "short": "DuplexFlipShortEdge"}
_BLANKS = str.maketrans({"\u202f": "\u00a0", "\u2009": "\u00a0", "\t": " ", "\n": " ", "\r": " "})
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
"""Directions of letters that need shaping and another order, which nothing here does."""
_SHOWN_LETTERS = 5


class MissingLettersError(ValueError):
    """A text has letters that cannot be printed; the message names them."""

    def __init__(self, words: str, letters: str) -> None:
        """Store the text and its letters that cannot be printed."""
        self.words = words
        self.letters = letters
        named = [f"{letter} ({name(letter, f'U+{ord(letter):04X}')})" for letter in letters[:_SHOWN_LETTERS]]
        named += ["..."] if len(letters) > _SHOWN_LETTERS else []
        super().__init__(f"{words!r} cannot be printed, the typeface lacks {', '.join(named)}: use other letters")


def new_canvas(path: Path, title: str, size: tuple[float, float] | None = None, turn: Turn = "none") -> Canvas:
    """Return a new PDF that asks to be printed at 100 % and on the sides it needs; equal contents give equal bytes.

    ``size``: of its pages in points, where they are all of one size.
    """
    _load_typefaces()
    canvas = Canvas(str(path), pagesize=size, invariant=True, pageCompression=1, initialFontName=REGULAR)
    canvas.setTitle(title)
    canvas.setCreator("Companion")
    canvas.setViewerPreference("PrintScaling", "None")
    canvas.setViewerPreference("Duplex", _DUPLEX[turn])
    return canvas


def printable(words: str) -> str:
    """Return a text as it is printed: accents in one piece, without characters that show nothing.

    Raises:
        MissingLettersError: where it has letters that the typeface lacks.

    """
    glyphs = _load_typefaces()
    always = glyphs[REGULAR] & glyphs[BOLD]
    text = "".join(letter for letter in normalize("NFC", words.translate(_BLANKS)) if not _is_invisible(letter))
    missing = [letter for letter in text if ord(letter) not in always or bidirectional(letter) in _RIGHT_TO_LEFT]
    if missing:
        raise MissingLettersError(words, "".join(dict.fromkeys(missing)))
    return text


def heading_typeface(words: str) -> str:
    """Return the typeface of a printable heading: the bold one of the text where the headings' own lacks a letter.

    The text has some letters more, such as those of Sami; a name is set in one typeface as a whole.
    """
    return HEADING if _load_typefaces()[HEADING].issuperset(map(ord, words)) else BOLD


def _is_invisible(letter: str) -> bool:
    return category(letter) in {"Cc", "Cf"} or "\ufe00" <= letter <= "\ufe0f"


@cache
def _load_typefaces() -> dict[str, frozenset[int]]:
    """Register the typefaces and return the letters of each."""
    glyphs: dict[str, frozenset[int]] = {}
    for typeface, package in _PACKAGES.items():
        font = TTFont(typeface, BytesIO((files(package) / "files" / f"{typeface}.ttf").read_bytes()))
        registerFont(font)
        glyphs[typeface] = frozenset(font.face.charToGlyph)
    return glyphs
