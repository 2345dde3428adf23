"""Compare the golden games with today's rules, accept what was wanted, or play them anew.

``python -m tests.golden.make`` names every command whose answer differs; ``--accept`` stores today's answers and
reports; ``--play`` first plays the steered games anew and writes their play files (the others are written by hand).
"""

import argparse
import sys

from tests.golden.deciding import checked, decided
from tests.golden.recipes import RECIPES
from tests.golden.report import report
from tests.golden.steering import play_all
from tests.golden.stored import FOLDER, GoldenGame, golden_games

MOST_BYTES = 1_500_000
"""Golden games are read by people and fetched with every clone."""


def main() -> int:
    """Do what was asked; 1 when something differs or the games have grown too large."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden.make", description=__doc__)
    parser.add_argument("--accept", action="store_true", help="store today's answers and reports")
    parser.add_argument("--play", action="store_true", help="play the steered games anew first")
    asked = parser.parse_args()
    if asked.play:
        for name, lines in play_all(RECIPES):
            (FOLDER / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            _say(f"{name}: played, {len(lines)} lines")
    if not (asked.accept or asked.play):
        return _compare()
    for game in golden_games():
        _accept(game)
    if size() > MOST_BYTES:
        _say(f"{size():,} bytes are more than {MOST_BYTES:,}: shorten or drop a game")
        return 1
    return 0


def _compare() -> int:
    differences = [difference for game in golden_games() for difference in checked(game).drift]
    for difference in differences:
        _say(difference)
    _say(f"{len(differences)} differences in {len(golden_games())} games")
    return 1 if differences else 0


def _accept(game: GoldenGame) -> None:
    """Store what a game leads to today; where nothing differs, its files stay as they are."""
    table, answers = decided(game)
    today = report(game, table, answers)
    if (answers, today) != (game.answers, game.report):
        game.keep(answers, today)
        _say(f"{game.name}: accepted")


def size() -> int:
    """Return how many bytes the golden games take in all."""
    return sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file())


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main())
