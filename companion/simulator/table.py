"""The furniture of the simulated camera: cards laid on a table and taken away, from whichever thread."""

import math
import threading
from collections.abc import Mapping, Sequence

import numpy as np

from calibration.mat import Mat
from companion.simulator.art import CARD_HEIGHT_MM, CARD_WIDTH_MM, Colours, die_named, is_die, label_middle_mm
from companion.simulator.mat import LyingMat
from companion.simulator.scene import LyingCard
from companion.vision.label.label import STANDARD_LABEL

# --- fan
# How cards are laid in a zone of a mat: fanned, so that every label shows.

STEP_MM = STANDARD_LABEL.side_mm + 7.0
"""From label to label."""


def fan_in(lying: LyingMat, zone: str) -> tuple[tuple[float, float], ...]:
    """Return where the middles of cards lie on the table, each next one *under none* of those before.

    Labels are at the lower right of a card: so a fan begins there and goes to the left, then up, and what is laid
    later covers no label.  Raises ``KeyError`` where the mat has no such zone.
    """
    corners = {one.name: one.corners_mm for one in lying.mat.zones.zones}[zone]
    (left, right), (top, foot) = ((min(sides), max(sides)) for sides in zip(*corners, strict=True))
    over, under = label_middle_mm()
    xs = _steps(right - (CARD_WIDTH_MM - over), left + over)
    ys = _steps(foot - (CARD_HEIGHT_MM - under), top + under)
    across, down = over - CARD_WIDTH_MM / 2, under - CARD_HEIGHT_MM / 2
    middles = (lying.to_table(x, y) for y in ys for x in xs)
    return tuple((x - across, y - down) for x, y in middles)


def _steps(first: float, last: float) -> list[float]:
    """Return places from the first down to the last; in a zone smaller than a card the middle between them."""
    if first < last:
        return [(first + last) / 2]
    return [first - STEP_MM * step for step in range(int((first - last) / STEP_MM) + 1)]


WIDTH_MM = 1038.0
HEIGHT_MM = 584.0
"""What a camera that does not lean sees of the table at 1.85 pixels a millimetre."""

_SPOTS = tuple((123.0 + column * 113.0, 152.0 + row * 140.0) for row in range(3) for column in range(8))
"""Where cards are put down on the tray: so far apart that they never cover each other, however they are turned."""


_APART_MM = 8.0
"""How far apart cards lie in the tray of a mat, at least."""

_TRAY = "tray"
_DICE, _DICE_APART = (430.0, 534.0), 60.0
"""Where the first die comes to rest, nearer to us than the cards, and how far from it the next one."""


