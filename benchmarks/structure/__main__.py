"""How the project is built, as a table in Markdown.

    python -m benchmarks.structure [--list]

Modules of a command and a card are those whose functions are entered when the same was done once before: a command
through HTTP until its transaction is on the disk, a card under the simulated camera until its proposal can be read.
``--list`` names them too, and the files of each endpoint.
"""

import argparse
from collections.abc import Iterator

from benchmarks.structure.endpoints import files_for_each, middle_and_most
from benchmarks.structure.sources import SMALL, Sources
from benchmarks.structure.traced import Traced, traced

OF_SAYING = ("Give", "Say", "Tell", "Take")
FREQUENT = 12


def rows(sources: Sources, followed: Traced) -> Iterator[tuple[str, str]]:
    """Yield what is counted, with its figure."""
    files, single = len(sources.paths), sources.with_one_importer()
    small = sum(sources.lines_of(name) <= SMALL for name in single)
    usual, most = middle_and_most(files_for_each(sources, followed.openapi))
    openings = sources.docstring_openings()
    yield "code files", f"{files:,}"
    yield "lines of code", f"{sources.lines:,} ({sources.lines / files:.0f} a file)"
    yield "imports between them", f"{len(sources.imports()):,}"
    yield "files with a single importer", f"{len(single)} ({small} of at most {SMALL} lines)"
    for what, entered in (
        ("a command until it is on the disk", followed.command),
        ("a card until its proposal", followed.card),
    ):
        yield f"modules entered by {what}", f"{len(entered.modules)} ({len(entered.functions)} functions)"
    yield "files for a JSON endpoint", f"{usual:g} (at most {most})"
    old_openings = sum(openings[word] for word in OF_SAYING)
    yield f"docstrings of functions that begin with {', '.join(OF_SAYING)}", str(old_openings)
    frequent = ", ".join(f"{word} {count}" for word, count in openings.most_common(FREQUENT))
    yield f"of {openings.total():,} docstrings of functions begin with", frequent


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.structure", description=__doc__)
    parser.add_argument("--list", action="store_true", help="name the modules that are entered, and files of endpoints")
    options = parser.parse_args()
    sources, followed = Sources(), traced()
    print("\n| counted | |\n|---|---|")
    for what, figure in rows(sources, followed):
        print(f"| {what} | {figure} |")
    if options.list:
        for what, entered in (("command", followed.command), ("card", followed.card)):
            print(f"\n{what}:", *sorted(entered.modules), sep="\n  ")
        for path, modules in files_for_each(sources, followed.openapi).items():
            print(f"{len(modules)} {path}: {', '.join(sorted(modules))}")


if __name__ == "__main__":
    main()
