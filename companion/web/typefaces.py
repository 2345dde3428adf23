"""Typefaces of the pages: Source Serif Pro and Source Sans Pro, cut down to the letters of our languages.

They are made once for an installation, at set-up or when a browser first asks, and lie beside the libraries from then
on.  Their licence (docs/typefaces.md) keeps the name *Source* for the whole fonts, so these have names of their own.
"""

import logging
import sys
import tempfile
import threading
from base64 import b64encode
from importlib.metadata import version
from importlib.resources import files
from io import BytesIO
from pathlib import Path

from flask import Blueprint, Response, abort

log = logging.getLogger(__name__)
blueprint = Blueprint("typefaces", __name__)

REVISION = 1
"""In the addresses that tokens.css names: browsers keep a typeface for good, so a changed one needs another address."""
MOST_BYTES = 200_000
"""Limit of the size of all typefaces together, compressed."""
_IMMUTABLE = "public, max-age=31536000, immutable"

FACES = {
    "voice-400": ("font-source-serif-pro", "SourceSerifPro-Regular.ttf", "Companion Voice"),
    "voice-600": ("font-source-serif-pro", "SourceSerifPro-Semibold.ttf", "Companion Voice Semibold"),
    "ledger-400": ("font-source-sans-pro", "SourceSansPro-Regular.ttf", "Companion Ledger"),
    "ledger-600": ("font-source-sans-pro", "SourceSansPro-Semibold.ttf", "Companion Ledger Semibold"),
    "ledger-700": ("font-source-sans-pro", "SourceSansPro-Bold.ttf", "Companion Ledger Bold"),
}
"""Package, file and new name of each face."""
_RANGES = ((" ", "~"), ("\u00a0", "\u017f"), ("\u2010", "\u2015"), ("\u2018", "\u201e"), ("\u2190", "\u2193"))
"""First and last letters: Basic Latin to Latin Extended-A, dashes, quotation marks, arrows."""
_SINGLE = (
    "\u02c6\u02da\u02dc\u2020\u2021\u2022\u2026\u202f\u2030\u2032\u2033"  # accents, daggers, dots, spaces, primes
    "\u2039\u203a\u2044\u20ac\u2122\u2212\u2248\u2260\u2264\u2265\u2713"  # quotes, euro, minus, comparisons, tick
)
_LETTERS = frozenset(ord(letter) for letter in _SINGLE).union(*(range(ord(a), ord(z) + 1) for a, z in _RANGES))
_FEATURES = ("kern", "mark", "mkmk", "ccmp", "liga", "locl", "lnum", "tnum", "pnum")
_COPYRIGHT, _LICENCE, _LICENCE_ADDRESS = 0, 13, 14
_FAMILY, _STYLE, _UNIQUE, _FULL, _VERSION, _POSTSCRIPT = 1, 2, 3, 4, 5, 6
_NAMES = (_COPYRIGHT, _FAMILY, _STYLE, _UNIQUE, _FULL, _VERSION, _POSTSCRIPT, _LICENCE, _LICENCE_ADDRESS)
_NARROW_NO_BREAK, _NO_BREAK = 0x202F, 0xA0

_making = threading.Lock()
_made: dict[str, bytes] = {}


@blueprint.get("/typefaces/<int:revision>/<name>.woff2")
def typeface(revision: int, name: str) -> Response:
    """Return a typeface, compressed (WOFF2); it is made first where no set-up did."""
    if revision != REVISION or name not in FACES:
        abort(404)
    answer = Response(read_typeface(name), mimetype="font/woff2")
    answer.headers["Cache-Control"] = _IMMUTABLE
    return answer


def read_typeface(name: str) -> bytes:
    """Return a typeface of ``FACES``, from memory, from the disk, or made now."""
    with _making:
        if name not in _made:
            path = _folder() / f"{name}.woff2"
            try:
                _made[name] = path.read_bytes()
            except OSError:
                _made[name] = _make(name)
                _keep(path, _made[name])
        return _made[name]


def embed_typefaces(sheet: str) -> str:
    """Return a style sheet with its typefaces in it, for a picture that can fetch nothing."""
    for name in FACES:
        if (address := f"../../typefaces/{REVISION}/{name}.woff2") in sheet:
            sheet = sheet.replace(address, f"data:font/woff2;base64,{b64encode(read_typeface(name)).decode()}")
    return sheet


def make_typefaces() -> None:
    """Make what is missing, so that no browser waits: for set-up."""
    for name in FACES:
        read_typeface(name)


def _folder() -> Path:
    """Return where they lie: beside the libraries that they are made from, apart for every version of these."""
    packages = sorted({package for package, _, _ in FACES.values()})
    versions = "-".join([str(REVISION), *map(version, packages)])
    return Path(sys.prefix) / "share" / "companion" / "typefaces" / versions


def _keep(path: Path, content: bytes) -> None:
    """Write a file whole or not at all; in a folder of somebody else's it stays in memory until the next start."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as written:
            written.write(content)
        whole = Path(written.name)
        whole.chmod(0o644)
        whole.replace(path)
    except OSError as why:
        log.info("typefaces are made anew at every start: %s", why)


def _make(name: str) -> bytes:
    """Cut a face down to our letters, name it anew and compress it."""
    # Loaded here, because they take 16 MB that no server needs whose typefaces are made.
    from fontTools.subset import Options, Subsetter  # noqa: PLC0415
    from fontTools.ttLib import TTFont  # noqa: PLC0415

    package, file, family = FACES[name]
    source = files(package.replace("-", "_")) / "files" / file
    font = TTFont(BytesIO(source.read_bytes()))
    for table in font["cmap"].tables:
        if table.isUnicode():  # the serif has no narrow no-break space, which French wants before ! and ?
            table.cmap.setdefault(_NARROW_NO_BREAK, table.cmap[_NO_BREAK])
    options = Options()
    options.hinting = False
    options.layout_features = list(_FEATURES)
    options.name_IDs = list(_NAMES)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=_LETTERS)
    subsetter.subset(font)
    for record in font["name"].names:
        if record.nameID in {_FAMILY, _UNIQUE, _FULL}:
            record.string = family
        elif record.nameID == _POSTSCRIPT:
            record.string = family.replace(" ", "")
    font.flavor = "woff2"
    compressed = BytesIO()
    font.save(compressed)
    return compressed.getvalue()
