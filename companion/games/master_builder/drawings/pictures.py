"""Pictures of events and economic situations, one for each kind of effect, so that own cards have one too.

The big screen and paper draw them from the same parts, on a ground of 760 x 560.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.game_api.drawing import DrawnShape, Polygon, Rectangle, moved
from companion.game_api.outlines import trace

WIDTH, HEIGHT = 760.0, 560.0
MOST_KINDS = 3
"""Pictures for no, one, two and at least so many contracts."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a picture: its tone, and its outline as an SVG path, moved by ``x`` and ``y``."""

    tone: str
    outline: str
    x: float = 0
    y: float = 0


@dataclass(frozen=True, slots=True)
class Tone:
    """Colours of a tone on paper, those of the big screen by day (``turned.css``)."""

    fill: str | None
    line: str | None = None
    thick: float = 4


TONES = {
    "sky": Tone("#dde5dc"),
    "sun": Tone("#f3dda6"),
    "far": Tone("#bfcbbd"),
    "mid": Tone("#a9b794"),
    "near": Tone("#93a07c"),
    "house": Tone("#9ba69b"),
    "fog": Tone("#f4f1e6"),
    "wood": Tone("#6e4e33"),
    "dark": Tone("#3b2a1c"),
    "plaster": Tone("#f1e4c9"),
    "tile": Tone("#b9653f"),
    "glass": Tone("#5f7c85"),
    "water": Tone("#6f97a3"),
    "silver": Tone("#dde2e4"),
    "bird": Tone("#57646b"),
    "skin": Tone("#e7c29c"),
    "stone": Tone("#cdbfa3", "#a08f70"),
    "gold": Tone("#e0b23f", "#6e4e33", 3),
    "sack": Tone("#f1e4c9", "#6e4e33"),
    "cloth-red": Tone("#a63a2e"),
    "cloth-green": Tone("#46703a"),
    "cloth-gold": Tone("#e0b23f"),
    "thin": Tone(None, "#a08f70"),
    "line": Tone(None, "#57646b", 5),
    "beam": Tone(None, "#6e4e33", 10),
    "reed": Tone(None, "#5e6b3f", 6),
}


def event_picture(effects: Sequence[Mapping[str, Any]]) -> str:
    """Return the picture for an event: the kind of its first effect, and of the others where that tells more."""
    deeds = [effect["do"] for effect in effects]
    if not deeds:
        return "manual"
    first = effects[0]
    match first["do"]:
        case "unavailable":
            if "receive" in deeds:
                return "fair"
            return "fog" if first.get("quirk") else "away"
        case "wage_change":
            return "cheaper" if first["amount"] < 0 else "dearer"
        case "receive" | "pay":
            return "supper" if {"receive", "pay"} <= set(deeds) else str(first["do"])
        case deed:
            return str(deed)


def economy_picture(reveal: Sequence[int]) -> str:
    """Return the picture for an economic situation that turns up so many contracts for 2, 3 and 4 players.

    It is that of three players, whoever plays: paper does not know it, and a card looks as its picture on a screen.
    """
    return f"work-{min(reveal[1], MOST_KINDS)}"


def picture_parts(kind: str) -> tuple[Part, ...]:
    """Return the parts of a picture, the later over the earlier; of an unknown kind, what the table settles itself."""
    return (*_land(), *PICTURES.get(kind, _manual)())


def draw_picture(kind: str, x: float, y: float, width: float) -> tuple[DrawnShape, ...]:
    """Draw a picture for paper, its upper left corner at a place, in a thin frame."""
    shapes: list[DrawnShape] = []
    for part in picture_parts(kind):
        tone = TONES[part.tone]
        for line in trace(part.outline):
            points = tuple((part.x + left, part.y + top) for left, top in line.points)
            shapes.append(Polygon(points, tone.fill, tone.line, tone.thick, closed=line.closed))
    scale = width / WIDTH
    frame = Rectangle(x, y, width, HEIGHT * scale, line=TONES["thin"].line, thick=0.2)
    return (*moved(shapes, x, y, scale), frame)


