"""Features that the golden games must hold at least once, and those that they hold: ``variant: choosing_workers``."""

from collections.abc import Iterator
from functools import cache

from companion.game_api.house_rules import values_by_key
from companion.game_api.messages import verb_of
from companion.games.master_builder.messages import MESSAGES
from companion.games.master_builder.rules.catalog import Effect
from companion.games.master_builder.rules.house_rules import VARIANTS, Rules
from companion.games.master_builder.ui.house_rules import summary_rules
from companion.service.table.history import HISTORY_EVENTS
from tests.golden.stored import GoldenGame, Json, deck
from tests.words.refusals_in_source import rules

ELSEWHERE = {
    "catalog_faulty": "an installation's own catalog is broken: tests/adapters/test_catalog_shelf.py",
    "not_in_this_game": "asked of games that can less: tests/service/test_small_games.py",
    "unknown_game": "asked where tables are opened, before there is a game: tests/service/test_tables.py",
    "card_means_nothing": "only a hand scanner asks so: tests/service/test_devices.py",
    "card_not_stored": "said of a card that is laid while the journal is busy: tests/service/test_command_cards.py",
    "no_contracts_now": "said of a card that is laid, not of a command: tests/games/master_builder/test_reading.py",
    "no_hiring_now": "said of a card that is laid, not of a command: tests/games/master_builder/test_reading.py",
    "letters_missing": "asked of what is printed: tests/printing/test_document.py",
    "too_many_amends": "asked of a whole play file: tests/service/test_play_files.py",
    "utf16": "asked of a play file's bytes: tests/cli/test_play.py",
    "name_unseen": "asked of names in every game alike: tests/games/test_names_at_the_table.py",
    "names_alike": "asked of names in every game alike: tests/games/test_names_at_the_table.py",
    "unconfirmed": "an amend that was only to be shown has a preview for its answer: tests/service/test_amend.py",
}
"""Refusals that no command to a running table can meet, and where they are tested."""

PRESETS: dict[str, Json] = {"full rules": {}, "summary rules": summary_rules()}
BOTH = "selective_events and additional_events"
OF_THE_SERVICE = ("undo", "redo", "amend")


def wanted() -> set[str]:
    """All that some golden game must hold."""
    return {
        *(f"players: {number}" for number in (2, 3, 4)),
        *(f"preset: {name}" for name in PRESETS),
        *(f"variant: {name}" for name in (*VARIANTS, BOTH)),
        *(f"rule: {key} = {value}" for key, values in values_by_key(Rules).items() for value in values),
        *_endings(),
        *(f"command: {verb_of(kind)}" for kind in MESSAGES.commands),
        *(f"command: {verb}" for verb in OF_THE_SERVICE),
        *(f"event: {kind.__name__}" for kind in MESSAGES.events),
        *(f"event: {name}" for name in HISTORY_EVENTS),
        *_effects(),
        *(f"refusal: {rule}" for rule in rules() if rule not in ELSEWHERE),
    }


def _endings() -> Iterator[str]:
    yield from (f"end: after round {number}" for number in (3, 4, 5, 6))
    yield from (f"end: last contract gone in round {number}" for number in (2, 3, 4, 5, 6))
    yield from ("end: contracts left over", "end: removed contracts keep it going")
    yield from ("end: one winner", "end: shared victory", "end: negative worth")
    yield from ("end: tie broken by fewer_loans", "end: tie broken by more_buildings")


def _effects() -> Iterator[str]:
    """Every kind of effect with each of its forms."""
    for do in ("unavailable", "dismiss"):
        yield from (f"effect: {do} all", f"effect: {do} some")
    for lasting in ("round", "game"):
        yield from (f"effect: wage_change {sign} {lasting}" for sign in ("up", "down"))
    for do in ("pay", "receive"):
        yield from (f"effect: {do} per {per}" for per in ("player", "worker", "affected", "contract"))
    yield from ("effect: raze", "effect: manual")


@cache
def features_of(game: GoldenGame) -> frozenset[str]:
    """All that one game holds."""
    start = _start(game)
    variants = set(start["variants"])
    chosen = {key: value for key, value in start["rules"].items() if value != values_by_key(Rules)[key][0]}
    accepted = [game.commands[line]["do"] for line, answer in game.answers.items() if "events" in answer]
    features = {
        f"players: {len(start['players'])}",
        *(f"preset: {name}" for name, rules in PRESETS.items() if rules == chosen and not variants),
        *(f"variant: {name}" for name in variants),
        *((f"variant: {BOTH}",) if variants == set(BOTH.split(" and ")) else ()),
        *(f"rule: {key} = {value}" for key, value in start["rules"].items()),
        *_ending(game),
        *(f"command: {verb}" for verb in accepted),
        *(f"event: {event['event']}" for event in game.events),
        *(_named(effect) for event in game.events if event["event"] == "EventTurned" for effect in _of(event["card"])),
        *(f"refusal: {answer['rule']}" for answer in game.answers.values() if "rule" in answer),
        *(f"refusal: {refusal['rule']}" for answer in game.answers.values() for refusal in _foreseen(answer)),
        *(f"refusal: {rule}" for answer in game.answers.values() for rule in answer.get("faults", ())),
    }
    return frozenset(features)


def _start(game: GoldenGame) -> Json:
    """The event that set the table: a game begun, or one taken over."""
    return next(event for event in game.events if "rules" in event)


def _foreseen(answer: Json) -> list[Json]:
    """Return the entries that a preview says would be refused."""
    refused: list[Json] = answer.get("preview", {}).get("refused", [])
    return refused


def _of(card: str) -> tuple[Effect, ...]:
    return next(event.effects for event in deck().events if event.id == card)


def _named(effect: Effect) -> str:
    match effect.do:
        case "unavailable" | "dismiss" as do:
            return f"effect: {do} {'all' if effect.count is None else 'some'}"
        case "wage_change":
            return f"effect: wage_change {'up' if effect.amount > 0 else 'down'} {effect.lasting}"
        case "pay" | "receive" as do:
            return f"effect: {do} per {effect.per}"
        case other:
            return f"effect: {other}"


def _ending(game: GoldenGame) -> Iterator[str]:
    """How a game ended; nothing of one that was left early."""
    position = game.report["position"]
    if not position["finished"]:
        return
    yield f"end: after round {position['round']}"
    gone = _round_of_the_last_contract(game)
    if gone:
        yield f"end: last contract gone in round {gone}"
    elif position["display"] or position["deck"]["contracts"]:
        yield "end: contracts left over"
    else:
        yield "end: removed contracts keep it going"
    standings = position["standings"]
    winners = [standing for standing in standings if standing["rank"] == 1]
    yield "end: one winner" if len(winners) == 1 else "end: shared victory"
    if any(standing["worth"] < 0 for standing in standings):
        yield "end: negative worth"
    rules = _start(game)["rules"]
    if any(
        standing["worth"] == other["worth"] and standing["rank"] != other["rank"]
        for standing in standings
        for other in standings
    ):
        yield f"end: tie broken by {rules['tie_break']}"


def _round_of_the_last_contract(game: GoldenGame) -> int | None:
    round_ = 1
    last_round = None
    for event in game.events:
        round_ = event["round"] if event["event"] == "RoundBegan" else round_
        last_round = round_ if event["event"] == "LastRoundFixed" else last_round
    return last_round
