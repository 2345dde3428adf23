"""Sentences of Men at Work: events, figures of a position, and what is to be done now."""

from collections.abc import Iterator
from typing import Any

from companion.engine.journal import Json
from companion.game_api.ui import Language, TextContext
from companion.games.men_at_work.rules.catalog import COLOURS, GIRDERS, MATERIALS, colours_on_back
from companion.games.men_at_work.rules.setup import first_site

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
            case {"event": "ForemanCardPlayed", "on": "discard"} | {"event": "CardCorrected", "to": "discard"}:
                return ".discard"
            case {"event": "TurnPassed" | "TurnCorrected", "clean": True}:
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


def wanted(back: str, words: Language) -> str:
    """Return what a back asks for, as the object of a sentence: *a girder, orange or purple*."""
    kind = "a girder" if back.startswith("G") else "a worker"
    return words.say_in("need", kind, colours=_listed_colours(colours_on_back(back), words))


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
            how, reasons = _title(position["action"], telling), " ".join(_lacking(position, telling))
            return words.say_in("moment", "impossible because" if reasons else "impossible", how=how, reasons=reasons)
        if phase == "supply":
            return " ".join(
                (
                    words.say_in("moment", "too short"),
                    *_shortages(position, position["action"], words),
                    words.say_in("moment", "supply"),
                )
            )
        if phase == "colour":
            colours = words.listed(
                (words.say_in("colour", colour) for colour in position["action"]["colours"]), how="or"
            )
            return words.say_in("moment", "colour", colours=colours)
        asked = words.say_in("moment", phase)
        return f"{_set_up(position, words)} {asked}" if phase == "turn" and _is_new(position) else asked


def _is_new(position: Json) -> bool:
    """Return whether nothing was turned yet."""
    begins = position["turn"] == 1 and position["back"] is None and not position["clean"]
    played = position["discard"] or position["boss"]["on_duty"] or position["certificates_lost"]
    awarded = any(player["awards"] for player in position["players"].values())
    first = first_site(position["variants"])
    grown = any(count > first[piece] for piece, count in (position["site"] or {}).items())
    return begins and not (played or awarded or grown)


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
    usable = tuple(action["colours"]) or colours_on_back(action["back"])
    what = words.say_in("moment", f"place a {action['piece']}", colours=_listed_colours(usable, words))
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
    """Return how the game ended, with the count of what was short, and what everybody has then."""
    by, winner, words = position["ended_by"], position["winner"], telling.words
    ended = words.say_in("moment", f"ended by {by}", player=telling.person(winner) if winner else "")
    reasons = _exhausted(position, telling) if by == "exhausted" else ()
    return " ".join((ended, *reasons, *_totals(position, telling)))


def _totals(position: Json, telling: TextContext) -> Iterator[str]:
    """Return what everybody has in the end, the first one first."""
    words = telling.words
    ranked = [
        f"{telling.person(place['player'])} {place['certificates']} + {place['awards']}"
        for place in position["standings"] or ()
    ]
    if ranked:
        yield words.say_in("moment", "totals", players=words.listed(ranked))


# Why an action is impossible or ends the game, with the count (rulings MW-D08 to D10): nothing where none is counted.

_ANYWHERE = ("girder", "worker", "support")
"""Needs that are met or not whatever the colour."""
_STANDS_ON = "glove"
"""What a helmet needs besides: a girder of one of its colours."""


