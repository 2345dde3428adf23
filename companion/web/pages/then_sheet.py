"""The table as it stood after an entry, to step back through the game with."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.game_api.ui import Face, Seen
from companion.service.table.stepping import overview_at, stood_at
from companion.service.table.table import Table
from companion.web.pages import journal_rows


def then(scene: Seen, face: Face, table: Table, viewer: str, args: Mapping[str, str]) -> dict[str, Any]:
    """Give what the sheet shows: the entry ``seq`` (a wild one: the latest), what led there, and how all stood."""
    latest = len(scene.entries)
    seq = _seq(scene, args)
    position = stood_at(table, seq, viewer)["position"]
    stood = replace(scene, position=position, overview=overview_at(table, seq), offers=(), proposals=())
    sentence, places = face.sentence(stood)
    return {
        "seq": seq,
        "latest": latest,
        "before": seq - 1 if seq > 1 else None,
        "after": seq + 1 if seq < latest else None,
        "row": journal_rows.row(scene, scene.entries[seq - 1], scene.entries),
        "scene": stood,
        "sentence": sentence,
        "places": places,
    }


def crop(scene: Seen, visible: frozenset[int], args: Mapping[str, str]) -> dict[str, Any]:
    """Give the entry ``seq`` whose picture is shown large: its row, and the entries with a picture before and after."""
    seq = _seq(scene, args)
    return {
        "seq": seq,
        "row": journal_rows.row(scene, scene.entries[seq - 1], scene.entries),
        "there": seq in visible,
        "before": max((one for one in visible if one < seq), default=None),
        "after": min((one for one in visible if one > seq), default=None),
    }


def _seq(scene: Seen, args: Mapping[str, str]) -> int:
    """Read which entry is asked for; a wild wish means the latest."""
    wish, latest = args.get("seq", ""), len(scene.entries)
    return int(wish) if wish.isascii() and wish.isdigit() and 1 <= int(wish[:9]) <= latest else latest