HATS = {
    "A": ("M36 44c0-18 10-26 24-26s24 8 24 26z", "M32 44h44v7H32z"),
    "T": ("M40 36c2-14 8-20 20-20s18 6 20 20z", "M26 36h68v8H26z"),
    "F": ("M38 38c4-16 10-20 22-20s18 6 22 20z", "m28 40 64-4v8l-64 4z"),
    "MC": ("M41 38V4h38v34z", "M28 36h64v8H28z"),
}
"""The hat by which each rank is known, in the 120 by 130 units of the screens' builders."""
FEATHER = "M80 36c2-16 8-26 20-30-2 16-8 26-16 31z"
BAND = "M41 28h38v7H41z"


def draw_builder(kind: str, x: float, y: float, width: float, colour: str) -> tuple[DrawnShape, ...]:
    """Draw a builder of a rank for paper, the upper left corner at a place: hat and coat in the colour of the rank."""
    hem, skin, gold = "#2a1a12", "#e9b98d", "#e3a436"
    parts = [
        ("M14 130c0-34 12-50 46-50s46 16 46 50z", colour),
        ("m46 82 14 20 14-20z", "#f3e9d8"),
        ("M50 70h20v16l-10 9-10-9z", skin),
        ("M37 52a23 23 0 1 0 46 0a23 23 0 1 0-46 0z", skin),
        *((hat, colour) for hat in HATS[kind]),
        *([(FEATHER, gold)] if kind == "F" else [(BAND, gold)] if kind == "MC" else []),
        *((f"M{left} 51a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0-5.2 0z", hem) for left in (48.4, 66.4)),
    ]
    shapes: list[DrawnShape] = [
        Polygon(tuple(line.points), fill, hem, 2.5, closed=line.closed)
        for outline, fill in parts
        for line in trace(outline)
    ]
    shapes.extend(Polygon(tuple(line.points), None, hem, 2.5, closed=False) for line in trace("M52 62q8 6 16 0"))
    return moved(shapes, x, y, width / 120)


def _disc(tone: str, x: float, y: float, radius: float) -> Part:
    across = 2 * radius
    return Part(tone, f"M{-radius} 0a{radius} {radius} 0 1 0 {across} 0a{radius} {radius} 0 1 0 {-across} 0z", x, y)


def _bar(tone: str, x: float, y: float, width: float, height: float, corner: float) -> Part:
    """Return a rectangle with round corners."""
    r, across, down = corner, width - 2 * corner, height - 2 * corner
    sides = f"h{across}a{r} {r} 0 0 1 {r} {r}v{down}a{r} {r} 0 0 1 {-r} {r}h{-across}a{r} {r} 0 0 1 {-r} {-r}v{-down}"
    return Part(tone, f"M{r} 0{sides}a{r} {r} 0 0 1 {r} {-r}z", x, y)


def _land() -> list[Part]:
    """Return the hills that lie in all pictures."""
    return [
        Part("sky", "M0 0h760v560H0z"),
        _disc("sun", 290, 150, 70),
        Part("far", "M0 330 150 250l90 50 150-130 130 120 90-60 150 90v230H0z"),
        Part("mid", "M0 372q190-60 380-14t380-24v226H0z"),
        Part("near", "M0 452q250-34 430-10t330-16v134H0z"),
    ]


def _cloud(x: float, y: float, wide: float) -> list[Part]:
    """Return a flat cloud."""
    return [
        _bar("fog", x, y, wide, 26, 13),
    ]


def _birds() -> list[Part]:
    """Return two birds far away."""
    return [
        Part("line", "M500 96q13-13 26 2 13-15 26-2M582 132q11-11 22 2 11-13 22-2"),
    ]


