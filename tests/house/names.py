"""The rules for names, file sizes and docstrings, and a report of what breaks them.

Run ``python -m tests.house.names [PATH ...]`` to list what breaks them below some folders (all of the project where
none is given); ``--rule`` selects one rule, ``--summary`` prints only the counts of each folder and each name.
``--ratchet`` lowers the allowed counts in ``names_left.toml`` to what is left now.
"""

import argparse
import ast
import re
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import tomli_w

ROOT = Path(__file__).resolve().parents[2]
FORBIDDEN = Path(__file__).with_name("forbidden_names.toml")
LEFT = Path(__file__).with_name("names_left.toml")
TOPS = ("companion", "calibration", "tests", "benchmarks")
PROGRAM = ("companion", "calibration")
"""Its texts are published, or read by whoever runs it."""
LONGEST = 500
NOT_FIRST = {
    *("Give", "Gives", "Say", "Says", "Tell", "Tells", "Take", "Takes"),
    *("What", "Who", "Whether"),
}
GAMES = Path("companion/games")
PERSON = re.compile(r"\b(he|his|him|himself)\b", re.IGNORECASE)
"""A player, a user or a bot is *they*, or called by the noun."""
_COMMENT = re.compile(r"(?:^|\s)#\s.*", re.MULTILINE)
RULES = ("lengths", "names", "page_names", "types", "docstrings", "persons")

NO_IDENTIFIERS = re.compile(
    r"""(//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(`(?:\\.|[^`\\])*`)""", re.DOTALL
)
"""Comments and strings of a script; the second group is a template, whose expressions are code."""
BLOCKS = re.compile(r"/\*.*?\*/|(?<=\{)[^{}]*(?=\})", re.DOTALL)
"""Comments of a style sheet, and what stands between innermost braces."""

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
Left = dict[str, dict[str, int]]
"""Counts by rule and folder."""


class Offence(NamedTuple):
    """A line that breaks a rule."""

    rule: str
    path: Path
    line: int
    what: str
    instead: str = ""

    def __str__(self) -> str:
        """Return it as a compiler would print it."""
        return f"{self.path}:{self.line}: {self.what}" + (f" -> {self.instead}" if self.instead else "")


@cache
def kept_names() -> dict[Path, set[str]]:
    """Return the names that a file keeps, because they are stored or public."""
    with FORBIDDEN.open("rb") as file:
        return {Path(path): set(names) for path, names in tomllib.load(file)["kept"].items()}


@cache
def kept_docstrings() -> dict[Path, set[str]]:
    """Return the classes of each file whose docstrings stay, because they are published."""
    with FORBIDDEN.open("rb") as file:
        return {Path(path): set(names) for path, names in tomllib.load(file)["kept_docstrings"].items()}


@cache
def forbidden_names() -> dict[str, str]:
    """Return each forbidden name with what to write instead."""
    with FORBIDDEN.open("rb") as file:
        return dict(tomllib.load(file)["everywhere"])


def sources(suffix: str = ".py", below: Iterable[str] = TOPS) -> Iterator[Path]:
    """Yield the code files below some folders (or the files themselves), relative to the root."""
    for start in below:
        path = ROOT / start
        for file in [path] if path.is_file() else sorted(path.rglob(f"*{suffix}")):
            if file.suffix == suffix and not {"node_modules", "__pycache__"} & set(file.parts):
                yield file.relative_to(ROOT)


def long_files() -> Iterator[Offence]:
    """Yield the files that are longer than the limit."""
    for suffix in (".py", ".js"):
        for path in sources(suffix):
            lines = len(_text(path).splitlines())
            if lines > LONGEST:
                yield Offence("lengths", path, lines, f"{lines} lines, at most {LONGEST}")


