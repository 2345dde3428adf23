"""What the strong bot builds: of all plans, the one after which it ends best."""

from companion.games.master_builder.bots.answers import Work, work_of
from companion.games.master_builder.bots.ladders import Rung, plus, suffice
from companion.games.master_builder.bots.prospect import Prospect, prospect
from companion.games.master_builder.bots.teams import staffed
from companion.games.master_builder.bots.turn import Turn
from companion.games.master_builder.rules.plans import at_hand

MOST_PLANS = 12
"""So many plans, those that earn most and then those with most work in them, are thought through to the end."""


def best_work(turn: Turn) -> Work:
    """Choose the work, and put the workers on it."""
    ahead = prospect(turn)
    ways = _ways(ahead)
    ways.sort(key=lambda way: (sum(rung.earns for rung in way), sum(rung.work for rung in way)), reverse=True)
    best = max(ways[:MOST_PLANS], key=lambda way: _after(ahead, way))
    wanted = [
        (one.card, section)
        for (one, built), rung in zip(ahead.sites, best, strict=True)
        for section in sorted(rung.after - built)
    ]
    return work_of(staffed(turn.state, wanted, at_hand(turn.state, turn.me)) or ())


def _ways(ahead: Prospect) -> list[tuple[Rung, ...]]:
    """List what the workers at hand could do together."""
    ways = [(ahead.crew.now, tuple[Rung, ...]())]
    for one, built in ahead.sites:
        ways = [
            (plus(free, rung.need, -1), (*way, rung))
            for free, way in ways
            for rung in one.rungs[built]
            if suffice(free, rung.need)
        ]
    return [way for _, way in ways]


def _after(ahead: Prospect, way: tuple[Rung, ...]) -> float:
    sites = tuple((one, rung.after) for (one, _), rung in zip(ahead.sites, way, strict=True))
    return ahead.built_on(sites, sum(rung.earns for rung in way)).value()