def _figure(x: float, foot: float, hat: str) -> list[Part]:
    """Return somebody from behind, with a hat of a colour."""
    return [
        Part("wood", "M-13-34h10V0h-14zM3-34h10L17 0H3z", x, foot),
        Part(f"cloth-{hat}", "M-23-30c0-42 8-58 23-58s23 16 23 58z", x, foot),
        _disc("skin", x, foot - 102, 16),
        Part("wood", "M-24-106h48v-6h-8c-2-14-8-18-16-18s-14 4-16 18h-8z", x, foot),
    ]


def _coins(x: float, foot: float, many: int) -> list[Part]:
    """Return a pile of coins."""
    return [_bar("gold", x, foot - 15 - 15 * coin, 58, 14, 5) for coin in range(many)]


def _tower(x: float, foot: float) -> list[Part]:
    """Return a tower in its scaffold."""
    return [
        Part("stone", "M-66 0v-200h24v26h22v-26h40v26h22v-26h24V0z", x, foot),
        Part("thin", "M-66-130H66M-66-90H66M-66-50H66M-20-174v44M30-130v40M-34-90v40M18-50V0", x, foot),
        Part("glass", "M-17-66v-34a17 18 0 0 1 34 0v34z", x, foot),
        Part("beam", "M-94 0v-190M94 0v-190M-106-132h212M-106-56h212M-94-56l188-76", x, foot),
    ]


def _houses(x: float, foot: float) -> list[Part]:
    """Return two new houses."""
    return [
        Part("plaster", "M-130 0v-84l50-60 50 60V0zM-30 0v-110l62-66 62 66V0z", x, foot),
        Part("tile", "m-142-78 62-74 62 74zM-44-104l76-80 76 80z", x, foot),
        Part("wood", "M-94 0v-44h28V0zM18 0v-52h30V0z", x, foot),
        Part("glass", "M16-92h32v26H16zM-94-70h28v18h-28z", x, foot),
    ]


def _tent(x: float, foot: float, cloth: str) -> list[Part]:
    """Return the tent of a fair."""
    return [
        Part("plaster", "M-82 0v-78H82V0z", x, foot),
        Part(f"cloth-{cloth}", "M-96-76 0-150l96 74z", x, foot),
        Part("fog", "M-30-76 0-150l30 74z", x, foot),
        Part("beam", "M0-150v-42", x, foot),
        Part(f"cloth-{cloth}", "M0-192l46 14L0-164z", x, foot),
        Part("wood", "M-26 0v-56h52V0z", x, foot),
    ]


def _work_0() -> list[Part]:
    """Draw an empty barn in the snow, and a mouse that leaves it."""
    return [
        Part("fog", "M0 452q250-34 430-10t330-16v134H0z"),
        Part("wood", "M210 470V270l160-104 160 104v200z"),
        Part("fog", "m190 286 180-122 180 122v-40L370 118 190 246z"),
        Part("dark", "M300 470V330h140v140z"),
        Part("beam", "M300 470V330h140v140M210 300h320"),
        Part("sack", "M150 500c-10-22 60-22 66 0z"),
        Part("bird", "M560 500c0-26 50-28 58 0zM556 500q-26 4-44-8"),
        _disc("bird", 610, 484, 9),
    ]


def _work_1() -> list[Part]:
    """Draw one scaffolded tower beside a bridge."""
    return [
        Part("water", "M0 500h760v60H0z"),
        Part("stone", "M110 510v-74h540v74h-54a52 52 0 0 0-104 0h-60a52 52 0 0 0-104 0h-60a52 52 0 0 0-104 0z"),
        Part("thin", "M110 458h540"),
        *_tower(380, 436),
        *_birds(),
    ]


