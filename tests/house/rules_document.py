"""Writes ``docs/rules/*.md`` from the handbooks of the games: ``python -m tests.house.rules_document``."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from companion.game_api.manifest import Manifest
from companion.games import master_builder, men_at_work, monopoly_builder
from companion.games.master_builder.rules.explanation import FLOWS
from companion.web.game_ui import ui_for
from companion.words import Words

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "rules"

HEAD = """\
# The rules of {title} by name

Every refusal carries an id{moves}. This page says what they mean and where they come from: {sources}
Cards and names in the refusals are examples. The running app shows the same in three languages at
`/rules{query}`, and the `type` of a refusal leads to its place there.

How the game is played is told in [{title}, as the companion plays it](../games/{name}.md). This page is written by
`python -m tests.house.rules_document`; a test compares it with the code.
"""


GAMES = (master_builder.GAME, men_at_work.GAME, monopoly_builder.GAME)


def document(game: Manifest) -> Path:
    """Return the path of the page about a game's rules."""
    return FOLDER / f"{game.name}.md"


def written(game: Manifest) -> str:
    """Return the text of the page."""
    first = game.name == "master_builder"
    head = HEAD.format(
        title=game.title,
        name=game.name,
        moves=", and every movement of money a rule" if first else "",
        sources=Words("en", game).say_in("rulebook says", "legend"),
        query="" if first else f"?game={game.name}",
    )
    return head + "".join(_lines(game, FLOWS if first else {}))


def _lines(game: Manifest, flows: Mapping[type, str]) -> Iterator[str]:
    moved: dict[str, list[str]] = {}
    for kind, rule in flows.items():
        moved.setdefault(rule, []).append(kind.__name__)
    if flows:
        moved.setdefault("premium", []).append("ContractSold")
    for chapter in ui_for(game).chapters(Words("en", game)):
        yield f"\n## {chapter['title']}\n"
        for rule in chapter["rules"]:
            source = f": {rule['sources']}" if rule["sources"] else ""
            yield f"\n### {rule['title']}\n\n`{rule['id']}`{source}\n\n{rule['says']}\n"
            if rule["id"] in moved:
                yield f"\nMoves money: {', '.join(f'`{kind}`' for kind in moved[rule['id']])}.\n"
            if rule["refusals"]:
                yield "\n| refusal | says, for example |\n|---|---|\n"
                yield from (f"| `{refusal['id']}` | {refusal['says']} |\n" for refusal in rule["refusals"])


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for game in GAMES:
        document(game).write_text(written(game), encoding="utf-8")
