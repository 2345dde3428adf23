"""A fair sample of the mutants that mutmut has made, and what became of them.

    python -m benchmarks.mutants draw 500     # their names, for mutmut run
    python -m benchmarks.mutants tell 500     # the share killed, file by file, and the survivors

How to run it all: CONTRIBUTING.md.
"""

import json
import random
import sys
from collections import defaultdict
from pathlib import Path

SEED = 20_250_101
LEAST = 3
"""So many at least of every file that has them."""
FATES = {0: "survived", 5: "no test", 33: "no test", 36: "killed", 24: "killed", None: "not run"}
"""Exit codes in mutmut's files; 36 and 24 are a test that never ended, all others a test that failed."""


def made() -> dict[str, dict[str, int | None]]:
    """Give all mutants by source file, each with its exit code."""
    found = {}
    for path in sorted(Path("mutants/companion").rglob("*.meta")):
        codes = json.loads(path.read_text())["exit_code_by_key"]
        if codes:
            found[str(path.relative_to("mutants")).removesuffix(".meta")] = codes
    return found


def drawn(mutants: dict[str, dict[str, int | None]], number: int) -> dict[str, list[str]]:
    """Draw from every file its share, by lots that can be repeated."""
    lots = random.Random(SEED)  # noqa: S311 - a sample, no secret
    everything = sum(map(len, mutants.values()))
    return {
        file: sorted(lots.sample(sorted(codes), min(len(codes), max(LEAST, round(number * len(codes) / everything)))))
        for file, codes in mutants.items()
    }


def fate(code: int | None) -> str:
    """Say what an exit code means."""
    return FATES.get(code, "killed")


def main() -> None:
    """Draw, or tell."""
    mutants = made()
    sample = drawn(mutants, int(sys.argv[2]))
    if sys.argv[1] == "draw":
        print("\n".join(name for names in sample.values() for name in names))
        return
    total: dict[str, int] = defaultdict(int)
    survivors = []
    for file, names in sample.items():
        fates: dict[str, int] = defaultdict(int)
        for name in names:
            told = fate(mutants[file][name])
            fates[told] += 1
            total[told] += 1
            if told not in ("killed", "not run"):
                survivors.append(name)
        print(f"{file:62} {', '.join(f'{number} {told}' for told, number in sorted(fates.items()))}")
    run = sum(number for told, number in total.items() if told != "not run")
    print(f"{total['killed']} of {run} killed ({100 * total['killed'] / max(1, run):.1f} %)")
    print("\n".join(survivors))


if __name__ == "__main__":
    main()