def _work_2() -> list[Part]:
    """Draw a loaded cart in front of new houses."""
    return [
        *_houses(400, 446),
        Part("wood", "M230 400h230l-22 74H252z"),
        Part("silver", "m246 400 34-56 44 24 38-40 44 32 36-10 6 50z"),
        _disc("dark", 282, 490, 32),
        _disc("dark", 410, 490, 32),
        _disc("stone", 282, 490, 10),
        _disc("stone", 410, 490, 10),
        Part("beam", "m460 410 96 58"),
        *_figure(566, 520, "red"),
    ]


def _work_3() -> list[Part]:
    """Draw a whole street that is hung with flags."""
    return [
        *_tower(250, 452),
        *_houses(480, 452),
        Part("line", "M90 150q140 70 280 16t300 0"),
        Part("cloth-red", "m130 168 40 14-26 40zM320 180l40-8-12 46z"),
        Part("cloth-green", "m216 192 42 2-20 44zM520 152l42 12-24 40z"),
        Part("cloth-gold", "m424 156 40-4-18 46z"),
        *_figure(340, 524, "gold"),
        *_figure(420, 532, "green"),
    ]


def _fog() -> list[Part]:
    """Draw fog over the reeds, and a heron."""
    return [
        Part("house", "M90 400v-90l40-50 40 50v90zM230 400v-140l26-60 26 60v140z"),
        *_tower(520, 440),
        *_cloud(240, 160, 320),
        *_cloud(120, 196, 260),
        *_birds(),
        Part("fog", "M0 330h290a19 19 0 0 1 0 38H0zM300 372h460v38H300a19 19 0 0 1 0-38z"),
        Part("fog", "M0 432h500a20 20 0 0 1 0 40H0zM560 452h200v34H560a17 17 0 0 1 0-34z"),
        Part(
            "bird",
            "M286 452c10-34 50-48 92-40l14-30c10-24-12-40-2-62 10-16 34-12 40 4l48 8"
            "-50 8c-14 12 6 38-4 66-12 34-40 50-90 52-18 0-34 0-48-6z",
        ),
        Part("thin", "M340 460v76M366 460v72"),
        Part("reed", "M90 540V430M122 548V450M156 540V424M640 540V430M676 548V446"),
        Part("beam", "M90 430v-36M122 450v-30M156 424v-34M640 430v-36M676 446v-34"),
    ]


def _fair() -> list[Part]:
    """Draw two tents with flags between them."""
    return [
        *_tent(230, 462, "red"),
        *_tent(540, 462, "green"),
        Part("line", "M230 270q155 70 310 0"),
        Part("cloth-gold", "m300 294 34 8-18 34zM366 306h34l-16 36zM432 302l34-6-12 38z"),
        *_figure(346, 528, "gold"),
        *_figure(420, 534, "red"),
        *_coins(480, 536, 3),
    ]


def _away() -> list[Part]:
    """Draw tools that lie about, and somebody who walks off."""
    return [
        *_tower(290, 458),
        *_birds(),
        Part("wood", "M410 524h120v14H410z"),
        Part("bird", "M424 524v-36h44v36z"),
        Part("beam", "m360 536 60-80"),
        *_figure(600, 496, "green"),
        _disc("sack", 638, 402, 19),
        Part("beam", "m590 428 50-30"),
    ]


def _dismiss() -> list[Part]:
    """Draw a gate that closes behind somebody."""
    return [
        Part("stone", "M150 470V230h26v26h26v-26h40v26h40v-26h40v26h40v-26h28v240z"),
        Part("dark", "M214 470V360a56 56 0 0 1 112 0v110z"),
        Part("beam", "M232 470V330M260 470V312M288 470V312M312 470V330M214 380h112M214 424h112"),
        *_figure(520, 520, "red"),
        _disc("sack", 564, 428, 24),
        Part("beam", "m506 458 58-32"),
    ]


