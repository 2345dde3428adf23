"""Make the pictures of the user guide: ``python -m tests.guide.make [SCENE...]``.

Seeded games are played by bots, shown in a real Chromium, and written to docs/guide/pictures.
"""

import argparse
import sys

from tests.guide import other_games, readme, scenes
from tests.guide.camera_man import MOST_BYTES, PICTURES, camera_man
from tests.guide.stage import stage

MOST_IN_ALL = 1_600_000
"""The guide is fetched with every clone."""


def most_bytes(name: str) -> int:
    """Return the largest size of a picture; the README's shows two screens."""
    return readme.MOST_BYTES if name == readme.NAME else MOST_BYTES


def main() -> int:
    """Make the pictures that were asked for, or all; return 1 when one, or all together, came out too large."""
    by_name = {scene.__name__: scene for scene in (*scenes.SCENES, *other_games.SCENES, *readme.SCENES)}
    parser = argparse.ArgumentParser(prog="python -m tests.guide.make", description=__doc__)
    parser.add_argument("scene", nargs="*", help=f"of {', '.join(by_name)}; all when none is named")
    asked: list[str] = parser.parse_args().scene
    if unknown := set(asked) - set(by_name):
        parser.error(f"no such scene: {', '.join(sorted(unknown))}")
    PICTURES.mkdir(parents=True, exist_ok=True)
    with stage() as opened, camera_man(opened, PICTURES) as man:
        for name in asked or by_name:
            by_name[name](man)
    for name, size in man.written.items():
        sys.stdout.write(f"{size:7,}  {name}\n")
    total = sum(path.stat().st_size for path in PICTURES.glob("*.png"))
    sys.stdout.write(f"{total:7,}  in all\n")
    return int(total > MOST_IN_ALL or any(size > most_bytes(name) for name, size in man.written.items()))


if __name__ == "__main__":
    raise SystemExit(main())
