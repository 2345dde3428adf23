"""Files of a data folder that cannot be used, found before anything of the program stumbles over them.

A box, mat or profile concerns one card game, one sheet or one camera: everything else runs without it.
"""

import logging
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from calibration.mat import parse_mat
from calibration.profile import parse_profile
from companion.adapters.boxes import parse_box
from companion.adapters.stores import read_small_text
from companion.config import DataFolder

log = logging.getLogger(__name__)

SUFFIX = ".torn"
"""Added to the name of a file that was set aside; nothing reads it under that name."""
MAX_NAME_BYTES = 255
"""Of the name of a file, on the usual file systems."""


def find_unusable(folder: DataFolder) -> Iterator[tuple[Path, str]]:
    """Yield each box, mat and profile that cannot be used, with the reason."""
    parsers: tuple[tuple[Path, str, Callable[[str, str], object]], ...] = (
        (folder.boxes, "*.json", parse_box),
        (folder.mats, "*.toml", lambda _, text: parse_mat(text)),
        (folder.profiles, "*.toml", lambda _, text: parse_profile(text)),
    )
    for place, pattern, parse in parsers:
        for path in sorted(place.glob(pattern)):
            try:
                parse(path.stem, read_small_text(path))
            except (OSError, ValueError) as error:
                yield path, " ".join(str(error).split())
            except Exception as error:  # a fault of the parser must not keep anybody from playing
                log.exception("%s could not be looked at", path)
                yield path, type(error).__name__


def set_aside_unusable(folder: DataFolder) -> None:
    """Rename what cannot be used, and log a line about each; raise ``OSError`` where the disk refuses."""
    for path, reason in list(find_unusable(folder)):
        name = os.fsencode(path.name)[: MAX_NAME_BYTES - len(SUFFIX)].decode(errors="ignore")
        aside = path.with_name(name + SUFFIX)
        path.replace(aside)
        log.warning("%s cannot be used (%s); it is set aside as %s, and all else runs", path, reason, aside.name)
