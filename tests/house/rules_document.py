"""Writes ``docs/rules/master_builder.md`` from the rulebook: ``python -m tests.house.rules_document``."""

from collections.abc import Iterator
from pathlib import Path

from companion.games.master_builder import GAME
from companion.games.master_builder.face.rulebook_page import chapters
from companion.games.master_builder.rules.explaining.figures import FLOWS
from companion.words import Words

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "rules" / "master_builder.md"

HEAD = """\
# The rules of Master Builder by name

Every refusal carries an id, and every movement of money a rule. This page says what they mean and where they come from:
`004` is the English text of the rules, `001` the French one, `000` a French summary, each with its lines; `D` and `V`
number the rulings on what the texts leave open. Cards and names in the refusals are examples. The running app shows the
same in three languages at `/rules`, and the `type` of a refusal leads to its place there (`/rules#wage_limit`).

How the game is played is told in [Master Builder, as the companion plays it](../games/master_builder.md). This page is
written by `python -m tests.house.rules_document`; a test compares it with the code.
"""


def written() -> str:
    """Give the document."""
    return HEAD + "".join(_lines())


def _lines() -> Iterator[str]:
    moved: dict[str, list[str]] = {}
    for kind, rule in FLOWS.items():
        moved.setdefault(rule, []).append(kind.__name__)
    moved.setdefault("premium", []).append("ContractSold")
    for chapter in chapters(Words("en", GAME)):
        yield f"\n## {chapter['title']}\n"
        for rule in chapter["rules"]:
            source = f": {rule['sources']}" if rule["sources"] else ""
            yield f"\n### {rule['title']}\n\n`{rule['id']}`{source}\n\n{rule['says']}\n"
            if rule["id"] in moved:
                yield f"\nMoves money: {', '.join(f'`{kind}`' for kind in moved[rule['id']])}.\n"
            if rule["refusals"]:
                yield "\n| refusal | says, for example |\n|---|---|\n"
                yield from (f"| `{one['id']}` | {one['says']} |\n" for one in rule["refusals"])


if __name__ == "__main__":
    DOCUMENT.parent.mkdir(parents=True, exist_ok=True)
    DOCUMENT.write_text(written(), encoding="utf-8")
