"""The story of an evening of Men at Work: boss, worst accident, longest run, who went out, last award."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from companion.engine.journal import Json
from companion.game_api.stage import Ending, RoundWorth, TurningPoint
from companion.game_api.ui import Language, TableView

LEAST_RUN = 4
"""Turns without an accident that are worth telling."""
LEAST_FALL = 2
"""Pieces that an accident worth telling brings down."""


@dataclass(slots=True)
class CountedAccident:
    """An accident: in which turn, whose, and how many pieces fell."""

    turn: int
    player: str
    fell: int = 0


@dataclass(slots=True)
class EveningSummary:
    """Summary of an evening: accidents, runs of turns without one, and single moments by turn.

    ``has_built``: the player on turn has placed something, and had no accident.  ``is_falling``: an accident is not
    cleaned up yet.  ``is_whole``: the game was followed from its first turn on.
    """

    accidents: list[CountedAccident] = field(default_factory=list[CountedAccident])
    runs: dict[str, int] = field(default_factory=dict[str, int])
    longest: tuple[int, int, str] | None = None
    moments: list[tuple[int, str | None, Json]] = field(default_factory=list[tuple[int, str | None, Json]])
    turn: int = 1
    active: str = ""
    has_built: bool = False
    is_falling: bool = False
    is_whole: bool = True

    def count_turn(self, event: Json) -> None:
        """Count whose turn it is, and a turn that ends with something built."""
        match event["event"]:
            case "GameStarted":
                self.active = event["first"]
            case "GameTakenOver":
                self.turn, self.active, self.is_whole = event["turn"], event["active"], False
            case "PiecesPlaced" | "ActionDone":
                self.has_built = not self.is_falling
            case "TurnPassed" | "TurnCorrected" | "GameEnded":
                if self.has_built and event["event"] != "TurnCorrected":
                    self.runs[self.active] = self.runs.get(self.active, 0) + 1
                self.has_built = False
                self.turn, self.active = event.get("turn", self.turn), event.get("player") or self.active
            case _:
                pass

    def count_accident(self, event: Json) -> None:
        """Count an accident, and what falls until it is cleaned up."""
        match event["event"]:
            case "AccidentHappened":
                self.has_built, self.is_falling = False, True
                self.accidents.append(CountedAccident(self.turn, event["player"]))
                self.stop_run(event["player"])
            case "PiecesFell" if self.is_falling:
                self.accidents[-1].fell += sum(event["pieces"].values())
            case "SiteCleaned":
                self.is_falling = False
            case "TurnCorrected":
                self.is_falling = self.is_falling and event["clean"]
            case _:
                pass

    def collect_moment(self, event: Json) -> None:
        """Collect a moment worth telling; drop those that a correction takes back."""
        match event:
            case {"event": "BossTurned" | "PlayerEliminated" | "AwardWon"}:
                self.moments.append((self.turn, event.get("player") or self.active or None, event))
            case {"event": "BossCorrected", "on_duty": False}:
                self.moments = [moment for moment in self.moments if moment[2]["event"] != "BossTurned"]
            case {"event": "PlayerCorrected"}:
                self.moments = [moment for moment in self.moments if not _is_taken_back(moment[2], event)]
            case _:
                pass

    def stop_run(self, player: str) -> None:
        """Compare a player's run with the longest one, and let the next one begin."""
        length = self.runs.pop(player, 0)
        if length >= LEAST_RUN and (self.longest is None or length > self.longest[0]):
            self.longest = (length, self.turn, player)


class MenAtWorkStory:
    """Shows how an evening of Men at Work went."""

    def ending(self, scene: TableView, events: Sequence[Json], worths: Sequence[RoundWorth]) -> Ending:
        """Return turning points, and in numbers how the game ended."""
        del worths
        words, position = scene.words, scene.position
        summary = _summary(events)
        points = sorted(_points(scene, summary), key=lambda point: point[0])
        turns = words.several("{count} turn", "{count} turns", position["turn"])
        accidents = words.several("{count} accident", "{count} accidents", len(summary.accidents))
        return Ending(
            facts=(turns, accidents) if summary.is_whole else (turns,),
            turns=tuple(
                TurningPoint(words.say_in("story", "turn", turn=turn), says, player) for turn, player, says in points
            ),
            results={
                place.player: words.say_in("story", "total", count=place.figures[0][1])
                for place in scene.overview.standings
            },
            explained=_ranking(position, words),
        )


def _ranking(position: Json, words: Language) -> str:
    """Return what decides the ranks, and where the eliminated are among those who still play."""
    winner = position["winner"]
    others = {own["out"] for player, own in position["players"].items() if player != winner}
    is_mixed = position["rules"]["eliminated"] == "last" and len(others) > 1
    decides = words.say_in("story", "ranking with a winner" if winner else "ranking")
    return f"{decides} {words.say_in('story', 'ranking of the eliminated')}" if is_mixed else decides


def _summary(events: Sequence[Json]) -> EveningSummary:
    summary = EveningSummary()
    for event in events:
        summary.count_turn(event)
        summary.count_accident(event)
        summary.collect_moment(event)
    for player in list(summary.runs):
        summary.stop_run(player)
    return summary


def _is_taken_back(moment: Json, correction: Json) -> bool:
    """Return whether the correction of a player says that an award or an elimination was none."""
    if moment.get("player") != correction["player"]:
        return False
    if moment["event"] == "AwardWon":
        return bool(moment["awards"] > correction["awards"])
    return not correction["out"]


def _points(scene: TableView, summary: EveningSummary) -> Iterator[tuple[int, str | None, str]]:
    """Return the turning points: turn, whose, and what is said."""
    words, names = scene.words, scene.names
    first_boss = next((moment for moment in summary.moments if moment[2]["event"] == "BossTurned"), None)
    last_award = next((moment for moment in reversed(summary.moments) if moment[2]["event"] == "AwardWon"), None)
    for turn, player, event in summary.moments:
        if (turn, player, event) == first_boss:
            yield turn, player, words.say_in("story", "boss", player=names.get(player or "", ""))
        elif event["event"] == "PlayerEliminated":
            yield turn, player, words.say_in("story", "out", player=names.get(player or "", ""))
        elif (turn, player, event) == last_award:
            yield turn, player, f"{words.event(event, names, scene.catalog)}."
    worst = max(summary.accidents, key=lambda accident: accident.fell, default=None)
    if worst is not None and worst.fell >= LEAST_FALL:
        figures = {"player": names[worst.player], "count": worst.fell}
        yield worst.turn, worst.player, words.say_in("story", "worst accident", **figures)
    if summary.longest is not None:
        length, turn, player = summary.longest
        yield turn, player, words.say_in("story", "longest run", player=names[player], count=length)
