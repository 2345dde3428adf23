"""The story of an evening of Master Builder: its turning points out of the journal, and the result in numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.engine.journal import Json
from companion.game_api.stage import Ending, RoundWorth, TurningPoint
from companion.games.master_builder.ui.scene import Scene
from companion.service.table.history import amendable, effective_json

# What events took from whom, for the story: the one that hit somebody hardest.

A_WORKER_LOST = 5_000
A_WORKER_AWAY = 3_000
"""Dollars at which a lost or an absent worker is weighed against money and sections; for choosing alone."""


NAMES_ROUND = frozenset({"RoundBegan", "GameTakenOver", "TurnCorrected"})
"""Events that say in which round those after them happen."""


@dataclass(slots=True)
class Blow:
    """The losses of a player by an event: sections, workers lost, workers away for the round.

    ``paid``: dollars, less those that the same event brought.
    """

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
    """Describe the event that hit a player hardest: round, player and sentence; ``None`` where none did."""
    blows: dict[tuple[int, str, str], Blow] = {}
    card: str | None = None
    for number, event in events:
        card = _card_of(event, card)
        player = event.get("player")
        if card is not None and player is not None:
            _struck(blows.setdefault((number, card, player), Blow(number, card, player)), event)
    worst = max(blows.values(), key=lambda blow: blow.weight(scene.off_for_missing), default=None)
    if worst is None or worst.weight(scene.off_for_missing) <= 0:
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
        case "EventReceived":
            blow.paid -= event["amount"]
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
    if blow.paid > 0:
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


MOST_AT_END = 3
"""Turning points that the big screen shows one after the other at the end."""


class MasterBuilderStory:
    """Shows how an evening of Master Builder went."""

    def ending(self, scene: Scene, events: Sequence[Json], worths: Sequence[RoundWorth]) -> Ending:
        """Return the dearest bid, the worst event, the boldest loan and how the lead changed, as far as there were any.

        The big screen shows the last few for six seconds each; the report and the tablet list all of them.
        """
        numbered = list(_numbered(events))
        highlights = [_dearest(scene, numbered), worst_event(scene, numbered), _boldest(scene, numbered)]
        found_points = [point for point in [*highlights, *_leads(scene, numbered, worths)] if point is not None]
        words = scene.words
        rate = (
            words.say("Loans at the late rate.")
            if scene.position["loans_late"]
            else words.say("Loans at the early rate.")
        )
        off = words.money(scene.off_for_missing)
        unfinished = words.say("Unfinished: the price less {amount} for each missing section.", amount=off)
        return Ending(
            facts=facts(scene),
            turns=tuple(
                TurningPoint(words.say("Round {round}", round=number), said, player)
                for number, player, said in sorted(found_points, key=lambda point: point[0])
            ),
            results={line["player"]: words.money(line["worth"]) for line in scene.position["standings"]},
            explained=f"{unfinished} {rate}",
        )


def just_ended(scene: Scene) -> bool:
    """Return whether the latest entry ended the game."""
    latest = scene.entries[-1] if scene.entries else None
    if scene.phase != "finished" or latest is None or not amendable(latest):
        return False
    return any(event["event"] == "GameEnded" for event in effective_json(latest)["events"])


def _numbered(events: Sequence[Json]) -> Iterator[tuple[int, Json]]:
    """Return every event with the round in which it happened."""
    number = 1
    for event in events:
        number = event["round"] if event["event"] in NAMES_ROUND else number
        yield number, event


def margin(scene: Scene) -> int | None:
    """Return by how many dollars the winner is ahead; ``None``: the first place is shared, or nobody else played."""
    lines = scene.position["standings"]
    return lines[0]["worth"] - lines[1]["worth"] if len(lines) > 1 and lines[1]["rank"] > 1 else None


def facts(scene: Scene) -> tuple[str, ...]:
    """Return margin, rounds and buildings, a few words each."""
    words, ahead = scene.words, margin(scene)
    buildings = sum(len(seen["completed"]) for seen in scene.players.values())
    sayings = (
        words.say("by {amount}", amount=words.money(ahead)) if ahead else "",
        words.several("{count} round", "{count} rounds", scene.position["round"]),
        words.several("{count} building", "{count} buildings", buildings),
    )
    return tuple(fact for fact in sayings if fact)


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
    """Describe the largest sum borrowed in one round, and the next payment to that player."""
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
    """Describe the last change of lead, and the earlier one with the greatest margin."""
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
