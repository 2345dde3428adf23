"""The story of an evening: its turning points, the result in numbers, and how wide its lettering runs."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Protocol

from companion.engine.journal import Json
from companion.games.master_builder.ui.scene import Scene
from companion.service.table.listing import amendable, as_it_stands

# --- lettering
# The width of lettering in a picture that leaves the app, before any browser has drawn it.

NARROW, MIDDLE, WIDE = 0.36, 0.6, 0.92
"""Widths in ems, on the safe side of the faces that tokens.css asks for."""
VOICE = 1.17
"""How much wider the bold face of names and titles runs."""
SQUEEZED = 1.14
"""A line that is too long by less than this is written smaller before it is broken."""
SLIM = frozenset("iIjlt.,:;'\u2019|!()[]-\u2010 \u00a0\u202f")
BROAD = frozenset("mMwWÆŒæœ%@—")
LEAST = 0.5
"""No line is drawn smaller than this part of its size; what is still too long ends in dots."""


def width(text: str, size: float) -> float:
    """Return how wide a text is at most, in the units of ``size``."""
    return size * sum(_width(letter) for letter in text)


def _width(letter: str) -> float:
    if letter in SLIM:
        return NARROW
    if letter in BROAD or ord(letter) >= 0x2E80:  # noqa: PLR2004 - from there on letters are as wide as high
        return WIDE if letter in BROAD else 1.0
    return MIDDLE + 0.1 if letter.isupper() else MIDDLE


def fitted(text: str, size: float, room: float) -> tuple[str, float]:
    """Return a text and the size at which it has room on one line."""
    wide = width(text, size)
    if wide <= room:
        return text, size
    small = max(size * LEAST, size * room / wide)
    while width(text, small) > room and len(text) > 1:
        text = text[:-2].rstrip() + "…"
    return text, round(small, 1)


def lines(text: str, size: float, room: float) -> tuple[tuple[str, ...], float]:
    """Break a sentence, or a name, onto one line or two, and give the size at which both have room."""
    if width(text, size) <= room * SQUEEZED:
        return (text,), round(min(size, size * room / width(text, size)), 1)
    parts = re.findall(r"[^ -]+[ -]?", text)
    cuts = [("".join(parts[:cut]).strip(), "".join(parts[cut:])) for cut in range(1, len(parts))]
    if not cuts:
        whole, small = fitted(text, size, room)
        return (whole,), small
    best = min(cuts, key=lambda cut: max(width(part, size) for part in cut))
    small = min(fitted(part, size, room)[1] for part in best)
    return tuple(fitted(part, small, room)[0] for part in best), small


# --- story
# The story of an evening: its turning points out of the journal, and what the result was, in numbers.

# What events took from whom, for the story: the one that hit somebody hardest.

A_WORKER_LOST = 5_000
A_WORKER_AWAY = 3_000
"""Dollars at which a lost or an absent worker is weighed against money and sections; for choosing alone."""


@dataclass(slots=True)
class Blow:
    """The losses of a player by an event: ``paid`` dollars, sections, workers lost, workers away for the round."""

    round: int
    card: str
    player: str
    paid: int = 0
    sections: int = 0
    lost: int = 0
    away: int = 0

    def weight(self, a_section: int) -> int:
        """Return how hard it was, in dollars; ``a_section``: what a missing section costs."""
        return self.paid + self.sections * a_section + self.lost * A_WORKER_LOST + self.away * A_WORKER_AWAY


def worst_event(scene: Scene, events: Sequence[tuple[int, Json]]) -> tuple[int, str, str] | None:
    """Describe of the event that hit somebody hardest: its round, whom, and what it took."""
    blows: dict[tuple[int, str, str], Blow] = {}
    card: str | None = None
    for number, event in events:
        card = _card_of(event, card)
        player = event.get("player")
        if card is not None and player is not None:
            _struck(blows.setdefault((number, card, player), Blow(number, card, player)), event)
    worst = max(blows.values(), key=lambda blow: blow.weight(scene.off_for_missing), default=None)
    if worst is None or not worst.weight(scene.off_for_missing):
        return None
    return worst.round, worst.player, _said(scene, worst)


def _card_of(event: Json, card: str | None) -> str | None:
    """Follow which event's effects are told: from its card until plans are laid."""
    if event["event"] == "EventTurned":
        return str(event["card"])
    return None if event["event"] in ("BuildPhaseBegan", "RoundBegan") else card


