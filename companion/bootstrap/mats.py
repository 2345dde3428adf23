"""The mats of games and of an installation, and the mat finder of a camera."""

import logging
from pathlib import Path

from calibration.bounded_toml import MatError
from calibration.mat import Mat, MatTracker, read_mats
from companion.adapters.calibration_stores import load_profile
from companion.bootstrap.games import InstalledGames, find_games
from companion.config import DataFolder

log = logging.getLogger(__name__)


def load_mats(folder: Path | None = None, games: InstalledGames | None = None) -> dict[str, Mat]:
    """Return the mats of games and of an installation by name; the installation's take precedence.

    A game with unusable mats is logged and skipped.  Raises ``MatError`` for unusable mats of the installation.
    """
    mats: dict[str, Mat] = {}
    for game in (games or find_games()).manifests.values():
        try:
            mats |= {} if game.mats is None else read_mats(game.mats)
        except MatError as fault:
            log.error(  # noqa: TRY400 - one line for the operator
                "mats of %s: %s; the others are known", game.name, fault
            )
    return mats if folder is None else {**mats, **read_mats(folder)}


def create_mat_sight(folder: DataFolder, camera: str, games: InstalledGames | None = None) -> MatTracker:
    """Return the mat finder of a camera; raise ``MatError``, ``ProfileError`` or ``OSError``."""
    profile = load_profile(folder.profiles, camera)
    lens = None if profile is None or profile.lens is None else profile.lens.lens
    return MatTracker(list(load_mats(folder.mats, games).values()), lens)