def _lacking(position: Json, telling: TextContext) -> Iterator[str]:
    """Return what an impossible action needs and how many of it the site has; which colour the reserve lacks."""
    site, action, words = position["site"], position["action"], telling.words
    if site is None:
        return
    needs = [*_instruction(action, telling).get("needs", ()), *((_STANDS_ON,) if action["piece"] == "worker" else ())]
    unmet: dict[str, list[tuple[str, int]]] = {}
    for colour in colours_on_back(action["back"]):
        standing = [(need, _standing(need, colour, site)) for need in needs]
        unmet[colour] = [(need, count) for need, count in standing if count < _least(need)]
    lacking = {colour: counts for colour, counts in unmet.items() if counts}
    if lacking:
        first = [need for need, _ in next(iter(lacking.values()))]
        need = next((each for each in first if each in _ANYWHERE), first[0])
        most = max(count for counts in lacking.values() for each, count in counts if each == need)
        yield words.say_in("moment", "site has", needed=_need(need, tuple(lacking), words), count=most)
    suiting = tuple(colour for colour in unmet if not unmet[colour])
    if suiting:
        yield words.say_in("moment", "sold out", colours=_listed_colours(suiting, words))


def _standing(need: str, colour: str, site: Json) -> int:
    """Return how many of what is needed for a colour stand on the site; of other colours, how many there are."""
    match need:
        case "girder":
            return sum(site[each] for each in COLOURS)
        case "worker" | "support":
            return int(site[f"{need}s"])
        case "other_colour" | "two_other_colours":
            return sum(site[other] > 0 for other in COLOURS if other != colour)
        case _:
            return int(site[colour])


def _least(need: str) -> int:
    return 2 if need == "two_other_colours" else 1


def _need(need: str, colours: tuple[str, ...], words: Language) -> str:
    if need in ("worker", "support"):
        return words.say_in("one piece", f"{need}s")
    return words.say_in("need", need, colours=_listed_colours(colours, words))


def _shortages(position: Json, action: Json, words: Language) -> Iterator[str]:
    """Return each piece that an action takes and the reserve lacks, with what is left of it."""
    reserve, taken = position["reserve"], action["pieces"]
    if reserve is None:
        return
    colours = colours_on_back(action["back"])
    if taken.get(GIRDERS) and not any(reserve[colour] for colour in colours):
        yield words.say_in("moment", "reserve has", needed=wanted(action["back"], words), count=0)
    for piece in MATERIALS:
        if reserve[piece] < taken.get(piece, 0):
            needed = pieces({piece: taken[piece]}, words)
            yield words.say_in("moment", "reserve has", needed=needed, count=reserve[piece])


def _exhausted(position: Json, telling: TextContext) -> tuple[str, ...]:
    """Return what was short when construction stopped: for the last action, or as the table ends its game by."""
    words, reserve = telling.words, position["reserve"]
    if reserve is None:
        return ()
    girders = sum(reserve[colour] for colour in COLOURS)
    left: list[tuple[str, int]] = [(GIRDERS, girders), *((piece, reserve[piece]) for piece in MATERIALS)]
    none_left = [piece for piece, count in left if not count]
    ends_by = {
        "one_kind": bool(none_left),
        "workers_or_all": "workers" in none_left or len(none_left) == len(left) - 1,
    }
    if ends_by.get(position["rules"]["exhausted"], False):
        kinds = words.listed(words.say_in("value", piece) for piece in none_left)
        return (words.say_in("moment", "used up", pieces=kinds),)
    action = _last_action(position, telling)
    return () if action is None else tuple(_shortages(position, action, words))


def _last_action(position: Json, telling: TextContext) -> Json | None:
    """Return what the cards ask for that lie there; ``None`` where one of them was not seen."""
    back, cards = position["back"], telling.catalog.get("cards", {})
    if back is None or not position["discard"] or position["discard"][-1] not in cards:
        return None
    piece = "girder" if back.startswith("G") else "worker"
    how = cards[position["discard"][-1]][piece]
    taken: dict[str, int] = dict(telling.catalog["instructions"][how]["uses"])
    own = GIRDERS if piece == "girder" else "workers"
    taken[own] = taken.get(own, 0) + 1
    return {"back": back, "pieces": taken}


def _listed_colours(colours: tuple[str, ...], words: Language) -> str:
    return words.listed((words.say_in("girder colour", colour) for colour in colours), how="or")
