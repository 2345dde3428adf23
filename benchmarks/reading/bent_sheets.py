"""Codes on sheets that are bent, held before a camera and photographed: rays meet the sheet."""

from dataclasses import dataclass

import cv2
import numpy as np
import segno

from benchmarks.finder.surfaces import TABLES, Random, Surface, surface
from companion.qr.sighting import F64, GreyPicture

SIZE = (900, 675)
MODULE = 16
"""Pixels of the drawing a module."""
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789-._"


@dataclass(frozen=True, slots=True)
class Sheet:
    """A printed sheet: its tones, and the texts of its codes."""

    tones: Surface
    texts: frozenset[str]


@dataclass(frozen=True, slots=True)
class SheetPose:
    """How a sheet is held: its height over the plane along its width, the camera's angles, and how large it is seen.

    ``rise``: sheet widths at places -1.5 to 1.5 widths, evenly; ``lean``: radians; ``large``: shares of the picture.
    """

    rise: F64
    lean: float
    turn: float
    large: float
    away: float = 4.0


FLAT = np.zeros(301)
PLACES = np.linspace(-1.5, 1.5, 301)


def text(random: Random) -> str:
    """Return a text as such codes bear them."""
    most = int(random.choice((12, 25, 40, 60, 100, 180), p=(0.15, 0.3, 0.25, 0.15, 0.1, 0.05)))
    return "http://" + "".join(random.choice(list(LETTERS), int(random.integers(most // 2, most))))


def code(random: Random, quiet: float = 4) -> Sheet:
    """Return one code on its paper, any error correction."""
    says = text(random)
    made = segno.make_qr(says, error=str(random.choice(list("LLMMQH"))), boost_error=False)
    dark, light = float(random.uniform(0.03, 0.3)), float(random.uniform(0.6, 0.95))
    modules = np.array([list(row) for row in made.matrix], np.bool_)
    wide = np.kron(modules, np.ones((MODULE, MODULE), np.bool_))
    tones = np.where(np.pad(wide, round(quiet * MODULE)), dark, light).astype(np.float32)
    return Sheet(tones, frozenset({says}))


def sheet_of(random: Random, across: int, down: int) -> Sheet:
    """Return many codes on a sheet."""
    side = 41 * 6
    tones = np.full((down * side, across * side), 0.9, np.float32)
    texts: set[str] = set()
    for place in range(across * down):
        says = f"{random.integers(10**9)}-{place}"
        modules = np.array([list(row) for row in segno.make_qr(says, error="M").matrix], np.bool_)
        wide = np.kron(modules, np.ones((6, 6), np.bool_))
        top, left = place // across * side + 36, place % across * side + 36
        tones[top : top + len(wide), left : left + len(wide)][wide] = 0.1
        texts.add(says)
    return Sheet(tones, frozenset(texts))


def seen(random: Random, sheet: Sheet, pose: SheetPose) -> Surface:
    """Return what a camera sees of a sheet over some background: rays meet the bent sheet."""
    width, height = SIZE
    x, y = np.meshgrid((np.arange(width) + 0.5 - width / 2), (np.arange(height) + 0.5 - height / 2))
    focal = pose.large * min(SIZE) * pose.away
    roll = random.uniform(0, 2 * np.pi)
    about = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, np.cos(pose.lean), -np.sin(pose.lean)], [0, np.sin(pose.lean), np.cos(pose.lean)]])
    turn = np.array([[np.cos(pose.turn), 0, np.sin(pose.turn)], [0, 1, 0], [-np.sin(pose.turn), 0, np.cos(pose.turn)]])
    ways = np.stack((x / focal, y / focal, np.ones_like(x)), axis=2) @ about @ lean @ turn
    viewpoint = np.array([0, 0, -pose.away]) @ about @ lean @ turn
    shift = random.uniform(-0.1, 0.1, 2)
    far = -viewpoint[2] / ways[:, :, 2]
    for _ in range(25):
        rise = np.interp(viewpoint[0] + far * ways[:, :, 0], PLACES, pose.rise)
        far = 0.5 * far + 0.5 * (-rise - viewpoint[2]) / ways[:, :, 2]
    long = np.concatenate(([0], np.cumsum(np.hypot(np.diff(PLACES), np.diff(pose.rise)))))
    u = np.interp(viewpoint[0] + far * ways[:, :, 0], PLACES, long - np.interp(0, PLACES, long)) + shift[0]
    v = viewpoint[1] + far * ways[:, :, 1] + shift[1]
    tall, wide = sheet.tones.shape
    column = np.asarray(u * max(tall, wide) + wide / 2 - 0.5, np.float32)
    row = np.asarray(v * max(tall, wide) + tall / 2 - 0.5, np.float32)
    inside = (column > 0) & (column < wide) & (row > 0) & (row < tall) & (far > 0)
    soft = cv2.GaussianBlur(sheet.tones, (0, 0), 0.3 * max(tall, wide) / (pose.large * min(SIZE)))
    shown = cv2.remap(soft, column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    slope = np.interp(viewpoint[0] + far * ways[:, :, 0], PLACES, np.gradient(pose.rise, PLACES))
    shade = 1 - np.clip(random.uniform(0.2, 0.5) * slope, -0.2, 0.7)
    table = surface(random, TABLES, width, width)[:height]
    return np.asarray(np.where(inside, shown * shade, table), np.float32)


def taken(random: Random, bright: Surface, blur: float = 0.7, noise: float = 3.0) -> GreyPicture:
    """Return the photograph of what is bright: 0 to 1, more is white."""
    soft = cv2.GaussianBlur(bright, (0, 0), blur)
    level = 255 * np.minimum(soft, 1) + random.normal(0, noise, soft.shape)
    _, data = cv2.imencode(".jpg", np.clip(level, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 85])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_GRAYSCALE), np.uint8)


def draw_pose(random: Random, lean: float = 0.35) -> SheetPose:
    """Return how a flat sheet is held, leaning by so many radians at most."""
    return SheetPose(FLAT, random.uniform(-lean, lean), random.uniform(-lean, lean), random.uniform(0.35, 0.8))
