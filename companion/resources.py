"""Where the files that are no code lie: the same answer in a checkout and in an installed wheel.

Pages (``templates/``) lie beside the package in a checkout and inside it in a wheel; everything else lies
in its own package in both.
"""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_ROOT = _PACKAGE.parent


class MissingResourceError(RuntimeError):
    """A file that belongs to the program is not there: the installation is not whole."""


def templates_folder() -> Path:
    """Give the folder of the Jinja pages and partials."""
    return _existing(_PACKAGE / "_templates", _ROOT / "templates")


def packaged_path(*parts: str) -> Path:
    """Give a file or folder inside the companion package, such as ``packaged("web", "static")``."""
    return _existing(_PACKAGE.joinpath(*parts))


def _existing(*places: Path) -> Path:
    for place in places:
        if place.exists():
            return place
    raise MissingResourceError(f"not found: {' or '.join(map(str, places))}; install the companion again")
