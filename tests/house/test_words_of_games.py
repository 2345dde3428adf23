"""The house names nothing that only one game has: such words are the games', which give them as data."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORDS = frozenset(
    {
        *("wage", "wages", "loan", "loans", "mallet", "contract", "contracts", "worker", "workers", "foreman", "hire"),
        *("hires", "hired", "hiring", "premium", "economy", "craftsman", "tradesman", "apprentice"),
        *("crane", "beam", "girder", "scaffold", "deed", "deeds", "rent", "rents", "jail", "mortgage", "hotel"),
        *("accident", "accidents", "helmet", "helmets", "boss", "penthouse", "penthouses", "girders", "beams"),
    }
)
"""Of Master Builder, Men at Work and Monopoly Builder; *auction*, *bid*, *card*, *zone* belong to several games,
*certificate* is one of a connection too."""
PUBLIC = "a member of public JSON or a sentence of the published description, which stay as they are"
PROCESS = "a process of the app, as servers call it"
DRAWING = "the id of a drawing, which pages of several games use"
ALLOWED = {
    ("companion/adapters/proxy.py", "workers"): PROCESS,
    ("companion/cli/serve.py", "workers"): PROCESS,
    ("companion/cli/supervisor.py", "worker"): PROCESS,
    ("companion/cli/supervisor.py", "workers"): PROCESS,
    ("companion/cli/workers.py", "worker"): PROCESS,
    ("companion/cli/workers.py", "workers"): PROCESS,
    ("companion/bot_games/games.py", "workers"): PUBLIC,
    ("companion/engine/game.py", "workers"): PUBLIC,
    ("companion/service/table/history.py", "workers"): PUBLIC,
    ("companion/web/api/shapes.py", "workers"): PUBLIC,
    ("companion/web/api/tables.py", "contracts"): PUBLIC,
    ("companion/web/api/tables.py", "workers"): PUBLIC,
    ("companion/web/api/people.py", "hire"): PUBLIC,
    ("companion/web/static/core/forms.js", "worker"): PUBLIC,
    ("companion/web/static/table/tablet.js", "contract"): PUBLIC,
    ("companion/web/static/table/tablet.js", "hire"): PUBLIC,
    ("templates/parts/agreements.html", "hire"): DRAWING,
    ("templates/sheets/notes.html", "contract"): DRAWING,
    ("templates/sprite.svg", "contract"): DRAWING,
    ("templates/sprite.svg", "hire"): DRAWING,
    ("templates/sprite.svg", "loan"): DRAWING,
    ("templates/welcome.html", "contract"): DRAWING,
    ("templates/welcome.html", "hire"): DRAWING,
}
"""Exceptions by file and word, with their reason; one that is no longer needed fails."""
FOLDERS = ("companion", "templates")
ENDINGS = frozenset({".py", ".html", ".css", ".js", ".svg"})
OF_GAMES = (Path("companion/games"), Path("templates/games"))

_SERVICE_WORKER = re.compile(r"service[ _]?worker", re.IGNORECASE)
"""A term of browsers."""
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def words_of_games(text: str) -> frozenset[str]:
    """Return the words of games in a text; of names in snake case and camel case, each part counts."""
    return WORDS & {part.lower() for part in _PART.findall(_SERVICE_WORKER.sub("", text))}


def named_in_house() -> Iterator[tuple[str, str]]:
    """Yield each file of the house that names a word of a game, with the word."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            inner = path.relative_to(ROOT)
            if path.suffix in ENDINGS and not any(inner.is_relative_to(folder) for folder in OF_GAMES):
                for word in sorted(words_of_games(path.read_text(encoding="utf-8"))):
                    yield inner.as_posix(), word


def test_parts_of_names_count() -> None:
    assert words_of_games("def wage_limit(): HireWorker().isHired; data-loan") == {
        "wage",
        "hire",
        "worker",
        "hired",
        "loan",
    }
    assert words_of_games("current = different + apparent + contractor") == set()


def test_the_house_names_nothing_that_only_one_game_has() -> None:
    assert sorted(set(named_in_house()) - ALLOWED.keys()) == []


def test_every_exception_is_still_needed() -> None:
    assert sorted(ALLOWED.keys() - set(named_in_house())) == []