def _struck(blow: Blow, event: Json) -> None:
    match event["event"]:
        case "EventPaid":
            blow.paid += event["amount"]
        case "SectionsRazed":
            blow.sections += sum(len(site["sections"]) for site in event["sites"])
        case "WorkersDismissed":
            blow.lost += len(event["workers"])
        case "WorkersMadeUnavailable":
            blow.away += len(event["workers"])
        case _:
            pass


def _said(scene: Scene, blow: Blow) -> str:
    words = scene.words
    values = {"title": words.card(blow.card, scene.catalog), "player": scene.names[blow.player]}
    if blow.sections:
        return words.several(
            "{title}: {player} loses {count} section.",
            "{title}: {player} loses {count} sections.",
            blow.sections,
            **values,
        )
    if blow.paid:
        return words.say("{title}: {player} pays {amount}.", amount=words.money(blow.paid), **values)
    if blow.lost:
        return words.several(
            "{title}: {player} loses {count} worker.", "{title}: {player} loses {count} workers.", blow.lost, **values
        )
    return words.several(
        "{title}: {player} works without {count} worker.",
        "{title}: {player} works without {count} workers.",
        blow.away,
        **values,
    )


LONGEST_PAUSE = 30 * 60
"""Seconds between two acts; longer ones are breaks, and no play."""


class RoundWorth(Protocol):
    """The worth of each player at the end of a round, in dollars."""

    @property
    def round(self) -> int:
        """The round; 0 is the start."""
        ...

    @property
    def worth(self) -> Mapping[str, int]:
        """Dollars by player."""
        ...


class Chart(Protocol):
    """A drawn chart, which holds what it was drawn of."""

    @property
    def table(self) -> Sequence[RoundWorth]:
        """Return what everybody was worth, round by round."""
        ...


