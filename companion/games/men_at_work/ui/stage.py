"""Men at Work on the stage: the action drawn large, the reserve in small pieces, certificates and awards as tokens."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from companion.engine.journal import Json
from companion.game_api.drawing import Drawing
from companion.game_api.stage import (
    CountRow,
    DrawnCount,
    GlossaryTerm,
    Stage,
    StageFact,
    StageSeat,
    StageStep,
    StepState,
    Token,
    Tone,
    Transfer,
)
from companion.game_api.ui import Language, TableView
from companion.games.men_at_work.drawings.scenes import (
    action_picture,
    back_picture,
    card_picture,
    event_picture,
    helmet,
    highest_picture,
    hook,
    lost_seal,
    missing_helmet,
    piece_picture,
    pile_picture,
    piles,
    seal,
)
from companion.games.men_at_work.rules.catalog import PIECES, colours_on_back
from companion.games.men_at_work.rules.setup import CERTIFICATES
from companion.games.men_at_work.ui.texts import action_details, instruction_text, pieces, wanted

STEPS = ("clean", "turn", "place", "highest")
"""The steps of a turn; the first only after an accident, the last only with the boss on duty."""
_STEP_OF = {"back": "turn", "reshuffle": "turn", "supply": "place", "colour": "place"}
_HAPPENED = frozenset({"AccidentHappened", "PlayerEliminated", "AwardWon", "BossTurned", "GameEnded"})
_SAID = (_HAPPENED | {"CardTurned"}) - {"GameEnded"}
"""The end itself is said by the sentence of the moment, and of a card only that the pile had shown another back."""
_TURN_BEGAN = frozenset({"TurnPassed", "TurnCorrected", "GameStarted", "GameTakenOver"})
_DECIDES_ACTION = frozenset({"CardTurned", "BossTurned", "ForemanCardPlayed", "FoundImpossible", "FoundExhausted"})


class MenAtWorkStage:
    """Shows positions of Men at Work on the stage."""

    def stage(self, scene: TableView) -> Stage:
        """Return what happened last while it is the newest thing, else what is to be done."""
        position, words = scene.position, scene.words
        events = tuple(event for event in _latest_events(scene) if event["event"] in _HAPPENED)
        newest = scene.entries[-1]["events"] if scene.entries else ()
        parts = self._happened(scene, events) or self._to_do(scene)
        parts["text"] = (*parts["text"], *_further_lines(scene))
        return Stage(
            **parts,
            facts=_facts(position, words),
            steps=_steps(position, words),
            counts=() if position["finished"] else _counts(position, words),
            seats={player: _seat(scene, player, events) for player in scene.players},
            losing=("accident",),
            now=_expected(position, words),
            then=_next_player(scene),
            news=_news(scene, newest),
        )

    def choices(self, scene: TableView, name: str, values: Sequence[str]) -> Mapping[str, Drawing]:
        """Draw cards and backs, the likeliest first; of colours and pieces each one.

        A foreman card comes from a hand, where no card is likelier than another: those stay in their order.
        """
        position, words = scene.position, scene.words
        match name:
            case "card" if {offer["do"] for offer in scene.offers} == {"use_foreman_card"}:
                return {card: card_picture(scene.catalog["cards"].get(card)) for card in values}
            case "card" if position["phase"] in ("turn", "back"):
                cards = scene.catalog["cards"]
                likely = [card for card in values if position["back"] in (None, cards.get(card, {}).get("back"))]
                likely += [card for card in values if card not in cards and card not in likely]
                return {card: card_picture(cards.get(card)) for card in likely}
            case "back":
                left = _backs_left(scene)
                return {back: back_picture(back, words) for back in sorted(values, key=lambda back: -left[back])}
            case "colour":
                return {
                    colour: replace(piece_picture(colour, words), says=words.say_in("girder colour", colour))
                    for colour in values
                }
            case "pieces":
                return {piece: piece_picture(piece, words) for piece in values}
            case _:
                return {}

    def deal(self, scene: TableView, command: Json) -> Sequence[Transfer]:
        """Return nothing: nobody gives anything to anybody."""
        del scene, command
        return ()

    def _to_do(self, scene: TableView) -> dict[str, Any]:
        position, words = scene.position, scene.words
        phase, action = position["phase"], position["action"]
        if phase == "finished":
            return _ending(scene)
        if phase in ("place", "colour") and action is not None:
            picture, upright = action_picture(action, words)
            instruction = scene.catalog["instructions"].get(action["how"], {})
            usable = tuple(action["colours"]) or colours_on_back(action["back"])
            colours = words.listed((words.say_in("girder colour", colour) for colour in usable), how="or")
            asked = words.described_moment(position, scene.names, scene.catalog)
            return {
                "kicker": words.say_in("moment", f"place a {action['piece']}", colours=colours).rstrip("."),
                "title": instruction_text(instruction, "name", words),
                "text": (instruction_text(instruction, "text", words), *action_details(action, words))
                if phase == "place"
                else (asked,),
                "picture": picture,
                "upright": upright,
            }
        asked = words.described_moment(position, scene.names, scene.catalog)
        is_said = phase in ("back", "highest") or asked == words.say_in("moment", "turn")
        shown: Drawing | None = None
        if phase in ("turn", "back", "reshuffle"):
            shown = pile_picture(position["back"], words)
        elif phase == "highest":
            shown = highest_picture(won=False)
        elif phase == "clean":
            shown = event_picture("AccidentHappened")
        return {
            "title": words.say_in("stage", f"title {phase}"),
            "text": () if is_said else (asked,),
            "picture": shown,
        }

    def _happened(self, scene: TableView, events: tuple[Json, ...]) -> dict[str, Any] | None:
        """Return the scene of an accident, an award or the boss, with what is asked about an accident.

        Nothing once there is a new action, to build or not.
        """
        position, words = scene.position, scene.words
        has_action = position["action"] is not None and position["phase"] in ("place", "turn", "supply")
        if not events or position["finished"] or has_action:
            return None
        first = events[0]
        said = tuple(_said(event, scene, "says") for event in events)
        tone: Tone = "alarm" if first["event"] == "AccidentHappened" else "joy"
        if position["phase"] in ("colour", "highest"):
            if tone != "alarm":
                return None
            said += (words.described_moment(position, scene.names, scene.catalog),)
        parts: dict[str, Any] = {"tone": tone, "title": words.say_in("stage", f"title {first['event']}"), "text": said}
        if "player" in first:
            certificates, awards = _tokens(scene, first["player"])
            parts["lost"] = certificates if tone == "alarm" else awards
        parts["picture"] = event_picture(first["event"])
        return parts


def _latest_events(scene: TableView) -> tuple[Json, ...]:
    """Return the events of the latest entry, and of the accident whose question it answers.

    An entry that only says which back is seen is no news of its own.
    """
    answer: tuple[Json, ...] = ()
    for entry in reversed(scene.entries):
        events = tuple(entry["events"])
        kinds = {event["event"] for event in events}
        if entry.get("undone") or kinds <= {"BackSeen"}:
            continue
        if answer:
            return (*events, *answer) if "AccidentHappened" in kinds else answer
        if "ColourSaid" not in kinds or "AccidentHappened" in kinds:
            return events
        answer = events
    return answer


def _news(scene: TableView, newest: Sequence[Json]) -> str:
    """Return what has just happened; while somebody cleans up, what was being placed too.

    The answer to the question for a colour names it: it is not said once more.
    """
    said = [_said(event, scene, "news") for event in newest if event["event"] in _SAID]
    if not any(event["event"] == "ColourSaid" for event in newest):
        said += _being_placed(scene)
    return " ".join(filter(None, said))


def _further_lines(scene: TableView) -> tuple[str, ...]:
    """Return what stands on the stage besides what is to be done: an unlikely card, and what was being placed."""
    turned = (event for event in _latest_events(scene) if event["event"] == "CardTurned")
    unlikely = [] if scene.position["finished"] else [_said(event, scene, "says") for event in turned]
    return tuple(filter(None, (*unlikely, *_being_placed(scene))))


def _being_placed(scene: TableView) -> tuple[str, ...]:
    """Return what was placed in the turn whose accident is cleaned up; nothing before a card stood there."""
    turn = _turn_of_accident(scene) if scene.position["phase"] == "clean" else ()
    accident = next((event for event in turn if event["event"] == "AccidentHappened"), None)
    if accident is None:
        return ()
    words, placed = scene.words, Counter[str]()
    for event in turn:
        placed.update(event["pieces"] if event["event"] == "PiecesPlaced" else {})
    listed = pieces(placed, words) if placed else _uncounted(scene, turn)
    if not listed:
        return ()
    return (words.say_in("stage", "was placing", player=scene.names[accident["player"]], pieces=listed),)


def _turn_of_accident(scene: TableView) -> tuple[Json, ...]:
    """Return the events since the turn began whose accident is cleaned up now, the newest first; else nothing."""
    turn: list[Json] = []
    has_accident = False
    for entry in reversed(scene.entries):
        events = (entry.get("amended") or {}).get("events") or entry["events"]
        for event in () if entry.get("undone") else reversed(events):
            name = event["event"]
            is_clean = name == "SiteCleaned" or (name == "TurnPassed" and not event["clean"])
            if is_clean and not has_accident:
                return ()
            if name in _TURN_BEGAN and has_accident:
                return tuple(turn)
            has_accident |= name == "AccidentHappened"
            turn.append(event)
    return tuple(turn) if has_accident else ()


def _uncounted(scene: TableView, turn: Sequence[Json]) -> str:
    """Return what was to be placed where nobody counts; empty where no action stood there that could be done."""
    back = scene.position["back"]
    latest = next((event["event"] for event in turn if event["event"] in _DECIDES_ACTION), "")
    if scene.position["site"] is not None or back is None or latest not in ("CardTurned", "ForemanCardPlayed"):
        return ""
    return wanted(back, scene.words)


def _said(event: Json, scene: TableView, how: Literal["says", "news"]) -> str:
    """Return what happened as it is shown (``says``) or, on its own without a headline, heard (``news``)."""
    name, words = event["event"], scene.words
    if name == "AccidentHappened":
        name = f"{name}.kept" if event["lost"] == 0 else name
    elif name == "CardTurned":
        unlike = event.get("unlike")
        return words.say_in("stage", "unlike", card=event["card"], back=words.say_in("back", unlike)) if unlike else ""
    elif name != "BossTurned":
        missing = scene.position["awards_needed"] - event["awards"] if name == "AwardWon" else 0
        more = words.say_in("stage", "awards missing", count=missing) if missing > 0 else ""
        return f"{words.event(event, scene.names, scene.catalog)}. {more}".rstrip()
    player = scene.names.get(event.get("player", ""), "")
    return words.say_in("stage", f"{how} {name}", player=player, count=event.get("certificates", 0))


def _backs_left(scene: TableView) -> Counter[str]:
    """Count the backs of the cards that were not turned yet."""
    cards: Mapping[str, Json] = scene.catalog["cards"]
    discard = scene.position["discard"]
    return Counter(card["back"] for name, card in cards.items() if name not in discard)


def _expected(position: Json, words: Language) -> str:
    """Return what the player with the hook does now, in a few words."""
    action, phase = position["action"], position["phase"]
    if position["finished"]:
        return ""
    piece = "" if action is None else words.say_in("stage", f"the {action['piece']}")
    return words.say_in("stage", f"now {phase}", piece=piece)


def _facts(position: Json, words: Language) -> tuple[StageFact, ...]:
    boss = "boss on duty" if position["boss"]["on_duty"] else "boss in the pile"
    return (
        StageFact(words.say_in("field", "turn"), str(position["turn"])),
        StageFact(words.say_in("stage", boss)),
        StageFact(words.say_in("field", "awards_needed"), str(position["awards_needed"])),
    )


def _steps(position: Json, words: Language) -> tuple[StageStep, ...]:
    if position["finished"]:
        return ()
    phase = position["phase"]
    at = STEPS.index(_STEP_OF.get(phase, phase))
    on_duty = position["boss"]["on_duty"]
    shown = [step for step in STEPS if (step != "clean" or phase == "clean") and (step != "highest" or on_duty)]

    def state(step: str) -> StepState:
        place = STEPS.index(step)
        return "done" if place < at else "now" if place == at else "later"

    return tuple(StageStep(words.say_in("stage", f"step {step}"), state(step)) for step in shown)


def _counts(position: Json, words: Language) -> tuple[CountRow, ...]:
    """Return what lies in reserve and on the site, and on the floor where anything does; nothing if nobody counts."""
    heaps = ((place, position[place]) for place in ("reserve", "site", "floor"))
    return tuple(
        CountRow(words.say_in("field", place), _drawn_counts(heap, words))
        for place, heap in heaps
        if heap and (place != "floor" or any(heap.values()))
    )


def _drawn_counts(heap: Mapping[str, int], words: Language) -> tuple[DrawnCount, ...]:
    return tuple(DrawnCount(piece_picture(piece, words), heap[piece]) for piece in PIECES)


def _seat(scene: TableView, player: str, events: tuple[Json, ...]) -> StageSeat:
    figures, words = scene.players[player], scene.words
    lost = any(event["event"] == "AccidentHappened" and event["player"] == player for event in events)
    won = scene.position["winner"] == player
    hand = words.say_in("stage", "hand", count=figures["hand"]) if figures["hand"] else ""
    return StageSeat(
        tokens=_tokens(scene, player),
        status=words.say_in("stage", "out") if figures["out"] else _rank(scene, player) or hand,
        state="passed" if figures["out"] else "leads" if won else "hit" if lost else "",
        tool=hook(words.say_in("field", "active"))
        if player == scene.position["active"] and not scene.position["finished"]
        else None,
    )


def _rank(scene: TableView, player: str) -> str:
    """Return the place of a player at the end; nothing before."""
    ranks = {place.player: place.rank for place in scene.overview.standings}
    return scene.words.say_in("stage", f"rank {ranks[player]}") if player in ranks else ""


def _tokens(scene: TableView, player: str) -> tuple[Token, Token]:
    """Return the certificates of a player with those lost, and the awards with those that still win the game."""
    figures, words = scene.players[player], scene.words
    dealt = scene.position["rules"]["expert_certificates"] if figures["level"] == "expert" else CERTIFICATES
    needed = scene.position["awards_needed"]
    certificates, awards = figures["certificates"], figures["awards"]
    return (
        Token(words.say_in("field", "certificates"), seal(), certificates, max(dealt, certificates), lost_seal()),
        Token(words.say_in("field", "awards"), helmet(), awards, max(needed, awards), missing_helmet()),
    )


def _next_player(scene: TableView) -> str | None:
    """Return who has the hook after the player of the turn."""
    active, players = scene.position["active"], list(scene.players)
    if scene.position["finished"] or active not in players:
        return None
    at = players.index(active)
    around = [*players[at + 1 :], *players[:at]]
    return next((player for player in around if not scene.players[player]["out"]), None)


def _ending(scene: TableView) -> dict[str, Any]:
    position, words = scene.position, scene.words
    winners = [place.player for place in scene.overview.standings if place.rank == 1]
    names = words.listed(scene.names[player] for player in winners)
    return {
        "title": words.say_in("stage", "wins" if len(winners) == 1 else "win", players=names),
        "text": (words.described_moment({**position, "standings": None}, scene.names, scene.catalog),),
        "columns": piles(scene.players, winners, words),
        "tone": "joy",
    }


# Words and symbols.


class MenAtWorkGlossary:
    """Knows the words and symbols of Men at Work."""

    def groups(self, words: Language) -> Mapping[str, Sequence[GlossaryTerm]]:
        """Return what players have, what is built with, and the cards."""
        return {
            "figures": (
                GlossaryTerm("certificate", seal(), "elimination"),
                GlossaryTerm("lost_certificate", lost_seal(), "accident"),
                GlossaryTerm("award", helmet(), "highest"),
                GlossaryTerm("hook", hook(""), "order"),
            ),
            "pieces": (
                GlossaryTerm("girder", piece_picture("orange", words), "placing"),
                GlossaryTerm("worker", piece_picture("workers", words), "placing"),
                GlossaryTerm("support", piece_picture("supports", words), "placing"),
                GlossaryTerm("beam", piece_picture("beams", words), "placing"),
                GlossaryTerm("brick", piece_picture("bricks", words), "placing"),
            ),
            "cards": (
                GlossaryTerm("back", back_picture("GOP", words), "what_and_how"),
                GlossaryTerm("boss", event_picture("BossTurned"), "boss"),
            ),
        }
