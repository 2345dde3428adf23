"""PDF documents to print: at 100 %, with their typeface embedded, in letters that the typeface has."""

from functools import cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Literal, TypeAlias
from unicodedata import bidirectional, category, name, normalize

from reportlab.pdfbase.pdfmetrics import registerFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

REGULAR, BOLD = "SourceSansPro-Regular", "SourceSansPro-Bold"
CAPITALS = 0.66
"""Height of the typeface's capitals, as a share of the font size."""
Turn: TypeAlias = Literal["none", "long", "short"]
"""The edge over which the printer turns a sheet; ``none``: it prints fronts only."""

_FOLDER = files("font_source_sans_pro") / "files"
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
    text = "".join(letter for letter in normalize("NFC", words.translate(_BLANKS)) if not _is_invisible(letter))
    missing = [letter for letter in text if ord(letter) not in glyphs or bidirectional(letter) in _RIGHT_TO_LEFT]
    if missing:
        raise MissingLettersError(words, "".join(dict.fromkeys(missing)))
    return text


def _is_invisible(letter: str) -> bool:
    return category(letter) in {"Cc", "Cf"} or "\ufe00" <= letter <= "\ufe0f"


@cache
def _load_typefaces() -> frozenset[int]:
    """Register the typefaces and return the letters that both have."""
    shared: set[int] = set()
    for typeface in (REGULAR, BOLD):
        font = TTFont(typeface, BytesIO((_FOLDER / f"{typeface}.ttf").read_bytes()))
        registerFont(font)
        glyphs = set(font.face.charToGlyph)
        shared = shared & glyphs if shared else glyphs
    return frozenset(shared)
