"""Where an installation keeps its things."""

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class DataFolder:
    """The folder with tables, catalogs, profiles and settings."""

    path: Path

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
        """What lists show of each table; where it is lost, tables are folded for it again."""
        return self.path / "summaries.jsonl"

    @property
    def keepsakes(self) -> Path:
        """How dials were left, and what the camera saw of the cards behind entries."""
        return self.path / "keepsakes.sqlite"

    @property
    def catalogs(self) -> Path:
        """Decks that were typed in or imported, one TOML file each."""
        return self.path / "catalogs"

    @property
    def boxes(self) -> Path:
        """Boxes that are being taught card by card, one JSON file each."""
        return self.path / "boxes"

    @property
    def pictures(self) -> Path:
        """Pictures of the cards of these boxes."""
        return self.path / "pictures"

    @property
    def printer(self) -> Path:
        """What the printer is out by."""
        return self.path / "printer.toml"

    @property
    def mats(self) -> Path:
        """Table mats of one's own, one TOML file each."""
        return self.path / "mats"

    @property
    def profiles(self) -> Path:
        """What is known of each camera: lens and plane, one TOML file each."""
        return self.path / "profiles"

    @property
    def recordings(self) -> Path:
        """Recorded evenings, one folder each, where nobody has named another place."""
        return self.path / "recordings"

    @property
    def settings(self) -> Path:
        """The PIN and the key that signs logins."""
        return self.path / "settings.toml"

    @property
    def preferences(self) -> Path:
        """What people chose once: the deck, mat or tray, and that the welcome was seen."""
        return self.path / "preferences.toml"

    @property
    def guests(self) -> Path:
        """Which phones sit where."""
        return self.path / "guests.json"

    @property
    def https(self) -> Path:
        """The device's own certificate authority, and the certificate that it serves."""
        return self.path / "https"

    @property
    def lock(self) -> Path:
        """Held by the one process that writes."""
        return self.path / "in-use.lock"


@dataclass(frozen=True, slots=True)
class ExternalPaths:
    """What is kept outside of the data folder, where somebody chose so: backups, and a certificate of one's own."""

    backups: Path | None = None
    certificate: Path | None = None


def resolve_data_folder(chosen: str | None) -> DataFolder:
    """Give the folder that was named, or ``$XDG_DATA_HOME/companion``."""
    if chosen:
        return DataFolder(Path(chosen))
    home = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return DataFolder(Path(home) / "companion")
