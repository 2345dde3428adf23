"""Plays a recipe, with a wrong command now and then; and decides a kept game again."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from companion.adapters.catalogs import load_catalog
from companion.adapters.journal.memory import InMemoryJournal
from companion.bootstrap.games import load_game
from companion.game_api.manifest import Manifest
from companion.service.table.table import Table
from tests.games.monopoly_builder.drawn_fields import drawn
from tests.golden_bots.answers import answer, position_then
from tests.golden_bots.pools import POOLS
from tests.golden_bots.recipes import GAMES, Recipe
from tests.golden_bots.scripts import Script
from tests.golden_bots.wrong import Json, drawn_commands, refusal_of
from tests.golden_bots.wrong_starts import taken_over, wrong_starts
from tests.scenario import StoppedClock
from tests.strategies import command_of

Drawing = Callable[[Json], Iterator[Json]]
GAMES_FOLDER = Path(__file__).resolve().parents[1] / "games"
WRONG_IN_TEN = 4
"""At how many of ten moments something is tried that may be refused."""
OFFERED_IN_TEN = 3
"""At how many of the others something is tried that is offered, and taken back."""
MOST_OF_A_RULE = 2
"""So often one rule's refusal is kept in one game, and once of each command that meets it."""
DRAWN = 150
"""So many commands are drawn at each moment, and asked of the rules alone."""
PUT_RIGHT: dict[str, tuple[Json, ...]] = {
    "men_at_work": (
        {"do": "correct_player", "player": "blue", "certificates": 2, "reason": "counted again"},
        {"do": "correct_pieces", "pieces": {"black": 1}, "from": "reserve", "to": "site", "reason": "lay there"},
        {"do": "correct_pieces", "pieces": {"workers": 1}, "from": "reserve", "to": "floor", "reason": "fell"},
        {"do": "correct_card", "card": "I05", "to": "deck", "reason": "shuffled in"},
        {"do": "correct_card", "card": "I11", "to": "discard", "reason": "turned by mistake"},
        {"do": "correct_boss", "on_duty": True, "reason": "she was seen"},
        {"do": "correct_turn", "player": "yellow", "reason": "sat in another order"},
        {"do": "turn_card", "card": "I20", "back": "GOW"},
        {"do": "fallen", "player": "blue", "pieces": {"bricks": 40}},
        {"do": "take_over", "position": {}},
        {"do": "rename_player", "player": "blue", "name": "Bartholomew"},
        {"do": "undo"},
        {"do": "redo"},
    ),
    "monopoly_builder": (
        {"do": "correct_money", "from": "bank", "to": "red", "amount": 25, "reason": "lay under the board"},
        {
            "do": "correct_chips",
            "from": "tray",
            "to": "red",
            "kind": "green",
            "count": 1,
            "reason": "lay under the board",
        },
        {"do": "correct_card", "card": "D04", "to": "red", "reason": "lay with the wrong one"},
        {"do": "correct_block", "cell": "A1", "owner": "red", "height": 1, "reason": "stood there"},
        {"do": "correct_position", "player": "red", "space": 5, "reason": "miscounted"},
        {"do": "correct_turn", "player": "green", "reason": "sat in another order"},
        {"do": "count_cash", "player": "red", "amount": 500},
        {"do": "take_over", "position": {}},
        {"do": "rename_player", "player": "red", "name": "Bartholomew"},
        {"do": "undo"},
        {"do": "redo"},
    ),
}
"""What a banker does now and then, whatever the moment."""


def path_of(recipe: Recipe | Script) -> Path:
    """Return where a game is kept."""
    return GAMES_FOLDER / recipe.game / "golden" / f"{recipe.name}.jsonl"


def new_table(manifest: Manifest) -> Table:
    """Return a table of the bundled deck at which nothing has begun."""
    catalog = deck_then(manifest)
    return Table("golden", load_game(manifest, {"house": catalog}), InMemoryJournal(), StoppedClock())


def deck_then(manifest: Manifest) -> Any:
    """Return the bundled deck as it was when the kept games were played: its texts stand in their first event."""
    return load_catalog(GAMES_FOLDER / manifest.name / "golden" / "house.toml", manifest.cards())


