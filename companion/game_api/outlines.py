"""Outlines as SVG writes them, and the points that they go through, for paper that knows only straight lines."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import acos, cos, hypot, pi, sin, sqrt
from typing import TypeAlias

_STEPS = 12
"""Straight pieces of a curve."""
_ARGUMENTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
_SMOOTH_AFTER = {"S": ("C", "S"), "T": ("Q", "T")}
_TOKEN = re.compile(r"[A-Za-z]|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")

PathPoint: TypeAlias = tuple[float, float]


@dataclass(slots=True)
class PathLine:
    """The points of a line in their order; ``closed``: it comes back to the first."""

    points: list[PathPoint] = field(default_factory=list)
    closed: bool = False


def trace(path: str) -> tuple[PathLine, ...]:
    """Return the lines of an SVG path; curves in short straight pieces.

    Raises:
        ValueError: for what is no such path.

    """
    pen = _Pen()
    for letter, numbers in _commands(path):
        pen.follow(letter.upper(), numbers, pen.at if letter.islower() else (0.0, 0.0))
    return tuple(pen.lines)


@dataclass(slots=True)
class _Pen:
    """Where a path has come to; ``control`` and ``before`` are what a smooth curve goes on from."""

    lines: list[PathLine] = field(default_factory=list)
    at: PathPoint = (0.0, 0.0)
    control: PathPoint = (0.0, 0.0)
    before: str = ""

    def follow(self, kind: str, numbers: Sequence[float], origin: PathPoint) -> None:
        """Go on by a command, whose numbers count from ``origin``."""
        if kind == "M":
            self.at = (origin[0] + numbers[0], origin[1] + numbers[1])
            self.lines.append(PathLine([self.at]))
        elif not self.lines:
            raise ValueError("a path begins with M")
        elif kind == "Z":
            self.lines[-1].closed = True
            self.at = self.lines[-1].points[0]
        else:
            if self.lines[-1].closed:
                self.lines.append(PathLine([self.at]))
            points = self._curve(kind, numbers, origin) if kind in "CSQT" else self._piece(kind, numbers, origin)
            self.lines[-1].points += points
            self.at = points[-1]
        self.before = kind

    def _piece(self, kind: str, numbers: Sequence[float], origin: PathPoint) -> list[PathPoint]:
        x, y = origin
        match kind:
            case "H":
                return [(x + numbers[0], self.at[1])]
            case "V":
                return [(self.at[0], y + numbers[0])]
            case "L":
                return [(x + numbers[0], y + numbers[1])]
            case _:
                across, down, _turned, large, clockwise, end_x, end_y = numbers
                end = (x + end_x, y + end_y)
                return _arc(self.at, end, across, down, large=bool(large), clockwise=bool(clockwise))

    def _curve(self, kind: str, numbers: Sequence[float], origin: PathPoint) -> list[PathPoint]:
        x, y = origin
        controls = [(x + left, y + top) for left, top in zip(numbers[::2], numbers[1::2], strict=True)]
        if kind in _SMOOTH_AFTER:
            goes_on = self.before in _SMOOTH_AFTER[kind]
            mirrored = (2 * self.at[0] - self.control[0], 2 * self.at[1] - self.control[1])
            controls.insert(0, mirrored if goes_on else self.at)
        self.control = controls[-2]
        return _bezier([self.at, *controls])


def _commands(path: str) -> Iterator[tuple[str, list[float]]]:
    """Yield every command with its numbers; a letter that is left out is that of the command before."""
    tokens = _TOKEN.findall(path)
    if re.sub(r"[\s,]", "", path) != "".join(tokens):
        raise ValueError(f"no path: {path[:40]!r}")
    letter, place = "", 0
    while place < len(tokens):
        if tokens[place].isalpha():
            letter, place = tokens[place], place + 1
        many = _ARGUMENTS.get(letter.upper(), -1)
        numbers = tokens[place : place + many]
        if many < 0 or len(numbers) != many or any(number.isalpha() for number in numbers):
            raise ValueError(f"no path: {path[:40]!r}")
        yield letter, [float(number) for number in numbers]
        place += many
        letter = {"M": "L", "m": "l", "Z": "", "z": ""}.get(letter, letter)


def _bezier(controls: list[PathPoint]) -> list[PathPoint]:
    points: list[PathPoint] = []
    for step in range(1, _STEPS + 1):
        share, rest = step / _STEPS, controls
        while len(rest) > 1:
            rest = [(x + (to_x - x) * share, y + (to_y - y) * share) for (x, y), (to_x, to_y) in pairwise(rest)]
        points += rest
    return points


def _arc(
    begin: PathPoint, end: PathPoint, across: float, down: float, *, large: bool, clockwise: bool
) -> list[PathPoint]:
    """Return the points of an elliptical arc that is not turned, as the SVG standard says (appendix B.2.4)."""
    half_x, half_y = (begin[0] - end[0]) / 2, (begin[1] - end[1]) / 2
    if begin == end or not across or not down:
        return [end]
    too_small = hypot(half_x / across, half_y / down)
    if too_small > 1:
        across, down = across * too_small, down * too_small
    left = (across * down) ** 2 - (across * half_y) ** 2 - (down * half_x) ** 2
    factor = sqrt(max(0.0, left) / ((across * half_y) ** 2 + (down * half_x) ** 2))
    factor = -factor if large == clockwise else factor
    centre_x, centre_y = factor * across * half_y / down, -factor * down * half_x / across
    first = _angle((half_x - centre_x) / across, (half_y - centre_y) / down)
    turn = _angle((-half_x - centre_x) / across, (-half_y - centre_y) / down) - first
    turn += 2 * pi if clockwise and turn < 0 else -2 * pi if not clockwise and turn > 0 else 0
    middle_x, middle_y = centre_x + (begin[0] + end[0]) / 2, centre_y + (begin[1] + end[1]) / 2
    angles = [first + turn * step / _STEPS for step in range(1, _STEPS)]
    return [*((middle_x + across * cos(angle), middle_y + down * sin(angle)) for angle in angles), end]


def _angle(x: float, y: float) -> float:
    angle = acos(max(-1.0, min(1.0, x / hypot(x, y))))
    return -angle if y < 0 else angle