def forbidden_in_code() -> Iterator[Offence]:
    """Yield each use of a forbidden name as an identifier, and each file named so."""
    forbidden = forbidden_names()
    for path in sources():
        used = [(1, path.stem), *_facts(path).forbidden]
        for line, name in used:
            if (plain := _plain(name, forbidden)) and name not in kept_names().get(path, ()):
                yield Offence("names", path, line, name, forbidden[plain])


def forbidden_in_pages() -> Iterator[Offence]:
    """Yield each use of a forbidden name as an identifier of a script, or as a class of a style sheet."""
    forbidden = forbidden_names()
    for suffix, names_in in ((".js", script_identifiers), (".css", style_classes)):
        for path in sources(suffix, ["companion"]):
            for line, name in names_in(_text(path)):
                plain = _plain(name.replace("-", "_"), forbidden)
                if plain and name not in kept_names().get(path, ()):
                    yield Offence("page_names", path, line, name, forbidden[plain])


def script_identifiers(text: str) -> Iterator[tuple[int, str]]:
    """Yield the identifiers of a script with their lines, those in expressions of templates too."""

    def blank(skipped: re.Match[str]) -> str:
        code = "".join(re.findall(r"(?<=\$)\{[^}]*\}|\n", skipped[2] or ""))
        return NO_IDENTIFIERS.sub("", code) + "\n" * ((skipped[1] or "").count("\n"))

    yield from _words(NO_IDENTIFIERS.sub(blank, text), r"[A-Za-z_][\w$]*")


def style_classes(text: str) -> Iterator[tuple[int, str]]:
    """Yield the classes in the selectors of a style sheet with their lines."""
    yield from _words(BLOCKS.sub(lambda block: "\n" * block[0].count("\n"), text), r"(?<=\.)[A-Za-z_][\w-]*")