def _dearer() -> list[Part]:
    """Draw a pair of scales on which money weighs more."""
    return [
        Part("beam", "M380 500V220M300 508h160M240 210l280 60"),
        Part("line", "m240 210-56 140M240 210l56 140M520 270l-56 140M520 270l56 140"),
        Part("wood", "M172 350h136c-10 36-126 36-136 0zM452 410h136c-10 36-126 36-136 0z"),
        Part("bird", "M206 350v-30h30v-26h14v26h30v30z"),
        *_coins(464, 412, 4),
        *_coins(520, 412, 3),
    ]


def _barrel(x: float, y: float) -> list[Part]:
    """Return a barrel."""
    return [
        _bar("wood", x - 56, y - 96, 112, 96, 26),
        Part("thin", f"M{x - 56} {y - 70}h112M{x - 56} {y - 26}h112"),
        _disc("gold", x, y - 48, 9),
    ]


def _cheaper() -> list[Part]:
    """Draw barrels, and a cup for everybody."""
    return [
        *_houses(430, 440),
        *_barrel(250, 520),
        *_barrel(370, 520),
        *_barrel(310, 420),
        *_figure(520, 530, "red"),
        *_figure(590, 524, "green"),
    ]


def _pay() -> list[Part]:
    """Draw a bill as long as the table."""
    return [
        *_tower(250, 456),
        Part("beam", "M420 520V150M420 160h120"),
        Part("plaster", "M452 166h150v250q-38-22-76 0t-74 0z"),
        Part("thin", "M474 206h106M474 240h106M474 274h76M474 308h106M474 342h60"),
        *_coins(500, 534, 2),
        *_coins(566, 534, 1),
    ]


def _receive() -> list[Part]:
    """Draw a chest with money beside it."""
    return [
        Part("wood", "M230 500V370h300v130z"),
        Part("wood", "M216 370c0-90 328-90 328 0z"),
        Part("thin", "M230 370h300M300 300v200M460 300v200"),
        _bar("gold", 356, 356, 48, 56, 8),
        *_coins(150, 522, 4),
        *_coins(556, 522, 5),
        *_coins(620, 522, 2),
    ]


def _supper() -> list[Part]:
    """Draw friends at a long table."""
    return [
        *_houses(400, 400),
        *_figure(230, 480, "red"),
        *_figure(330, 476, "green"),
        *_figure(430, 476, "gold"),
        *_figure(530, 480, "red"),
        Part("wood", "M150 450h460v24H150zM190 474h22v64h-22zM548 474h22v64h-22z"),
        Part("fog", "M180 450q50-34 100 0zM330 450q40-30 80 0z"),
        *_coins(470, 450, 3),
    ]


def _raze() -> list[Part]:
    """Draw wind, and half a tower that lies in the grass."""
    return [
        Part("stone", "M200 470V300l36-30 22 34 34-40 30 46 10 160z"),
        Part("thin", "M200 350h130M200 400h132M248 350v50M290 400v70"),
        Part("stone", "m380 500 24-40 52 22-18 34zM470 520l6-44 54 4-2 44zM560 526l20-34 44 26-14 24z"),
        Part("beam", "m350 520 60-120M540 470l90-40"),
        Part("line", "M360 150h210a36 36 0 1 0-34-48M300 210h330a32 32 0 1 1-30 44M420 260h120"),
    ]


def _manual() -> list[Part]:
    """Draw builders who shake hands: the table settles it by itself."""
    return [
        *_houses(400, 430),
        *_figure(310, 520, "red"),
        *_figure(430, 520, "green"),
        Part("beam", "m332 460 38-12 38 12"),
        *_coins(344, 540, 2),
    ]


PICTURES: dict[str, Callable[[], list[Part]]] = {
    "work-0": _work_0,
    "work-1": _work_1,
    "work-2": _work_2,
    "work-3": _work_3,
    "fog": _fog,
    "fair": _fair,
    "away": _away,
    "dismiss": _dismiss,
    "dearer": _dearer,
    "cheaper": _cheaper,
    "pay": _pay,
    "receive": _receive,
    "supper": _supper,
    "raze": _raze,
    "manual": _manual,
}