def played(recipe: Recipe) -> Iterator[Json]:
    """Play a recipe anew: each command with its answer, and the last position."""
    manifest = GAMES[recipe.game]
    table, lots, kept = new_table(manifest), random.Random(recipe.seed), Counter[str]()
    assert manifest.simulates is not None
    bots, game = manifest.simulates(), table.game.rules
    start = {**bots.beginning(len(recipe.strengths)), "catalog": "house"}
    start |= {"rules": dict(recipe.rules)} if recipe.rules else {}
    start |= {"variants": list(recipe.variants)} if recipe.variants else {}
    if recipe.taken_over is not None:
        for command in wrong_starts(recipe.game, start):
            yield {"command": command, **answer(table, command)}
        start = taken_over(recipe.game, dict(recipe.taken_over))
    yield {"command": start, **answer(table, start)}
    assert table.position is not None
    piles = bots.shuffled(deck_then(manifest), recipe.seed)
    strengths = dict(zip(game.overview(table.position).seats, recipe.strengths, strict=True))
    given: list[Json] = [start]
    drawing = _drawing(recipe.game, recipe.seed)
    while (act := bots.next_act(table.position, piles, strengths, lots.randrange)) is not None:
        if lots.randrange(10) < WRONG_IN_TEN:
            yield from _tried(table, _wrong(lots, recipe.game, given), kept)
        elif lots.randrange(10) < OFFERED_IN_TEN:
            yield from _tried(table, _offered(lots, table), kept)
        command = table.game.codec.command_json(act.command)
        given.append(command)
        yield {"command": command, **answer(table, command)}
        yield from _refused_now(table, drawing, kept)
    for _ in range(6):
        yield from _tried(table, _wrong(lots, recipe.game, given), kept)
    yield {"position": position_then(table.position_json("banker") or {})}


def _tried(table: Table, command: Json, kept: Counter[str]) -> Iterator[Json]:
    """Try a command where it does no harm: what would be carried out is taken back, so that bots and piles agree."""
    version = table.version
    given = answer(table, command)
    rule = given.get("refused")
    if rule is not None and not _is_new(kept, command, rule):
        return
    yield {"command": command, **given}
    if table.version > version and command["do"] not in ("undo", "redo", "rename_player"):
        yield {"command": {"do": "undo"}, **answer(table, {"do": "undo"})}
    elif command["do"] == "undo" and rule is None:
        yield {"command": {"do": "redo"}, **answer(table, {"do": "redo"})}


def scripted(script: Script) -> Iterator[Json]:
    """Return a script's commands with their answers, what is refused at each moment, and the last position."""
    table, kept, drawing = new_table(GAMES[script.game]), Counter[str](), _drawing(script.game, len(script.commands))
    for command in script.commands:
        yield {"command": command, **answer(table, command)}
        yield from _refused_now(table, drawing, kept)
    yield {"position": position_then(table.position_json("banker") or {})}


def _drawing(game: str, seed: int) -> Drawing:
    lots, kinds = random.Random(seed), GAMES[game].messages().commands
    return lambda position: drawn_commands(lots, kinds, POOLS[game](position), DRAWN)


def _refused_now(table: Table, drawing: Drawing, kept: Counter[str]) -> Iterator[Json]:
    """Return what would be refused now, of all that is drawn, by rules of which too few refusals are kept."""
    for command in drawing(table.position_json("banker") or {}):
        rule = refusal_of(table, command)
        if rule is not None and _is_new(kept, command, rule):
            yield {"command": command, **answer(table, command)}


def _is_new(kept: Counter[str], command: Json, rule: str) -> bool:
    """Return whether a refusal is worth keeping, and count it."""
    met = f"{command.get('do')} {rule}"
    if kept[rule] >= MOST_OF_A_RULE and kept[met]:
        return False
    kept[rule] += 1
    kept[met] += 1
    return True


def _offered(lots: random.Random, table: Table) -> Json:
    """Draw what is offered to anybody, with something in each open field."""
    offer = lots.choice([offer for offer in table.show("banker")["offers"] if offer["do"] not in ("undo", "redo")])
    filled = {name: drawn(lots, field) for name, field in offer["fields"].items()}
    return command_of(offer) | filled


def _wrong(lots: random.Random, game: str, given: list[Json]) -> Json:
    """Draw what was said before, at another moment, by somebody else, or with something changed."""
    right = lots.random() < 0.4
    command = dict(lots.choice(PUT_RIGHT[game] if right else given[-40:]))
    fields = sorted(command.keys() - {"do"})
    if fields and lots.random() < (0.3 if right else 0.7):
        name = lots.choice(fields)
        value = command[name]
        changes: list[Any] = [None, "nobody", -1, 9_999, "Z99", []]
        command[name] = value * 100 if isinstance(value, int) and lots.random() < 0.5 else lots.choice(changes)
    if lots.random() < 0.05:
        command["surprise"] = 1
    return command


def decided_again(lines: list[Json], manifest: Manifest) -> Iterator[tuple[Json, Json]]:
    """Submit every kept command again; return what is kept and what comes of it today."""
    table = new_table(manifest)
    for line in lines:
        if "position" in line:
            yield line, {"position": position_then(table.position_json("banker") or {})}
        else:
            yield line, {"command": line["command"], **answer(table, line["command"])}
