"""The table as it stood after an entry, to step back through the game with."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.service.crops import Crops
from companion.service.stepping import stood_at
from companion.service.table import Table
from companion.web.pages import journal_rows, waiting
from companion.web.pages.scene import Scene


def then(scene: Scene, table: Table, crops: Crops, viewer: str, args: Mapping[str, str]) -> dict[str, Any]:
    """Give what the sheet shows: the entry ``seq`` (a wild one: the latest), what led there, and how all stood."""
    wish, latest = args.get("seq", ""), len(scene.entries)
    seq = int(wish) if wish.isascii() and wish.isdigit() and 1 <= int(wish[:9]) <= latest else latest
    stood = replace(scene, position=stood_at(table, seq, viewer)["position"], offers=(), proposals=())
    sentence, told = waiting.expectation(stood)
    return {
        "seq": seq,
        "latest": latest,
        "before": seq - 1 if seq > 1 else None,
        "after": seq + 1 if seq < latest else None,
        "row": journal_rows.row(scene, scene.entries[seq - 1], scene.entries),
        "scene": stood,
        "sentence": sentence,
        "told": told,
        "picture": viewer == "banker" and crops.picture(scene.table, seq) is not None,
    }
