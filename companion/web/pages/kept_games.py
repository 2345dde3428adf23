"""The games of an installation as the lobby lists them: going on, interrupted, finished, in the bin."""

from collections.abc import Mapping
from typing import Any

from companion.game_api.ui import initials
from companion.web.http.auth import services
from companion.web.http.language import words_of
from companion.words import Words

MOST_SHOWN = 12


def kept_games(words: Words) -> list[dict[str, Any]]:
    """List the games that can be gone on with or looked at, the latest first."""
    tables = sorted(services().tables.all(), key=_changed, reverse=True)
    return [_shown(words, one) for one in tables[:MOST_SHOWN]]


def binned_games(words: Words) -> list[dict[str, Any]]:
    """List the games in the bin, the latest first."""
    return [_shown(words, one) for one in sorted(services().tables.binned(), key=_changed, reverse=True)]


def _changed(table: Mapping[str, Any]) -> str:
    return str(table.get("changed_at", ""))


def _shown(words: Words, table: Mapping[str, Any]) -> dict[str, Any]:
    editions = services().tables.editions
    game = editions[table["game"]].manifest
    names = {one["id"]: one.get("name") or words.say_in("place", one["id"]) for one in table.get("players", ())}
    winners = [line for line in table.get("standings", ()) if line["rank"] == 1]
    return {
        **table,
        "title": game.title,
        "among_others": len(editions) > 1,
        "names": names,
        "initials": initials(names),
        "changed": words.moment(_changed(table), "day and time"),
        "bots": table["id"] == services().played_by_bots,
        "winners": [names[line["player"]] for line in winners],
        "worth": winners[0].get("worth") if winners else None,
        "stands": _stands(words, words_of(game), table),
    }


def _stands(words: Words, of_the_game: Words, table: Mapping[str, Any]) -> str:
    """Say how far a game has come; nothing where it has not begun."""
    if table["finished"]:
        return words.say("Finished")
    if table["phase"] is None:
        return ""
    phase = of_the_game.named("phase", table["phase"])
    return phase if table["round"] is None else words.say("Round {round}, {phase}", round=table["round"], phase=phase)
