"""Reading rates of each form of the label: by the whole pipeline over a table, and by plain readers in close-ups.

    python -m benchmarks.labels [FORM [SCENES]]

One form a run, for the pipeline learns the form of the standard label when it is loaded.
"""

import companion.vision.label.label as label_module
from benchmarks.arguments import create_parser
from companion.vision.label.label import LabelLayout, draw_label

FORMS = {
    "frame": LabelLayout(),
    "frame-1.5": LabelLayout(quiet_modules=1.5),
    "frame-margin": LabelLayout(margin_mm=0.8),
    "corners": LabelLayout(arms=0.3),
    "none": LabelLayout(frame_mm=0.0),
}

_parser = create_parser(__doc__)
_parser.add_argument("form", nargs="?", choices=list(FORMS), default="frame")
_parser.add_argument("scenes", metavar="SCENES", nargs="?", type=int, default=4)
OPTIONS = _parser.parse_args()
FORM: str = OPTIONS.form
label_module.STANDARD_LABEL = FORMS[FORM]

import cv2  # noqa: E402 - after the form has been set
import numpy as np  # noqa: E402
import zxingcpp  # noqa: E402
from pyzbar import pyzbar  # noqa: E402

from benchmarks.scenes import CARDS, DECK, shoot  # noqa: E402
from companion.qr.sighting import GreyPicture  # noqa: E402
from companion.vision.read import read_codes  # noqa: E402

CLOSE_UPS = 60


def close_up(card: str, random: np.random.Generator) -> GreyPicture:
    """Return a label as a phone sees it: 5 to 12 pixels a module, leaning, softened, on a card of some grey."""
    layout = FORMS[FORM]
    label = draw_label(f"MB1{card}", card, 24.0, layout)
    picture = np.full((1000, 1000), int(random.integers(30, 240)), np.uint8)
    picture[200:800, 200:800] = label * 0.85 + 25
    side = random.uniform(5, 12) * layout.side_mm / layout.module_mm
    middle, turn = np.array([400.0, 400.0]), random.uniform(0, 2 * np.pi)
    corners = middle + side / 2 * np.array(
        [(np.cos(turn + quarter), np.sin(turn + quarter)) for quarter in np.pi / 2 * np.arange(4)]
    ) * np.sqrt(2)
    corners += random.uniform(-0.06, 0.06, (4, 2)) * side
    square = np.array([(200, 200), (800, 200), (800, 800), (200, 800)], np.float32)
    seen = cv2.warpPerspective(
        picture, cv2.getPerspectiveTransform(square, corners.astype(np.float32)), (800, 800), borderValue=(120,)
    )
    soft = cv2.GaussianBlur(seen, (0, 0), random.uniform(0.5, 2.0)) * random.uniform(0.5, 1.0)
    return np.clip(soft + random.normal(0, 5, soft.shape), 0, 255).astype(np.uint8)


def main() -> None:
    """Print one line for close-ups and one for each severity."""
    random = np.random.default_rng(7)
    read = dict.fromkeys(("zxing-cpp", "pyzbar", "cv2"), 0)
    detector = cv2.QRCodeDetector()
    for number in range(CLOSE_UPS):
        card = CARDS[number % len(CARDS)]
        picture, text = close_up(card, random), f"MB1{card}"
        read["zxing-cpp"] += any(code.text == text for code in zxingcpp.read_barcodes(picture))
        read["pyzbar"] += any(code.data.decode() == text for code in pyzbar.decode(picture))
        read["cv2"] += detector.detectAndDecode(picture)[0] == text
    print(FORM, "close-ups", {name: f"{100 * count / CLOSE_UPS:.0f} %" for name, count in read.items()})
    scenes: int = OPTIONS.scenes
    for severity in ("mild", "medium", "hard"):
        hits = there = wrong = 0
        for seed in range(scenes):
            shot = shoot(severity, seed, layout=FORMS[FORM])
            texts = {seen.text for seen in read_codes(shot.frames[0], "frame", DECK)}
            hits, there = hits + len(texts & shot.labels.keys()), there + len(shot.labels)
            wrong += len(texts - shot.labels.keys())
        print(FORM, severity, f"{100 * hits / there:.1f} %, not in view {wrong}")


if __name__ == "__main__":
    main()
