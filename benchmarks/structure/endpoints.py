"""How many files of the web package describe one JSON endpoint: where it is handled, registered and documented."""

import ast
import re
from collections.abc import Iterator, Mapping
from statistics import median
from typing import Any

from benchmarks.structure.sources import Sources

API = "/api/v1"
WEB, ROUTES, PAGES = "companion.web", "companion.web.api", "companion.web.pages"


def files_for_each(sources: Sources, openapi: Mapping[str, Any]) -> dict[str, set[str]]:
    """Return the modules that describe each documented path.

    They are those in which its path is written (to route or to describe it), those that register the routing module,
    and those that define the schemas which its description names.
    """
    web = {name: tree for name, tree in sources.trees.items() if name.startswith(WEB)}
    definitions = {name: module for module, tree in web.items() for name in _defined(tree)}
    written = {module: set(_paths_written(tree)) for module, tree in web.items() if not module.startswith(PAGES)}
    imports = [edge for edge in sources.imports() if edge.importer in web]
    modules_of: dict[str, set[str]] = {}
    for path, item in openapi["paths"].items():
        writing = {module for module, forms in written.items() if _form(path) in forms}
        routing = {module for module, forms in written.items() if module.startswith(ROUTES) and _routed(path, forms)}
        registering = {edge.importer for edge in imports if edge.imported in routing and edge.importer == ROUTES}
        defining = {definitions[name] for name in _schemas(item) if name in definitions}
        modules_of[path] = writing | routing | registering | defining
    return modules_of


def middle_and_most(modules_of: Mapping[str, set[str]]) -> tuple[float, int]:
    """Return the median and the largest number of files."""
    counts = [len(modules) for modules in modules_of.values()]
    return median(counts), max(counts)


def _form(path: str) -> str:
    """Return a path below the interface with its parameters unnamed."""
    return re.sub(r"<[^>]*>|\{[^}]*\}", "*", path.removeprefix(API))


def _routed(path: str, forms: set[str]) -> bool:
    """Return whether a path is among these, or one of them below the prefix that another one is."""
    form = _form(path)
    return any(form == prefix or (form.startswith(prefix) and form[len(prefix) :] in forms) for prefix in forms)


def _paths_written(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("/"):
            yield _form(node.value)


def _defined(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Dict):
            yield from (key.value for key in node.keys if isinstance(key, ast.Constant) and isinstance(key.value, str))


def _schemas(part: Any) -> set[str]:
    if isinstance(part, dict):
        reference = part.get("$ref")
        own = (
            {str(reference).rsplit("/", 1)[-1]}
            if isinstance(reference, str) and "/schemas/" in reference
            else set[str]()
        )
        return own.union(*map(_schemas, part.values()))
    return set[str]().union(*map(_schemas, part)) if isinstance(part, list) else set[str]()
