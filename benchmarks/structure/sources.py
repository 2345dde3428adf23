"""Counts that need no run: files, lines, imports, docstrings."""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("companion", "calibration")
SMALL = 60


class Import(NamedTuple):
    """A module of the project that imports another one."""

    importer: str
    imported: str


class Sources:
    """The modules of the project, parsed."""

    def __init__(self, root: Path = ROOT) -> None:
        """Read and parse every module below the packages."""
        self.root = root
        self.paths = {
            module_name(path.relative_to(root)): path for top in PACKAGES for path in (root / top).rglob("*.py")
        }
        self.texts = {name: path.read_text(encoding="utf-8") for name, path in self.paths.items()}
        self.trees = {name: ast.parse(text) for name, text in self.texts.items()}

    @property
    def lines(self) -> int:
        """Return the number of lines of all modules."""
        return sum(map(self.lines_of, self.paths))

    def lines_of(self, module: str) -> int:
        """Return the number of lines of a module."""
        return len(self.texts[module].splitlines())

    def imports(self) -> set[Import]:
        """Return each pair of modules of which one imports the other, wherever in the file it does."""
        return {Import(name, target) for name, tree in self.trees.items() for target in self._targets(tree)}

    def _targets(self, tree: ast.Module) -> Iterator[str]:
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names if alias.name in self.paths)
            elif isinstance(node, ast.ImportFrom) and node.module in self.paths:
                for alias in node.names:
                    inner = f"{node.module}.{alias.name}"
                    yield inner if inner in self.paths else node.module

    def with_one_importer(self) -> list[str]:
        """Return the modules that exactly one other module imports."""
        importers = Counter(edge.imported for edge in self.imports())
        return [name for name, count in importers.items() if count == 1]

    def docstring_openings(self) -> Counter[str]:
        """Return how many docstrings of functions begin with which word."""
        nodes = (node for tree in self.trees.values() for node in ast.walk(tree))
        functions = (node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
        texts = (text for function in functions if (text := ast.get_docstring(function)))
        return Counter(text.split()[0].rstrip(".,:;") for text in texts)


def module_name(path: Path) -> str:
    """Return the dotted name of a module by its path from the root."""
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