class SimulatedTable:
    """Cards on a table.  Positions are in millimetres from the top left of what the camera sees.

    ``labels`` maps every card that there is to the text of its label.  With ``blank_labels`` the same cards carry
    labels without a code: whoever plays by looking then sees nothing.  ``mats`` are those that may be laid there.
    """

    def __init__(
        self, seed: int, labels: Mapping[str, str], *, blank_labels: bool = False, mats: Mapping[str, Mat] | None = None
    ) -> None:
        self.seed = seed
        self._mats = dict(mats or {})
        self._mat: LyingMat | None = None
        self._places = _SPOTS
        self._board_held = False
        self.bare: dict[str, Colours | None] = {}
        """Cards that lie there without a label, and how they look, uint8 at six pixels a millimetre; None: as drawn."""
        self._texts: dict[str, str | None] = {card: None if blank_labels else text for card, text in labels.items()}
        self._lock = threading.Lock()
        self._lying: dict[str, LyingCard] = {}
        self._spots: dict[int, str] = {}
        self._fans: dict[str, dict[int, str]] = {}
        self._laid = self._thrown = 0
        self.bumps = 0
        """How often somebody has knocked against the camera."""

    @property
    def texts(self) -> dict[str, str | None]:
        """Return what the label of each card says; None where it has no code."""
        return dict(self._texts)

    @property
    def lying(self) -> tuple[LyingCard, ...]:
        """Return the cards on the table, the lowest first."""
        with self._lock:
            return tuple(self._lying.values())

    @property
    def mat(self) -> LyingMat | None:
        """Return the mat that lies on the table."""
        return self._mat

    @property
    def zones(self) -> tuple[str, ...]:
        """Return the zones of the mat that lies on the table; none without a mat."""
        mat = self._mat
        return () if mat is None else tuple(zone.name for zone in mat.mat.zones.zones)

    @property
    def board_held(self) -> bool:
        """Say whether somebody holds the calibration board under the camera."""
        return self._board_held

    def lay_mat(self, name: str | None) -> None:
        """Lay a mat in the middle of the table, or take it away; cards stay where they are.

        Raises:
            ValueError: when there is no such mat.

        """
        if name is not None and name not in self._mats:
            reason = f"there is no mat {name!r} beside this table"
            raise ValueError(reason)
        with self._lock:
            if name is None:
                self._mat, self._places = None, _SPOTS
            else:
                mat = self._mats[name]
                self._mat = LyingMat(mat, (WIDTH_MM - mat.width_mm) / 2, (HEIGHT_MM - mat.height_mm) / 2)
                self._places = _places_in_tray(self._mat)
            self._spots.clear()
            self._fans.clear()

    def hold_board(self, *, held: bool) -> None:
        """Hold the calibration board under the camera and move it about, or put it away."""
        self._board_held = held

    def lay(self, card: str, x_mm: float, y_mm: float, angle: float = 0.0) -> None:
        """Lay a card with its middle at a place, turned clockwise by ``angle`` degrees; on top of what lies there.

        Raises:
            ValueError: when there is no such card, or a measure is no finite number.

        """
        self._check(card)
        if not all(math.isfinite(measure) for measure in (x_mm, y_mm, angle)):
            reason = f"card {card} cannot lie at {x_mm}, {y_mm}, {angle}"
            raise ValueError(reason)
        with self._lock:
            self._lift(card)
            self._lying[card] = LyingCard(card, x_mm, y_mm, angle)

    def lay_on_tray(self, card: str) -> None:
        """Lay a card at the next spot of the scan tray, a little askew; on a full tray it covers the oldest one.

        Raises:
            ValueError: when there is no such card.

        """
        self._check(card)
        with self._lock:
            self._lift(card)
            spot = self._next_spot()
            askew = np.random.default_rng([self.seed, 3, self._laid])
            x, y = self._places[spot]
            covered = self._spots.get(spot)
            self._spots[spot] = card
            self._laid += 1
            if covered is not None:
                del self._lying[covered]
            self._lying[card] = LyingCard(
                card, x + askew.uniform(-5, 5), y + askew.uniform(-5, 5), askew.uniform(-12, 12)
            )

    def lay_in(self, card: str, zone: str) -> None:
        """Lay a card in a zone of the mat, so that it covers no label there; a full zone loses its first card.

        Raises:
            ValueError: when there is no such card, or no such zone on the table.

        """
        self._check(card)
        with self._lock:
            if self._mat is None or zone not in self.zones:
                reason = f"there is no zone {zone!r} on this table"
                raise ValueError(reason)
            self._lift(card)
            places = fan_in(self._mat, zone)
            fan = self._fans.setdefault(zone, {})
            place = next((number for number in range(len(places)) if number not in fan), 0)
            if (covered := fan.get(place)) is not None:
                del self._lying[covered]
            fan[place] = card
            self._slide_under(LyingCard(card, *places[place], 0.0), {fan[number] for number in fan if number > place})

    def _slide_under(self, card: LyingCard, later: set[str]) -> None:
        """Put a card on the table below those that come later in its fan."""
        lying = dict(self._lying)
        self._lying = {}
        for other, where in lying.items():
            if other in later:
                self._lying.setdefault(card.card, card)
            self._lying[other] = where
        self._lying.setdefault(card.card, card)

    def lay_bare(self, card: str, looks: Colours | None = None) -> None:
        """Lay a card on the tray that bears no label; ``looks``: its face, where it is not that of the simulation.

        Raises:
            ValueError: when there is no such card.

        """
        self._check(card)
        self.bare[_bare(card)] = looks
        self._texts.setdefault(_bare(card), None)
        self.lay_on_tray(_bare(card))

    def bump(self) -> None:
        """Knock against the camera: it sees the table from a little elsewhere from now on."""
        with self._lock:
            self.bumps += 1

    def throw(self, faces: Sequence[int]) -> None:
        """Throw dice so that these faces lie up, from the left; those of an earlier throw are taken up."""
        with self._lock:
            self._thrown += 1
            fall = np.random.default_rng([self.seed, 6, self._thrown])
            self._lying = {name: lying for name, lying in self._lying.items() if not is_die(name)}
            for number, face in enumerate(faces):
                name, (x, y) = die_named(number, face), fall.uniform(-12, 12, 2)
                left = _DICE[0] + number * _DICE_APART
                self._lying[name] = LyingCard(name, left + x, _DICE[1] + y / 2, fall.uniform(0, 360))

    def take_away(self, card: str) -> None:
        """Take a card off the table; one that does not lie there stays where it is.

        Raises:
            ValueError: when there is no such card.

        """
        self._check(card)
        with self._lock:
            self._lift(card)
            self._lift(_bare(card))

    def clear(self) -> None:
        """Take everything off the table."""
        with self._lock:
            self._lying.clear()
            self._spots.clear()
            self._fans.clear()

    def _check(self, card: str) -> None:
        if card not in self._texts:
            reason = f"there is no card {card!r} in this box"
            raise ValueError(reason)

    def _lift(self, card: str) -> None:
        self._lying.pop(card, None)
        self._spots = {spot: lying for spot, lying in self._spots.items() if lying != card}
        self._fans = {
            zone: {place: lying for place, lying in fan.items() if lying != card} for zone, fan in self._fans.items()
        }

    def _next_spot(self) -> int:
        """Return the first free spot after the one used last, or else the next one round the tray."""
        many = len(self._places)
        order = [(self._laid + step) % many for step in range(many)]
        return next((spot for spot in order if spot not in self._spots), order[0])


def _bare(card: str) -> str:
    """Name a card without a label."""
    return f"bare {card}"


def _places_in_tray(lying: LyingMat) -> tuple[tuple[float, float], ...]:
    """Return where cards are put down in the tray of a mat; all over the table where it has none."""
    corners = next((zone.corners_mm for zone in lying.mat.zones.zones if zone.name == _TRAY), None)
    if corners is None:
        return _SPOTS
    (left, right), (top, foot) = ((min(sides), max(sides)) for sides in zip(*corners, strict=True))
    columns = max(int((right - left) / (CARD_WIDTH_MM + _APART_MM)), 1)
    rows = max(int((foot - top) / (CARD_HEIGHT_MM + _APART_MM)), 1)
    across, down = (right - left) / columns, (foot - top) / rows
    return tuple(
        lying.to_table(left + across * (column + 0.5), top + down * (row + 0.5))
        for row in range(rows)
        for column in range(columns)
    )
