"""How many throws of two dice are told from one look, and how long a look takes.

    python -m benchmarks.dice [THROWS] [FIRST]     # 300 in five minutes

Cards are laid down while a throw is awaited, too: how often their labels and art are taken for two dice is a row of its
own.  Beside it stands what counting pips alone would say: every spot that OpenCV's blob detector finds is a pip.
"""

import time
from collections import Counter

import cv2
import numpy as np

from benchmarks.arguments import parse_arguments
from benchmarks.finder.view import view
from companion.qr.sighting import Picture
from companion.vision.dice.reader import read_dice
from tests.vision.throws import WIDTH, throw

FIRST = 7_000


def main() -> None:
    """Render throws, and count what is told of them."""
    options = parse_arguments(__doc__, throws=300, first=FIRST)
    throws, first = options.throws, options.first
    verdicts, counted, cards, seconds = Counter[str](), Counter[str](), Counter[str](), 0.0
    for seed in range(first, first + throws):
        thrown = throw(seed)
        begun = time.perf_counter()
        faces = sorted(die.face for die in read_dice(thrown.image, 2))
        seconds += time.perf_counter() - begun
        verdicts["asked" if not faces else "right" if faces == sorted(thrown.faces) else "wrong"] += 1
        counted["right" if pips(thrown.image) == sum(thrown.faces) else "wrong"] += 1
        laid = np.asarray(
            cv2.cvtColor(view(np.random.default_rng([seed, 5]), WIDTH).grey, cv2.COLOR_GRAY2BGR), np.uint8
        )
        cards["claimed" if read_dice(laid, 2) else "none"] += 1
    rows = (
        ("read_dice", verdicts),
        ("blob detector, the sum alone", counted),
        ("dice where only cards lie", cards),
    )
    for what, outcomes in rows:
        shares = ", ".join(f"{count / throws:.1%} {outcome}" for outcome, count in sorted(outcomes.items()))
        print(f"{what:30} {shares}")
    print(f"{'a look':30} {seconds / throws * 1e3:.0f} ms at 480 x 360")


def pips(image: Picture) -> int:
    """Count dark and light spots as OpenCV finds them."""
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    settings = cv2.SimpleBlobDetector.Params()
    settings.filterByArea, settings.minArea, settings.maxArea = True, 6, 500
    settings.filterByColor = False
    return len(cv2.SimpleBlobDetector.create(settings).detect(grey))


if __name__ == "__main__":
    main()