def _words(text: str, pattern: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        yield from ((number, word) for word in re.findall(pattern, line))


def _plain(name: str, forbidden: Mapping[str, str]) -> str:
    """Return the forbidden name that a name is, private or a constant too; ``""`` if it is none."""
    return next((each for each in (name, name.strip("_"), name.strip("_").lower()) if each in forbidden), "")


def identifiers(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield the identifiers of nodes with their lines, those within f-strings too, as often as they are written."""
    for node in nodes:
        match node:
            case ast.Attribute(value=ast.Name(id="np" | "cv2")):
                pass  # numpy's eye and the like: names of others
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield node.lineno, name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, name
            case ast.keyword(arg=str(name)) | ast.ExceptHandler(name=str(name)):
                yield node.lineno, name
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                yield node.lineno, name
            case ast.MatchClass(kwd_attrs=names) | ast.Global(names=names) | ast.Nonlocal(names=names):
                yield from ((node.lineno, name) for name in names)
            case ast.ImportFrom(module=str(name)):
                yield from ((node.lineno, part) for part in name.split("."))
            case ast.alias(name=name, asname=asname):
                parts = [*name.split("."), *([asname] if asname else [])]
                yield from ((node.lineno, part) for part in parts)
            case _:
                pass


def repeated_types() -> Iterator[Offence]:
    """Yield public types of the program that are defined more than once.

    Outside games a name is defined once.  Games may define the same name, each once and in the file of the same role.
    """
    places: dict[str, list[tuple[Path, int]]] = defaultdict(list)
    for path in sources(below=PROGRAM):
        for name, line in _facts(path).types:
            if name not in kept_names().get(path, ()):
                places[name].append((path, line))
    for name, where in places.items():
        outside = [(path, line) for path, line in where if not path.is_relative_to(GAMES)]
        inside = [(path, line) for path, line in where if path.is_relative_to(GAMES)]
        roles = {_role(path) for path, _ in inside}
        for repeated in (outside if len(outside) > 1 else [], inside if len(roles) > 1 else []):
            for path, line in repeated:
                others = [str(other) for other, _ in repeated if other != path]
                more = f" and {len(others) - 2} more" if len(others) > 2 else ""
                yield Offence("types", path, line, f"{name} is also defined in {', '.join(others[:2])}{more}")


def _role(path: Path) -> tuple[str, ...]:
    """Return the names of a module within its game; a package is named by its folder."""
    parts = path.relative_to(GAMES).with_suffix("").parts[1:]
    return parts[:-1] if parts[-1] == "__init__" else parts


def public_types(module: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield the public classes and type aliases of a module with their lines."""
    for node in module.body:
        if isinstance(node, ast.ClassDef):
            name = node.name
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            name = node.target.id
        else:
            continue
        if name[0].isupper() and not name.isupper():
            yield name, node.lineno


def docstring_openings() -> Iterator[Offence]:
    """Yield each docstring that begins with a verb of saying, a question word or a false *Return*; kept ones aside."""
    for path in sources():
        for line, name, first in _facts(path).first_words:
            if first in NOT_FIRST and name not in kept_docstrings().get(path, ()):
                yield Offence("docstrings", path, line, f"docstring begins with {first}")
        for line, name in _facts(path).false_returns:
            yield Offence("docstrings", path, line, f"{name} returns nothing, and its docstring begins with Return")
        for line in _facts(path).second_texts:
            yield Offence("docstrings", path, line, "a text that follows a text describes nothing")


def false_returns(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield line and name of each function that returns nothing although its docstring begins with *Return*."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (text := ast.get_docstring(node)):
            nothing = isinstance(node.returns, ast.Constant) and node.returns.value is None
            if text.split()[0] in {"Return", "Returns"} and (nothing or node.name == "__init__"):
                yield node.lineno, node.name


def second_texts(nodes: Iterable[ast.AST]) -> Iterator[int]:
    """Yield the line of each text that follows another text: below a constant only one belongs to it."""
    for node in nodes:
        for first, second in pairwise(node.body if isinstance(node, Documented) else []):
            if _is_text(first) and _is_text(second):
                yield second.lineno


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a module and its statements, those within others too: whatever may have a docstring."""
    yield node
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
            yield from statements(child)


def first_words(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str, str]]:
    """Yield line, name and first word of each docstring of modules (without a name), classes and functions."""
    for node in nodes:
        if isinstance(node, Documented) and (text := ast.get_docstring(node)):
            yield getattr(node, "lineno", 1), getattr(node, "name", ""), text.split()[0].rstrip(",.:;")


def persons() -> Iterator[Offence]:
    """Yield each line of a docstring, a comment or a text of the program that has a masculine pronoun."""
    for path in sources():
        yield from (Offence("persons", path, line, word, "they") for line, word in _facts(path).persons)


def persons_in(text: str, nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield line and word of each masculine pronoun in comments and in the texts among some nodes of a file.

    Statements have docstrings only; with the nodes inside them values count too.
    """
    prose = _prose_lines(nodes)
    for number, line in enumerate(text.splitlines(), 1):
        said = line if number in prose else "".join(_COMMENT.findall(line))
        if (word := PERSON.search(said)) is not None:
            yield number, word.group()


def _prose_lines(nodes: Iterable[ast.AST]) -> set[int]:
    """Return the numbers of the lines on which docstrings stand, and texts that are nodes themselves."""
    lines: set[int] = set()
    for node in nodes:
        match node:
            case (
                ast.Expr(value=ast.Constant(value=str()), lineno=first, end_lineno=int(last))
                | ast.Constant(value=str(), lineno=first, end_lineno=int(last))
            ):
                lines |= set(range(first, last + 1))
            case _:
                pass
    return lines


def offences(rules: Iterable[str] = RULES) -> Iterator[Offence]:
    """Yield all offences against some rules."""
    checking = (long_files, forbidden_in_code, forbidden_in_pages, repeated_types, docstring_openings, persons)
    checks = dict(zip(RULES, checking, strict=True))
    for rule in rules:
        yield from checks[rule]()


def package_of(path: Path) -> str:
    """Return the folder under which the report counts a file: two deep, for games three."""
    return "/".join(path.parts[:-1][: 3 if path.is_relative_to(GAMES) else 2])


def counts(breaking: Iterable[Offence], folder_of: Callable[[Path], str]) -> Left:
    """Return the number of offences by rule and folder."""
    by_rule: dict[str, Counter[str]] = {rule: Counter() for rule in RULES}
    for offence in breaking:
        by_rule[offence.rule][folder_of(offence.path)] += 1
    return {rule: dict(sorted(counter.items())) for rule, counter in by_rule.items()}


def top_counts(rules: Iterable[str] = RULES) -> Left:
    """Return the number of offences by rule and top folder: files may move below it without another count."""
    return counts(offences(rules), lambda path: path.parts[0])


def allowed_counts() -> Left:
    """Return the counts that are still allowed; a folder that is not listed may have none."""
    with LEFT.open("rb") as file:
        return tomllib.load(file)


def main() -> None:
    """Print the report."""
    parser = argparse.ArgumentParser(prog="python -m tests.house.names", description=__doc__.partition("\n")[0])
    parser.add_argument("paths", nargs="*", metavar="PATH", help="report only what is below these folders or files")
    parser.add_argument("--rule", choices=RULES, action="append", help="report only this rule")
    parser.add_argument("--summary", action="store_true", help="print counts only")
    parser.add_argument("--ratchet", action="store_true", help="write what is left now as the allowed counts")
    options = parser.parse_args()
    wanted = [Path(path.rstrip("/")) for path in options.paths]
    reported = [
        offence
        for offence in offences(options.rule or RULES)
        if not wanted or any(offence.path.is_relative_to(path) for path in wanted)
    ]
    if options.ratchet:
        LEFT.write_bytes(_HEAD + tomli_w.dumps(top_counts()).encode())
        return
    lines = [] if options.summary else [str(offence) for offence in reported]
    for rule, packages in counts(reported, package_of).items():
        lines += [f"{rule}: {sum(packages.values()):,}", *(f"{count:8,} {name}" for name, count in packages.items())]
    words = Counter(offence.what for offence in reported if offence.rule.endswith("names")).most_common()
    lines += ["names by count: " + ", ".join(f"{word} {count}" for word, count in words)] if words else []
    sys.stdout.write("\n".join(lines) + "\n")


_HEAD = b"""# What still breaks a rule for names, by rule and top folder (see names.py).  A count may only fall:
# `python -m tests.house.names --ratchet` writes what is left.
"""


class _Facts(NamedTuple):
    """Findings of a file, by line: names, types, first words of docstrings, false *Return*, second texts, persons."""

    forbidden: list[tuple[int, str]]
    types: list[tuple[str, int]]
    first_words: list[tuple[int, str, str]]
    false_returns: list[tuple[int, str]]
    second_texts: list[int]
    persons: list[tuple[int, str]]


@cache
def _facts(path: Path) -> _Facts:
    """Return the findings of a file, parsed once for all rules."""
    text, forbidden = _text(path), forbidden_names()
    module = ast.parse(text)
    documented = list(statements(module))
    prose, used = _prose_lines(documented), list[tuple[int, str]]()
    code = "\n".join(line for number, line in enumerate(text.splitlines(), 1) if number not in prose)
    if any(_plain(name, forbidden) for name in set(re.findall(r"\w+", _COMMENT.sub("", code)))):
        used = [(line, name) for line, name in identifiers(ast.walk(module)) if _plain(name, forbidden)]
    return _Facts(
        used,
        list(public_types(module)),
        list(first_words(documented)),
        list(false_returns(documented)),
        list(second_texts(documented)),
        list(persons_in(text, ast.walk(module) if path.parts[0] in PROGRAM else documented))
        if PERSON.search(text)
        else [],
    )


def _text(path: Path) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


if __name__ == "__main__":
    main()
