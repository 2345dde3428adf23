"""Faults of a catalog, each with its place in the file."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

Place: TypeAlias = "tuple[str | int, ...]"
"""Keys and list positions (from 0) that lead to a value of a file, such as ``("contract", 3, "price")``."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong, and the mend.

    ``rests_on`` is a part of the data and a field that must be readable everywhere in it for the fault to
    mean anything: that foremen are missing rests on the ``type`` of every worker.
    """

    place: Place
    words: str
    rests_on: tuple[Place, str] | None = None


class CatalogError(Exception):
    """A catalog cannot be used; ``faults`` has one line for each reason, in the order of the file.

    ``placed``: the same as line of the file, place as it is spoken, and words; empty where the file cannot be read.
    """

    def __init__(self, faults: Sequence[str], placed: "Sequence[tuple[int, str, str]]" = ()) -> None:
        """Keep every line."""
        super().__init__("\n".join(faults))
        self.faults = tuple(faults)
        self.placed = tuple(placed)
