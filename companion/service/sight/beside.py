"""What a camera looks for besides the labels of its table: cards of other games, dice, and bare cards."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from companion.service.sight.dice_eye import DiceEye
from companion.service.sight.face_eye import FaceEye
from companion.service.sight.proposal import Eye
from companion.service.sight.strangers import Strangers
from companion.service.table.table import Table
from companion.vision.face.known import KnownFaces

DICE, FACE = "dice", "face"
"""What stands in place of a label's text for a throw, and what that of a bare card begins with."""
BARE = Eye("faces", automatic=False)
"""Who sees bare cards: it only ever asks."""
InTray: TypeAlias = Callable[[float, float], bool]


@dataclass(frozen=True, slots=True)
class Others:
    """How a table's other eyes are made.

    Beside a game with these letters on its labels, for so many dice, and for the faces of a game's catalog by name.
    """

    strangers: Callable[[str], Strangers] | None = None
    dice: Callable[[int], DiceEye] | None = None
    faces: Callable[[str, str], Callable[[], KnownFaces] | None] | None = None

    def beside(self, table: Table, in_tray: InTray) -> "Beside":
        """Make those of a table."""
        manifest = table.edition.manifest
        load = None if self.faces is None else self.faces(manifest.name, catalog_of(table))
        return Beside(
            None if self.strangers is None else self.strangers(manifest.label_code),
            None if self.dice is None or not manifest.dice else self.dice(manifest.dice),
            None if load is None else FaceEye(load, in_tray),
        )


@dataclass(frozen=True, slots=True)
class Beside:
    """The other eyes of one table."""

    strangers: Strangers | None = None
    dice: DiceEye | None = None
    faces: FaceEye | None = None


NO_OTHERS, NOTHING_BESIDE = Others(), Beside()


def catalog_of(table: Table) -> str:
    """Name the catalog that a game was begun with; empty where its beginning names none."""
    first = table.entries[0].command if table.entries else {}
    position = first.get("position")
    name = first.get("catalog", position.get("catalog") if isinstance(position, Mapping) else None)
    return name if isinstance(name, str) else ""


def awaits_dice(table: Table) -> bool:
    """Say whether anybody is asked for a throw now."""
    return any(field["kind"] == "dice" for offer in table.offers("banker") for field in offer["fields"].values())
