"""Where the golden games lie: each a play file, the answers to its lines, and a report of how it ended.

``master_builder/NAME.jsonl`` is the play file; ``master_builder/answers/NAME.jsonl`` holds what ``companion play`` said
of each line when it was last accepted, the deck named instead of written out; ``NAME.report.json`` is for people.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from companion.adapters.catalogs import load_catalog
from companion.engine.journal import Entry
from companion.game_api.manifest import LoadedGame
from companion.games.master_builder.rules.catalog import Catalog
from tests.opened import CARDS, master_builder

Json = dict[str, Any]

FOLDER = Path(__file__).parent / "master_builder"
CATALOG = "golden"
CATALOG_FILE = FOLDER / f"{CATALOG}.toml"
WIDE = 130
NOON = "2026-01-01T12:00:00+00:00"


@dataclass(frozen=True)
class GoldenGame:
    """One game as it is stored.  Lines are counted from 1, comments too."""

    name: str

    @property
    def play_file(self) -> Path:
        return FOLDER / f"{self.name}.jsonl"

    @property
    def answers_file(self) -> Path:
        return FOLDER / "answers" / f"{self.name}.jsonl"

    @property
    def report_file(self) -> Path:
        return FOLDER / f"{self.name}.report.json"

    @cached_property
    def says(self) -> str:
        """Return the purpose of the game: the comment on its first line."""
        return self.play_file.read_text(encoding="utf-8").partition("\n")[0].removeprefix("#").strip()

    @cached_property
    def commands(self) -> dict[int, Json]:
        """The commands by their lines."""
        return {number: json.loads(line) for number, line in _lines(self.play_file)}

    @cached_property
    def answers(self) -> dict[int, Json]:
        """The stored answers by the lines that they answer; of a game never accepted, none."""
        if not self.answers_file.exists():
            return {}
        records = [json.loads(line) for _, line in _lines(self.answers_file)]
        return {answer["line"]: _with_deck(answer) for answer in records}

    @cached_property
    def report(self) -> Json:
        report: Json = json.loads(self.report_file.read_text(encoding="utf-8")) if self.report_file.exists() else {}
        return report

    @cached_property
    def events(self) -> list[Json]:
        """All stored events in order, those taken back too."""
        return [event for answer in self.answers.values() for event in answer.get("events", ())]

    def entries(self) -> Iterator[Entry]:
        """The stored entries, as a journal holds them."""
        return entries(self.commands, self.answers)

    def keep(self, answers: dict[int, Json], report: Json) -> None:
        """Store what was accepted."""
        self.answers_file.parent.mkdir(exist_ok=True)
        lines = [_line(_without_deck(answer)) for answer in answers.values()]
        self.answers_file.write_text("".join(lines), encoding="utf-8")
        self.report_file.write_text(readable(report) + "\n", encoding="utf-8")


def entries(commands: Mapping[int, Json], answers: Mapping[int, Json]) -> Iterator[Entry]:
    """Make entries of the answers that led to events, by the lines that they answer."""
    for line, answer in answers.items():
        if "events" in answer:
            yield Entry(answer["seq"], NOON, "banker", "play", commands[line], tuple(answer["events"]))


@cache
def golden_games() -> tuple[GoldenGame, ...]:
    """Every golden game, by name."""
    return tuple(GoldenGame(path.stem) for path in sorted(FOLDER.glob("*.jsonl")))


@cache
def deck() -> Catalog:
    """The deck of the golden games."""
    catalog: Catalog = load_catalog(CATALOG_FILE, CARDS)
    return catalog


def load_golden_game() -> LoadedGame:
    """Master Builder with the deck of the golden games."""
    return master_builder({CATALOG: deck()})


@cache
def _written_deck() -> Json:
    written: Json = TypeAdapter(Catalog).dump_python(deck(), mode="json")
    return written


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line.strip() and not line.startswith("#"):
            yield number, line


def _with_deck(answer: Json) -> Json:
    for event in answer.get("events", ()):
        if event.get("catalog") == CATALOG:
            event["catalog"] = _written_deck()
    return answer


def _without_deck(answer: Json) -> Json:
    if "events" not in answer:
        return answer
    events = [
        {**event, "catalog": CATALOG} if event.get("catalog") == _written_deck() else event
        for event in answer["events"]
    ]
    return {**answer, "events": events}


def _line(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def readable(value: Any, indent: str = "") -> str:
    """Write JSON for people: what fits stands on one line, the rest one part a line."""
    short = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(short) <= WIDE or not isinstance(value, dict | list):
        return short
    inner = indent + "  "
    if isinstance(value, list):
        parts, (left, right) = [inner + readable(member, inner) for member in value], "[]"
    else:
        parts = [f"{inner}{json.dumps(key)}: {readable(member, inner)}" for key, member in value.items()]
        left, right = "{}"
    return "\n".join((left, ",\n".join(parts), indent + right))
