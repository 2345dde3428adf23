"""How soon the program serves again after its plug was pulled, and whether anything was lost.

    python -m benchmarks.kills [TIMES]

The real program over HTTP, ended with ``kill -9`` at any moment: while it answers commands, while it takes whole games
in (a fifth as often), and in the midst of a restore (a fifth as often).
"""

import random
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.arguments import parse_arguments
from tests.cli.plug import SAVED_ENTRIES, Plug
from tests.cli.running import companion

TIMES, SHARE = 200, 5


def main() -> int:
    """Pull, and print."""
    times: int = parse_arguments(__doc__, times=TIMES).times
    with tempfile.TemporaryDirectory() as folder:
        plug = Plug(Path(folder) / "data", random.Random(1))  # noqa: S311 - moments that can be repeated, no secret
        plug.begin()
        plug.pulled_during_commands(times)
        entries, _ = plug.kept()
        sequence_numbers = {entry["seq"] for entry in entries}
        lost = len(set(plug.commands.values()) - sequence_numbers)
        doubled = len(entries) - 1 - len(plug.commands)
        print(
            f"commands  {times} kills ({plug.unanswered} with a request under way), {len(plug.commands)} acknowledged,"
        )
        print(f"          {lost} lost, {max(0, doubled - 1)} doubled; {_lines(plug.restarts)}", flush=True)
        plug.restarts.clear()
        plug.pulled_during_imports(times // SHARE)
        _, tables = plug.kept()
        others = {name: size for name, size in tables.items() if name != plug.table}
        torn = sum(size != SAVED_ENTRIES for size in others.values())
        missing = len(set(plug.games.values()) - set(others))
        print(f"imports   {times // SHARE} kills, {len(plug.games)} acknowledged, {missing} lost, {torn} half there;")
        print(f"          {_lines(plug.restarts)}", flush=True)
        plug.restarts.clear()
        backup = Path(folder) / "kept.zip"
        assert companion("backup", str(backup), "--data", str(plug.data)).code == 0  # noqa: S101 - it ends here
        counts = [len(restored_tables) for restored_tables in plug.pulled_during_restores(times // SHARE, backup)]
        broken = sum(count != len(tables) for count in counts)
        print(f"restores  {times // SHARE} kills, {broken} with anything missing; {_lines(plug.restarts)}")
    return 1 if lost or missing or torn or broken else 0


def _lines(restarts: list[float]) -> str:
    return f"serves again after {median(restarts):.2f} s, slowest {max(restarts):.2f} s"


if __name__ == "__main__":
    raise SystemExit(main())
