"""The last account on a large screen: houses built of money, uncovered from the last place on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from companion.game_api.ui import ScreenSeat
from companion.games.master_builder.ui.scene import Scene

HIGHEST = 330
"""So high the highest house stands, in pixels of a screen of 1080 lines; its roof and figure come on top."""
LAST_PLACE = 4
UNDER_CLOTHS = 2
"""Maximum number that are uncovered together at the end."""


@dataclass(frozen=True, slots=True)
class MoneyHouse:
    """A player's money as a house: heights in pixels of a screen of 1080 lines.

    ``stone`` is cash, ``timber`` what unfinished buildings pay, ``dashed`` the loans that go back to the bank.
    ``fresh``: this step uncovers it.
    """

    player: str
    covered: bool
    fresh: bool
    wins: bool
    worth: int
    cash: int
    unfinished: int
    loans: int
    stone: int = 0
    timber: int = 0
    dashed: int = 0


@dataclass(frozen=True, slots=True)
class AccountStep:
    """A step of the last account: everybody's house and seat, who is still covered, and how many places are settled."""

    houses: tuple[MoneyHouse, ...]
    seats: tuple[ScreenSeat, ...]
    covered: tuple[str, ...]
    settled: int


def result(scene: Scene) -> AccountStep:
    """Return the last account with everybody uncovered."""
    standings = scene.position["standings"]
    return _step(scene, standings, covered=0, fresh=UNDER_CLOTHS)


def steps(scene: Scene) -> tuple[AccountStep, ...]:
    """Return the steps up to the result: last place first, until the first two are left under their cloths."""
    standings = scene.position["standings"]
    first = max(UNDER_CLOTHS, len(standings) - 1)
    covered_counts = range(first, UNDER_CLOTHS - 1, -1)
    return (*(_step(scene, standings, covered=covered, fresh=1) for covered in covered_counts), result(scene))


PLAN_SECONDS = 3
STEP_SECONDS = 6
"""How long the big screen shows an opened plan, and a step of the end."""


def display_seconds_left(scene: Scene, opened_plans: int, turns: int, *, chart: bool, now: datetime) -> int:
    """Return for how many more seconds the big screen tells how the game ended; 0 once it has."""
    ended = datetime.fromisoformat(str(scene.entries[-1]["at"]))
    age = (now - (ended if ended.tzinfo else ended.replace(tzinfo=UTC))).total_seconds()
    whole = opened_plans * PLAN_SECONDS + (len(steps(scene)) + turns + chart) * STEP_SECONDS
    return min(whole, max(0, whole - int(age)))


def _step(scene: Scene, standings: Sequence[Mapping[str, Any]], *, covered: int, fresh: int) -> AccountStep:
    hidden = tuple(line["player"] for line in standings[:covered])
    new = {line["player"] for line in standings[covered : covered + fresh]}
    highest = max([1, *(max(line["worth"], 0) + line["loans"] for line in standings)])
    houses = {line["player"]: _house(line, hidden, new, highest) for line in standings}
    ranks = {line["player"]: int(line["rank"]) for line in standings}
    return AccountStep(
        tuple(houses[player] for player in scene.players_by_seat),
        tuple(_seat(scene, player, ranks[player], hidden) for player in scene.players_by_seat),
        tuple(player for player in scene.players_by_seat if player in hidden),
        len(standings) - covered,
    )


def _house(line: Mapping[str, Any], hidden: Sequence[str], new: set[str], highest: int) -> MoneyHouse:
    player, worth, cash, unfinished, loans = (line[name] for name in ("player", "worth", "cash", "unfinished", "loans"))
    stone = max(0, min(cash, worth))
    timber = max(0, worth - stone)
    per_dollar = HIGHEST / highest
    heights = (round(part * per_dollar) for part in (stone, timber, loans))
    wins = line["rank"] == 1
    return MoneyHouse(player, player in hidden, player in new, wins, worth, cash, unfinished, loans, *heights)


def _seat(scene: Scene, player: str, rank: int, hidden: Sequence[str]) -> ScreenSeat:
    words = scene.words
    roofs = len(scene.players[player]["completed"])
    status = words.several("{count} roof", "{count} roofs", roofs)
    if player not in hidden:
        place = words.say_in("place", str(min(rank, LAST_PLACE)))
        return ScreenSeat(player, place, "now" if rank == 1 and not hidden else "", status)
    places = [words.say_in("place", str(place)) for place in range(1, len(hidden) + 1)]
    open_place = words.listed(places, how="or") if len(hidden) <= UNDER_CLOTHS else "?"
    return ScreenSeat(player, open_place, "now", status)