MOST_AT_END = 3
"""Turning points that the big screen shows one after the other at the end."""


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A turning point: its round, whose it was, and what is said of it."""

    round: int
    player: str
    said: str


def turning_points(scene: Scene, rounds: Sequence[RoundWorth]) -> tuple[TurningPoint, ...]:
    """Return the dearest bid, the worst event, the boldest loan and how the lead changed, as far as there were any."""
    events = list(standing_events(scene))
    highlights = [_dearest(scene, events), worst_event(scene, events), _boldest(scene, events)]
    turns = [TurningPoint(*turn) for turn in [*highlights, *_leads(scene, events, rounds)] if turn is not None]
    return tuple(sorted(turns, key=lambda turn: turn.round))


def turning_points_at_end(scene: Scene, worth: Callable[[], Chart | None]) -> tuple[TurningPoint, ...] | None:
    """Return the last few turning points at the moment of the end; ``None`` where it did not just end.

    The big screen shows each for six seconds; the report and the tablet list all of them.
    """
    latest = scene.entries[-1] if scene.entries else None
    if scene.phase != "finished" or latest is None or not amendable(latest):
        return None
    if not any(event["event"] == "GameEnded" for event in as_it_stands(latest)["events"]):
        return None
    return chosen(finished_turning_points(scene, worth), MOST_AT_END)


def finished_turning_points(scene: Scene, worth: Callable[[], Chart | None]) -> tuple[TurningPoint, ...]:
    """Return the turning points of a game that is over; ``worth`` gives what everybody was worth, drawn as a chart."""
    drawn = worth()
    return turning_points(scene, () if drawn is None else drawn.table)


def chosen(turns: Sequence[TurningPoint], most: int) -> tuple[TurningPoint, ...]:
    """Leave out the earliest where there is no room for all: what came last decided more."""
    return tuple(turns[-most:])


def standing_events(scene: Scene) -> Iterator[tuple[int, Json]]:
    """Return every event that stands, oldest first, with the round in which it happened."""
    number = 1
    for entry in scene.entries:
        if amendable(entry):
            for event in as_it_stands(entry)["events"]:
                number = event["round"] if event["event"] in ("RoundBegan", "GameTakenOver") else number
                yield number, event


def margin(scene: Scene) -> int | None:
    """Return by how many dollars the winner is ahead; ``None``: the first place is shared, or nobody else played."""
    lines = scene.position["standings"]
    return lines[0]["worth"] - lines[1]["worth"] if len(lines) > 1 and lines[1]["rank"] > 1 else None


def facts(scene: Scene) -> tuple[str, ...]:
    """Return margin, rounds, buildings and duration, a few words each."""
    words, ahead = scene.words, margin(scene)
    buildings = sum(len(seen["completed"]) for seen in scene.players.values())
    minutes = minutes_played(scene)
    sayings = (
        words.say("by {amount}", amount=words.money(ahead)) if ahead else "",
        words.several("{count} round", "{count} rounds", scene.position["round"]),
        words.several("{count} building", "{count} buildings", buildings),
        words.duration(minutes) if minutes else "",
    )
    return tuple(fact for fact in sayings if fact)


def minutes_played(scene: Scene) -> int:
    """Return how long the table was at it; breaks between two acts, and clocks that were set back, do not count."""
    moments = [datetime.fromisoformat(str(entry["at"])) for entry in scene.entries]
    gaps = [(after - before).total_seconds() for before, after in pairwise(moments)]
    return round(sum(gap for gap in gaps if 0 < gap <= LONGEST_PAUSE) / 60)


def _dearest(scene: Scene, events: Sequence[tuple[int, Json]]) -> tuple[int, str, str] | None:
    sales = [(number, event) for number, event in events if event["event"] == "ContractSold"]
    if len(sales) < 2:  # noqa: PLR2004 - one alone is neither dear nor cheap
        return None
    number, sale = max(sales, key=lambda sold: sold[1]["paid"])
    words = scene.words
    said = words.say(
        "{player} pays {amount} for {title}: the dearest contract of the evening.",
        player=scene.names[sale["player"]],
        amount=words.money(sale["paid"]),
        title=words.card(sale["contract"], scene.catalog),
    )
    return number, sale["player"], said


def _boldest(scene: Scene, events: Sequence[tuple[int, Json]]) -> tuple[int, str, str] | None:
    """Describe of the most that somebody borrowed in one round, and what was paid to him later."""
    borrowed: dict[tuple[int, str], int] = {}
    for number, event in events:
        if event["event"] == "LoanTaken":
            key = number, event["player"]
            borrowed[key] = borrowed.get(key, 0) + event["amount"]
    if not borrowed:
        return None
    (number, player), amount = max(borrowed.items(), key=lambda debt: debt[1])
    values = {"player": scene.names[player], "amount": scene.words.money(amount)}
    later = next((event for at, event in events if at > number and _pays(event, player)), None)
    if later is None:
        return number, player, scene.words.say("{player} borrows {amount}: the boldest loan of the evening.", **values)
    values |= {"title": scene.words.card(later["contract"], scene.catalog), "price": scene.words.money(later["price"])}
    return number, player, scene.words.say("{player} borrows {amount}; later {title} pays {price}.", **values)


def _leads(
    scene: Scene, events: Sequence[tuple[int, Json]], rounds: Sequence[RoundWorth]
) -> Iterator[tuple[int, str, str]]:
    """Describe of the last change of lead, and of the one before that had the greatest margin."""
    changes: list[tuple[int, int, str]] = []
    before: str | None = None
    for round_worth in rounds:
        first, *rest = sorted(round_worth.worth.items(), key=lambda entry: -entry[1])
        ahead = first[1] - max((worth for _, worth in rest), default=first[1])
        if ahead and before not in (None, first[0]):
            changes.append((ahead, round_worth.round, first[0]))
        before = first[0] if ahead else before
    chosen = [changes[-1], *([max(changes[:-1])] if len(changes) > 1 else [])] if changes else []
    for ahead, number, player in chosen:
        paid = next((event for at, event in events if at == number and _pays(event, player)), None)
        values = {"player": scene.names[player], "amount": scene.words.money(ahead)}
        if paid is None:
            yield number, player, scene.words.say("{player} takes the lead, by {amount}.", **values)
        else:
            title = scene.words.card(paid["contract"], scene.catalog)
            yield (
                number,
                player,
                scene.words.say("{title} is paid, and {player} leads by {amount}.", title=title, **values),
            )


def _pays(event: Json, player: str) -> bool:
    return bool(event["event"] == "PricePaid" and event["player"] == player)
