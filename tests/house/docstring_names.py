"""Names in docstrings: whatever stands there as code is a name that the file, or a file next to it, really uses."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from tests.house.names import ROOT, sources

ELSEWHERE = frozenset(
    {
        *("FF", "NAME", "toml", "css"),  # a byte, patterns of names of files and fields
        *("NaN", "None", "False", "True", "false", "true", "null"),
        *("TypedDict", "typing_extensions", "PoFileError", "np", "percentile", "quantile", "mallopt", "benchmarks"),
        *("consent", "from", "from_", "section", "sight", "start_game", "zone"),  # words that are stored or sent
        *("sounds", "speech"),  # cookies that templates name
        *("ForeignPicture", "UnreadablePicture"),  # raised by what a port is implemented with
    }
)
"""Names that no code beside a docstring writes: of libraries, of other languages, of what is stored."""
_TOKEN = re.compile(r"``([A-Za-z_][A-Za-z0-9_.]*)(?:\(\))?``")
_CODE_OF_A_CARD = re.compile(r"[A-Z]\d+")
_ARGUMENT = re.compile(r"^ {4}(\w+):", re.MULTILINE)
_Documented = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


class Module(NamedTuple):
    """A module: its classes and functions, the names and words of its code, and the modules that it imports."""

    documented: tuple[ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, ...]
    names: frozenset[str]
    imports: frozenset[str]


def read_module(text: str) -> Module:
    """Return a module's names and imports; words of its strings count as names, those of docstrings do not."""
    nodes = list(ast.walk(ast.parse(text)))
    names: set[str] = set()
    imports: set[str] = set()
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
                names.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.alias(name=name, asname=asname):
                names |= {*name.split("."), asname or name}
                imports.add(name)
            case ast.ImportFrom(module=str(name), names=aliases):
                names |= set(name.split("."))
                imports |= {name, *(f"{name}.{alias.name}" for alias in aliases)}
            case ast.Constant(value=str(value)) if id(node) not in docstrings:
                names |= set(re.findall(r"\w+", value))
            case _:
                pass
    documented = tuple(node for node in nodes if isinstance(node, _Documented))
    return Module(documented, frozenset(names), frozenset(imports))


def unknown_tokens(module: Module, pool: frozenset[str]) -> Iterator[tuple[int, str]]:
    """Yield line and token of each name in a docstring of a class or function that is not in the pool."""
    for node in module.documented:
        for token in _TOKEN.findall(ast.get_docstring(node, clean=False) or ""):
            if not all(part in pool or _CODE_OF_A_CARD.fullmatch(part) for part in token.split(".")):
                yield node.lineno, token


def unknown_arguments(module: Module) -> Iterator[tuple[int, str]]:
    """Yield line and name of each argument that the *Args* of a function describe and that it does not have."""
    for node in module.documented:
        if not isinstance(node, ast.ClassDef):
            _, _, after = (ast.get_docstring(node) or "").partition("\nArgs:\n")
            given = node.args
            own = {argument.arg for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs)}
            own |= {argument.arg for argument in (given.vararg, given.kwarg) if argument is not None}
            for name in _ARGUMENT.findall(re.split(r"\n\w", after)[0]):
                if name not in own:
                    yield node.lineno, name


def stale_names(below: Iterable[str] = ("companion", "calibration")) -> Iterator[str]:
    """Yield each name in a docstring that nothing in its file, or in a file that it imports or that imports it, has."""
    modules = {path: read_module((ROOT / path).read_text(encoding="utf-8")) for path in sources(below=below)}
    paths = {".".join(path.with_suffix("").parts).removesuffix(".__init__"): path for path in modules}
    neighbours: dict[Path, set[Path]] = defaultdict(set)
    for path, module in modules.items():
        for other in (paths[name] for name in module.imports if name in paths):
            neighbours[path].add(other)
            neighbours[other].add(path)
    for path, module in modules.items():
        pool = module.names.union(ELSEWHERE, *(modules[other].names for other in neighbours[path]))
        yield from (f"{path}:{line}: ``{token}``" for line, token in unknown_tokens(module, pool))
        yield from (f"{path}:{line}: Args: {name}" for line, name in unknown_arguments(module))
