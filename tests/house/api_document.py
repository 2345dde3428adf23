"""``docs/game_api.md``: the reference of the plug-in API, made of its docstrings.

Run ``python -m tests.house.api_document`` to write it anew.
"""

import ast
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "game_api.md"
WIDTH = 120
PARTS: dict[str, tuple[str, ...]] = {
    "Steps of play": ("game_api/steps", "game_api/auctions", "game_api/choices", "game_api/step_game"),
    "Messages and cards": ("game_api/messages", "game_api/cards", "game_api/catalog_parsing"),
    "What a game is, and what it can do": (
        *("game_api/manifest", "game_api/capabilities", "game_api/house_rules", "game_api/seating"),
        *("game_api/corrections", "game_api/event_recorder", "game_api/notes"),
    ),
    "What people see": (
        *(
            "game_api/stage",
            "game_api/boards",
            "game_api/drawing",
            "game_api/outlines",
            "game_api/ui",
            "game_api/handbook",
        ),
        "game_api/teaching",
    ),
    "The engine": ("engine/game", "engine/ledger"),
}
"""The modules of the page, part by part; those that are left out are the house's own."""
LONGEST = 110
"""Letters of a value that is written out."""
HOUSE = ("codec", "default_teaching", "edit_forms", "guard", "letters")
INTRODUCTION = """\
# Reference of the plug-in API

Reference of the plug-in API, for games of one's own; [A game of your own](new-game.md) shows how they are used. It is
made of the docstrings: `python -m tests.house.api_document` writes it, and a test holds that it is up to date.
"""


def document() -> str:
    """Return the page."""
    parts = [INTRODUCTION]
    for title, modules in PARTS.items():
        parts.append(f"## {title}\n")
        parts.extend(_module(name) for name in modules)
    return "\n".join(parts).rstrip("\n") + "\n"


def _module(name: str) -> str:
    tree = ast.parse((ROOT / "companion" / f"{name}.py").read_text(encoding="utf-8"))
    lines = [f"### `companion.{name.replace('/', '.')}`\n", _prose(ast.get_docstring(tree) or ""), ""]
    if named := list(_constants(tree)):
        lines.extend(["*Types and constants*\n", *named, ""])
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            lines.extend(_class(node))
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            lines.extend([f"#### `{_signature(node)}`\n", _prose(ast.get_docstring(node) or ""), ""])
    return "\n".join(lines)


def _constants(tree: ast.Module) -> Iterator[str]:
    """Yield an item for each public type alias and constant of a module, with what is said below it."""
    for node, below in zip(tree.body, [*tree.body[1:], ast.Pass()], strict=True):
        match node:
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                pass
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                pass
            case _:
                continue
        written = ast.unparse(value)
        if isinstance(node, ast.AnnAssign):
            written = written.strip("\"'")
        if name.startswith("_") or written.startswith("TypeVar("):
            continue
        shown = written if len(written) <= LONGEST else "..."
        match below:
            case ast.Expr(value=ast.Constant(value=str() as described)):
                first = " ".join(described.split()).replace("``", "`")
            case _:
                first = ""
        yield _item(f"`{name} = {shown}`", first) if first else _filled(f"- `{name} = {shown}`")


def _class(node: ast.ClassDef) -> Iterator[str]:
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    yield f"#### `class {node.name}{f'({bases})' if bases else ''}`\n"
    if any("kw_only=True" in ast.unparse(mark) for mark in node.decorator_list):
        yield "Its fields are given by keyword.\n"
    described = ast.get_docstring(node)
    if described:
        yield _prose(described) + "\n"
    fields = [ast.unparse(part) for part in node.body if isinstance(part, ast.AnnAssign)]
    if fields:
        yield "```text\n" + "\n".join(fields) + "\n```\n"
    methods = [part for part in node.body if isinstance(part, ast.FunctionDef) and not part.name.startswith("_")]
    for method in methods:
        first = " ".join((ast.get_docstring(method) or "").split("\n\n")[0].split()).replace("``", "`")
        is_property = any(ast.unparse(mark).endswith("property") for mark in method.decorator_list)
        yield _item(f"`{method.name if is_property else _signature(method)}`", first)
    if methods:
        yield ""


def _signature(node: ast.FunctionDef) -> str:
    arguments = ast.unparse(node.args)
    arguments = re.sub(r"^(self|cls)(, |$)", "", arguments)
    return f"{node.name}({arguments})" + (f" -> {ast.unparse(node.returns)}" if node.returns else "")


def _prose(text: str) -> str:
    """Return a docstring as Markdown: paragraphs, and sections of named things as lists."""
    paragraphs: list[str] = []
    for paragraph in text.replace("``", "`").split("\n\n"):
        head, *rest = paragraph.split("\n")
        section = re.fullmatch(r"(Attributes|Args|Raises|Returns):", head.strip())
        if section is None:
            paragraphs.append(_filled(paragraph))
        else:
            paragraphs.append(f"*{section[1]}*\n")
            paragraphs[-1] += "\n" + "\n".join(_named(textwrap.dedent("\n".join(rest))))
    return "\n\n".join(paragraphs)


def _named(block: str) -> Iterator[str]:
    """Yield the items of a section: ``name: what it is``, continued on lines that are indented."""
    items: list[str] = []
    for line in block.split("\n"):
        if line.startswith(" ") and items:
            items[-1] += " " + line.strip()
        elif line.strip():
            items.append(line.strip())
    for item in items:
        name, colon, what = item.partition(": ")
        yield _item(f"`{name}`", what) if colon else _item("", item)


def _item(name: str, what: str) -> str:
    words = f"{name}: {what}" if name and what else name or what
    return _filled(words, "- ")


def _filled(text: str, mark: str = "") -> str:
    """Return words in lines that are not longer than the page is wide; ``mark`` begins the first."""
    return textwrap.fill(
        " ".join(text.split()),
        WIDTH,
        initial_indent=mark,
        subsequent_indent=" " * len(mark),
        break_long_words=False,
        break_on_hyphens=False,
    )


if __name__ == "__main__":
    PAGE.write_text(document(), encoding="utf-8")
