"""Catalogs as files that people pass on: which there are, one more, a copy, where two differ."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol


class UnknownCatalog(Exception):  # noqa: N818 - an answer, not an error of the program
    """There is no catalog of that name."""


class FaultyCatalog(Exception):  # noqa: N818 - an answer, not an error of the program
    """A catalog cannot be taken in: ``faults`` are line of the file (0: the whole), place, and words."""

    def __init__(self, faults: Sequence[tuple[int, str, str]]) -> None:
        """Keep every fault."""
        super().__init__("; ".join(words for _, _, words in faults))
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True)
class CatalogFile:
    """A catalog that is there.  ``own``: somebody has brought or taught it; ``fault``: why it cannot be played with."""

    game: str
    name: str
    title: str
    own: bool
    fault: str = ""


class SharedCatalogs(Protocol):
    """The catalogs of all games here."""

    def all(self) -> list[CatalogFile]:
        """Return them, those that come with a game first."""
        ...

    def text(self, game: str, name: str) -> bytes:
        """Return a catalog's file (TOML); ``UnknownCatalog``.  Pictures of cards are in none."""
        ...

    def take_in(self, name: str, text: bytes) -> CatalogFile:
        """Check a file that somebody else wrote, and keep it under a name; ``FaultyCatalog``, and nothing is kept."""
        ...

    def copy(self, game: str, name: str, new_name: str) -> CatalogFile:
        """Keep a catalog under one more name; ``UnknownCatalog`` or ``FaultyCatalog``."""
        ...

    def compare(self, game: str, name: str, other: str) -> list[dict[str, Any]]:
        """Return where two differ: ``place``, and what stands there in ``a`` and ``b``; ``UnknownCatalog``."""
        ...
