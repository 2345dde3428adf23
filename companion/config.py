"""The paths of an installation."""

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class DataFolder:
    """The data folder, and the files and folders in it; none needs to exist.

    ``secret_file``: a file outside the folder with PIN and key, for several processes with folders of their own.
    """

    path: Path
    secret_file: Path | None = None

    @property
    def journal(self) -> Path:
        """The journal of every table."""
        return self.path / "journal.sqlite"

    @property
    def latest(self) -> Path:
        """The number of each table's latest entry, apart from the journal."""
        return self.path / "latest.log"

    @property
    def summaries(self) -> Path:
        """Summaries of the tables, of earlier versions; the file is deleted."""
        return self.path / "summaries.jsonl"

    @property
    def keepsakes(self) -> Path:
        """The automation level of each table, and the crops behind entries."""
        return self.path / "keepsakes.sqlite"

    @property
    def catalogs(self) -> Path:
        """Catalogs that were typed in or imported, one TOML file each."""
        return self.path / "catalogs"

    @property
    def boxes(self) -> Path:
        """Boxes that are being taught card by card, one JSON file each."""
        return self.path / "boxes"

    @property
    def pictures(self) -> Path:
        """Pictures of the cards of these boxes, one JPEG each."""
        return self.path / "pictures"

    @property
    def printer(self) -> Path:
        """The printer's measured errors."""
        return self.path / "printer.toml"

    @property
    def mats(self) -> Path:
        """Custom table mats, one TOML file each."""
        return self.path / "mats"

    @property
    def profiles(self) -> Path:
        """Camera profiles (lens and mat), one TOML file each."""
        return self.path / "profiles"

    @property
    def games(self) -> Path:
        """Games of other people that were installed, one folder each."""
        return self.path / "games"

    @property
    def recordings(self) -> Path:
        """Recordings, one folder each, unless another place was named."""
        return self.path / "recordings"

    @property
    def settings(self) -> Path:
        """The PIN and the key that signs logins."""
        return self.secret_file or self.path / "settings.toml"

    @property
    def preferences(self) -> Path:
        """Preferences: the deck, mat or tray, and that the welcome was seen."""
        return self.path / "preferences.toml"

    @property
    def guests(self) -> Path:
        """The guests: which phones sit where."""
        return self.path / "guests.json"

    @property
    def https(self) -> Path:
        """The device's own certificate authority, and its certificate."""
        return self.path / "https"

    @property
    def lock(self) -> Path:
        """The lock file of the process that uses the folder."""
        return self.path / "in-use.lock"


@dataclass(frozen=True, slots=True)
class ExternalPaths:
    """Chosen places outside the data folder: of backups, of a custom certificate, and of a database of the journal."""

    backups: Path | None = None
    certificate: Path | None = None
    database: str | None = None


def resolve_data_folder(chosen: str | None) -> DataFolder:
    """Return the chosen data folder, or ``$XDG_DATA_HOME/companion``; PIN and key are in ``$COMPANION_SECRET_FILE``."""
    named = os.environ.get("COMPANION_SECRET_FILE")
    secret_file = Path(named) if named else None
    if chosen:
        return DataFolder(Path(chosen), secret_file)
    home = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return DataFolder(Path(home) / "companion", secret_file)
