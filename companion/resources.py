"""Find files that are no code, in a checkout and in an installed wheel.

Templates lie beside the package in a checkout and inside it in a wheel; everything else lies in the package in both.
"""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_ROOT = _PACKAGE.parent


class MissingResourceError(RuntimeError):
    """A file of the program is missing: the installation is incomplete."""


def templates_folder() -> Path:
    """Return the folder of the Jinja templates."""
    return _existing(_PACKAGE / "_templates", _ROOT / "templates")


def packaged_path(*parts: str) -> Path:
    """Return a file or folder inside the companion package, such as ``packaged_path("web", "static")``."""
    return _existing(_PACKAGE.joinpath(*parts))


def _existing(*places: Path) -> Path:
    for place in places:
        if place.exists():
            return place
    raise MissingResourceError(f"not found: {' or '.join(map(str, places))}; install the companion again")
