"""A fair sample of the mutants that mutmut has made, and what became of them.

    python -m benchmarks.mutants draw 500     # their names
    python -m benchmarks.mutants run 500      # put the tests to them, each in a process of its own; again: goes on
    python -m benchmarks.mutants tell 500     # the share killed, file by file, and the survivors

How to run it all: CONTRIBUTING.md.
"""

import json
import os
import random
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from benchmarks.arguments import create_parser
from benchmarks.mutant_trials import FATES as TRIED
from benchmarks.mutant_trials import NAMES, read_fates

READS_SOURCES = "test_the_kept_games_meet_every_refusal_of_a_command"
MADE = Path("mutants")
"""The folder that mutmut makes."""
SEED = 20_250_101
LEAST = 3
"""So many at least of every file that has them."""
FATES = {0: "survived", 5: "no test", 33: "no test", 36: "killed", 24: "killed", None: "not run"}
"""Exit codes in mutmut's files; 36 and 24 are a test that never ended, all others a test that failed."""


def made() -> dict[str, dict[str, int | None]]:
    """Return all mutants by source file, each with its exit code."""
    mutants = {}
    tried = read_fates(MADE / TRIED)
    for path in sorted((MADE / "companion").rglob("*.meta")):
        codes = json.loads(path.read_text())["exit_code_by_key"]
        if codes:
            mutants[str(path.relative_to(MADE)).removesuffix(".meta")] = {
                name: tried.get(name, code) for name, code in codes.items()
            }
    return mutants


def drawn(mutants: dict[str, dict[str, int | None]], number: int) -> dict[str, list[str]]:
    """Draw from every file its share, by lots that can be repeated."""
    lots = random.Random(SEED)  # noqa: S311 - a sample, no secret
    everything = sum(map(len, mutants.values()))
    return {
        file: sorted(lots.sample(sorted(codes), min(len(codes), max(LEAST, round(number * len(codes) / everything)))))
        for file, codes in mutants.items()
    }


def fate(code: int | None) -> str:
    """Return what an exit code means."""
    return FATES.get(code, "killed")


def run(names: list[str]) -> None:
    """Put the tests that mutmut would choose to these mutants."""
    (MADE / NAMES).write_text("\n".join(names), encoding="utf-8")
    position = str(Path.cwd())
    plugin = ["-q", "-p", "benchmarks.mutant_trials", "-p", "no:cacheprovider", "--rootdir=."]
    # Random games take too long; what reads the sources finds a thousand mutants in them.
    without = [f"--ignore-glob=*{pattern}*" for pattern in ("test_random_", "test_bots", "test_words")]
    without.append("--deselect=tests/golden_bots/test_golden_bots.py::" + READS_SOURCES)
    paths = os.pathsep.join([str(MADE.resolve()), position, os.environ.get("PYTHONPATH", "")])
    subprocess.run(
        [sys.executable, "-m", "pytest", *plugin, *without, "tests/engine", "tests/games", "tests/golden_bots"],
        cwd=MADE,
        env={**os.environ, "CI": "true", "MUTANT_UNDER_TEST": "", "PYTHONPATH": paths},
        check=False,
    )


def tell(mutants: dict[str, dict[str, int | None]], sample: dict[str, list[str]]) -> None:
    """Print what became of a sample."""
    total: dict[str, int] = defaultdict(int)
    survivors = []
    for file, names in sample.items():
        fates: dict[str, int] = defaultdict(int)
        for name in names:
            became = fate(mutants[file][name])
            fates[became] += 1
            total[became] += 1
            if became not in ("killed", "not run"):
                survivors.append(name)
        print(f"{file:62} {', '.join(f'{number} {became}' for became, number in sorted(fates.items()))}")
    tried = sum(number for became, number in total.items() if became != "not run")
    print(f"{total['killed']} of {tried} killed ({100 * total['killed'] / max(1, tried):.1f} %)")
    print("\n".join(survivors))


def main() -> None:
    """Draw, run or tell."""
    parser = create_parser(__doc__)
    parser.add_argument("act", choices=["draw", "run", "tell"])
    parser.add_argument("number", metavar="NUMBER", type=int, help="how many mutants the sample has")
    options = parser.parse_args()
    mutants = made()
    sample = drawn(mutants, options.number)
    names = [name for names in sample.values() for name in names]
    match options.act:
        case "draw":
            print("\n".join(names))
        case "run":
            run(names)
        case _:
            tell(mutants, sample)


if __name__ == "__main__":
    main()
