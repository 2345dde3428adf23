"""Compare the kept games of bots with today's rules, or play them anew.

``python -m tests.golden_bots.make`` names every answer that differs; ``--play`` plays the games anew and keeps them.
"""

import json
import sys

from tests.golden_bots.playing import decided_again, path_of, played, scripted
from tests.golden_bots.recipes import GAMES, RECIPES, Recipe
from tests.golden_bots.scripts import SCRIPTS, Script
from tests.golden_bots.wrong import Json

GOLDEN: tuple[Recipe | Script, ...] = (*RECIPES, *SCRIPTS)


def kept(recipe: Recipe | Script) -> list[Json]:
    """Read a kept game."""
    return [json.loads(line) for line in path_of(recipe).read_text("utf-8").splitlines()]


def differences(recipe: Recipe | Script) -> list[str]:
    """Name the commands whose answers differ from what is kept."""
    again = decided_again(kept(recipe), GAMES[recipe.game])
    return [
        f"{recipe.game}/{recipe.name}, line {number}: {line.get('command', 'the last position')}"
        for number, (line, today) in enumerate(again, start=1)
        if line != json.loads(json.dumps(today))
    ]


def main() -> int:
    """Do what was asked; 1 where something differs."""
    if "--play" in sys.argv[1:]:
        for recipe in GOLDEN:
            answered = scripted(recipe) if isinstance(recipe, Script) else played(recipe)
            lines = [json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in answered]
            path_of(recipe).parent.mkdir(exist_ok=True)
            path_of(recipe).write_text("\n".join(lines) + "\n", "utf-8")
            sys.stdout.write(f"{recipe.game}/{recipe.name}: {len(lines)} lines\n")
        return 0
    all_differences = [difference for recipe in GOLDEN for difference in differences(recipe)]
    sys.stdout.write(
        "".join(f"{difference}\n" for difference in all_differences)
        + f"{len(all_differences)} differences in {len(GOLDEN)} games\n"
    )
    return 1 if all_differences else 0


if __name__ == "__main__":
    sys.exit(main())
