"""Sentences of Men at Work: events, figures of a position, and what is to be done now."""

from typing import Any

from companion.engine.journal import Json
from companion.game_api.ui import Language, TextContext
from companion.games.men_at_work.rules.catalog import colours_on_back

# What Men at Work tells beyond its field types: pieces by number, cards by both panels, and which sentence
# fits.


MOST_COUNTED = 5
"""Awards are told as the first to the fifth: nobody needs more."""


class MenAtWorkEventTexts:
    """How Men at Work's events and cards are told."""

    def variant(self, event: Json) -> str:
        """Return which of an event's sentences fits."""
        match event:
            case {"event": "CardTurned", "unlike": str()}:
                return ".unlike"
            case {"event": "AwardWon", "awards": int(awards)} if 1 <= awards <= MOST_COUNTED:
                return f".{awards}"
            case {"event": "AccidentHappened", "lost": 0}:
                return ".kept"
            case {"event": "PiecesFell", "to": "floor"}:
                return ".floor"
            case {"event": "ForemanCardPlayed", "on": "discard"}:
                return ".discard"
            case {"event": "TurnPassed", "clean": True}:
                return ".clean"
            case {"event": "GameEnded", "by": str(by)}:
                return f".{by}"
            case {"event": "PlayerCorrected", "out": True}:
                return ".out"
            case {"event": "BossCorrected", "on_duty": False}:
                return ".off"
            case _:
                return ""

    def record(self, of: str, value: Any, telling: TextContext) -> str:
        """Describe pieces by their number."""
        return pieces(value, telling.words) if of == "pieces" else ""

    def card(self, card: str, catalog: Json, words: Language) -> str | None:
        """Return an instruction card by its number and the titles of its two panels, a back by what it shows."""
        card_values = catalog.get("cards", {}).get(card)
        if card_values is None:
            return words.say_in("back", card) if card[:1] in "GH" and len(card) == len("GOP") else None
        titles = (_instruction_title(card_values[panel], catalog, words) for panel in ("girder", "worker"))
        return f"{card} ({' / '.join(titles)})"


def pieces(value: Any, words: Language) -> str:
    """List pieces: *an orange girder and 2 bricks*."""
    return words.listed(
        words.say_in("one piece", piece) if count == 1 else f"{count} {words.say_in('piece', piece)}"
        for piece, count in value.items()
        if count
    )


def _instruction_title(instruction: str, catalog: Json, words: Language) -> str:
    return instruction_text(catalog.get("instructions", {}).get(instruction, {}), "name", words) or instruction


# Positions of Men at Work in words: what to place and how, what is asked, what lies where.

SAID = frozenset({"active", "clean", "action", "discard", "ended_by", "certificates_lost"})
"""Figures that the sentence of the moment says."""
DRAWN = frozenset({"reserve", "site", "floor"})
"""Figures that the picture of the pieces shows, see the drawings."""
HIDDEN = SAID | DRAWN | {"rules", "expects"}


class MenAtWorkPositionTexts:
    """How Men at Work's positions are told and said aloud."""

    def figure(self, key: str, value: Any, telling: TextContext) -> str | None:
        """Put a figure into words; leave out what is as usual."""
        words = telling.words
        if key in HIDDEN:
            return ""
        match key, value:
            case "boss", {"on_duty": bool(on_duty), "about_after": int(after)}:
                return words.say_in("moment", "on duty" if on_duty else "in the pile", count=after)
            case "level", "standard":
                return ""
            case "out", bool(out):
                return words.say_in("moment", "out") if out else ""
            case "hand", 0:
                return ""
            case _:
                return None

    def moment(self, position: Json, telling: TextContext) -> str:
        """Return the action in one sentence, or what is asked."""
        words, phase = telling.words, position["phase"]
        if phase == "finished":
            return _ending(position, telling)
        if phase == "place":
            return _action(position["action"], telling)
        if phase == "turn" and position["action"] is not None:
            return words.say_in("moment", "impossible", how=_title(position["action"], telling))
        if phase == "colour":
            colours = words.listed(
                (words.say_in("colour", colour) for colour in position["action"]["colours"]), how="or"
            )
            return words.say_in("moment", "colour", colours=colours)
        asked = words.say_in("moment", phase)
        return f"{_set_up(position, words)} {asked}" if phase == "turn" and _is_new(position) else asked


def _is_new(position: Json) -> bool:
    """Return whether nothing was turned yet."""
    return (
        position["turn"] == 1 and position["back"] is None and not (position["discard"] or position["boss"]["on_duty"])
    )


def _set_up(position: Json, words: Language) -> str:
    """Return what hands that set the table need to hear: where the boss goes, and what everybody takes."""
    parts = [words.say_in("moment", "lay out", count=position["boss"]["about_after"])]
    taken = {player["level"]: player["certificates"] for player in position["players"].values()}
    if len(set(taken.values())) > 1:
        parts.append(words.say_in("moment", "certificates by level", **taken))
    else:
        parts.append(words.say_in("moment", "certificates", count=max(taken.values())))
    hand = max(player["hand"] for player in position["players"].values())
    if hand:
        parts.append(words.say_in("moment", "hands", count=hand))
    return " ".join(parts)


def _action(action: Json, telling: TextContext) -> str:
    """Return what is placed and how; where the card says nothing of it, what it takes from the reserve."""
    words, text = telling.words, _text(action, telling)
    usable = action["colours"] or colours_on_back(action["back"])
    colours = words.listed((words.say_in("girder colour", colour) for colour in usable), how="or")
    what = words.say_in("moment", f"place a {action['piece']}", colours=colours)
    details = _where(action, words) if text else action_details(action, words)
    return " ".join(part for part in (what, text, *details) if part)


def action_details(action: Json, words: Language) -> tuple[str, ...]:
    """Return what an action takes from the reserve besides its girder or worker, and where it has to stand."""
    taken = {piece: count for piece, count in action["pieces"].items() if piece not in ("girders", "workers")}
    more = action["pieces"].get("workers", 0) - (1 if action["piece"] == "worker" else 0)
    taken |= {"workers": more} if more else {}
    said = (words.say_in("moment", "from the reserve", pieces=pieces(taken, words)),) if taken else ()
    return (*said, *_where(action, words))


def _where(action: Json, words: Language) -> tuple[str, ...]:
    return (words.say_in("moment", "on the highest"),) if action["on_highest"] else ()


def _instruction(action: Json, telling: TextContext) -> Json:
    instruction: Json = telling.catalog.get("instructions", {}).get(action["how"], {})
    return instruction


def _title(action: Json, telling: TextContext) -> str:
    return instruction_text(_instruction(action, telling), "name", telling.words)


def _text(action: Json, telling: TextContext) -> str:
    return instruction_text(_instruction(action, telling), "text", telling.words)


def instruction_text(instruction: Json, key: str, words: Language) -> str:
    """Return the ``name`` or ``text`` of an instruction in the reader's language."""
    return str(instruction.get(f"{key}s", {}).get(words.language) or instruction.get(key, ""))


def _ending(position: Json, telling: TextContext) -> str:
    by, winner = position["ended_by"], position["winner"]
    return telling.words.say_in("moment", f"ended by {by}", player=telling.person(winner) if winner else "")
