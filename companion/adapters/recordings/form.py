"""The form of a recording: a folder with two files, ``recording.jsonl`` and ``pictures.jpegs``.

The first line says what it is; every other line is one thing that happened to the pipeline, in its order.  Pictures
lie one after the other in the second file, and lines say where.  docs/recordings.md has each field.
"""

from collections.abc import Mapping
from typing import Any

from companion.adapters.recordings.patchwork import Patch
from companion.engine.placement import Placement
from companion.vision.label.sighting import Sighting
from companion.vision.label.tag import Deck

VERSION = 1
LINES, PICTURES = "recording.jsonl", "pictures.jpegs"
MARK = "companion_recording"
"""The key that the first line begins with; its value is the version of the form."""


def deck_json(deck: Deck) -> dict[str, Any]:
    """Write a deck."""
    held: dict[str, Any] = {"game": deck.game_code, "cards": sorted(deck.cards)}
    return held | {name: sorted(some) for name in ("shared", "piles") if (some := getattr(deck, name))}


def deck_from(json: Mapping[str, Any]) -> Deck:
    """Read a deck; ``KeyError`` or ``TypeError`` for what is none."""
    shared, piles = frozenset(json.get("shared", ())), frozenset(json.get("piles", ()))
    return Deck(json["game"], frozenset(json["cards"]), shared, piles)


def sighting_json(seen: Sighting) -> dict[str, Any]:
    """Write what was seen, for people and programs that look into a recording: a replay reads the pictures anew."""
    corners = [[round(x, 1), round(y, 1)] for x, y in seen.corners]
    return {"text": seen.text, "corners": corners, "how": seen.how, "confidence": round(seen.confidence, 4)}


def placement_json(placement: Placement) -> dict[str, Any]:
    """Write a placement."""
    held: dict[str, Any] = {
        "event": placement.event,
        "tag": placement.tag,
        "card": placement.card,
        "zone": placement.zone,
        "confidence": placement.confidence,
    }
    return held | {"tops": dict(placement.tops)} if placement.tops else held


def placement_from(json: Mapping[str, Any]) -> Placement:
    """Read a placement; ``KeyError`` or ``TypeError`` for what is none."""
    return Placement(**{**json, "tops": tuple(sorted(json.get("tops", {}).items()))})


def patch_json(patch: Patch, at: int) -> dict[str, Any]:
    """Write which tiles are new, and at which byte of the pictures their JPEG begins."""
    return {"at": at, "bytes": len(patch.jpeg), "shape": list(patch.shape), "tiles": [list(run) for run in patch.runs]}


def patch_from(json: Mapping[str, Any], jpeg: bytes) -> Patch:
    """Read which tiles are new; ``KeyError``, ``TypeError`` or ``ValueError`` for what does not say so."""
    runs = tuple((int(first), int(count)) for first, count in json["tiles"])
    return Patch(tuple(int(size) for size in json["shape"]), runs, jpeg)
