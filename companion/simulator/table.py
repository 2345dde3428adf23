"""The state of a simulated table: which cards, dice and mat lie where. For use by any thread."""

import math
import threading
from collections.abc import Mapping, Sequence

import numpy as np

from calibration.mat import Mat
from companion.qr.sighting import Picture
from companion.simulator.art import CARD_HEIGHT_MM, CARD_WIDTH_MM, PlacedMat, is_die, label_centre_mm, name_die
from companion.simulator.scene import PlacedCard
from companion.vision.label.label import STANDARD_LABEL

FAN_STEP_MM = STANDARD_LABEL.side_mm + 7.0
"""Distance from label to label of cards that are fanned in a zone."""


def fan_positions(mat: PlacedMat, zone: str) -> tuple[tuple[float, float], ...]:
    """Return the centres of fanned cards on the table, in mm, so that no card covers the label of another.

    Labels are at the lower right of a card, so a fan begins there and runs to the left, then up.

    Raises:
        KeyError: if the mat has no such zone.

    """
    corners = {area.name: area.corners_mm for area in mat.mat.zones.zones}[zone]
    (left, right), (top, bottom) = ((min(sides), max(sides)) for sides in zip(*corners, strict=True))
    label_x, label_y = label_centre_mm()
    xs = _steps(right - (CARD_WIDTH_MM - label_x), left + label_x)
    ys = _steps(bottom - (CARD_HEIGHT_MM - label_y), top + label_y)
    across, down = label_x - CARD_WIDTH_MM / 2, label_y - CARD_HEIGHT_MM / 2
    centres = (mat.to_table(x, y) for y in ys for x in xs)
    return tuple((x - across, y - down) for x, y in centres)


def _steps(first: float, last: float) -> list[float]:
    """Return positions from the first down to the last; in a zone smaller than a card the middle between them."""
    if first < last:
        return [(first + last) / 2]
    return [first - FAN_STEP_MM * step for step in range(int((first - last) / FAN_STEP_MM) + 1)]


WIDTH_MM = 1038.0
HEIGHT_MM = 584.0
"""Size of the view of a camera that is not tilted, at 1.85 pixels a millimetre."""

_TRAY_PLACES = tuple((123.0 + column * 113.0, 152.0 + row * 140.0) for row in range(3) for column in range(8))
"""Places of the tray without a mat, so far apart that cards never overlap, however they are rotated."""

_TRAY_GAP_MM = 8.0
"""Distance of cards in the tray of a mat, at least."""

_TRAY = "tray"
_SAME_MM, _ASIDE_MM = 1.0, 2.0
"""Nobody lays a card again to a millimetre."""
_FIRST_DIE_MM, _DIE_DISTANCE_MM = (430.0, 534.0), 60.0
"""Where the first die comes to rest, below the cards, and the distance of the next one."""


class SimulatedTable:
    """Cards on a table. Positions are in millimetres from the top left of what the camera sees.

    ``labels``: the text of each card's label. ``blank_labels``: the same cards bear labels without a code, so that
    nothing can be read. ``mats``: those that may be laid on the table.
    """

    def __init__(
        self, seed: int, labels: Mapping[str, str], *, blank_labels: bool = False, mats: Mapping[str, Mat] | None = None
    ) -> None:
        self.seed = seed
        self._mats = dict(mats or {})
        self._mat: PlacedMat | None = None
        self._places = _TRAY_PLACES
        self._board_held = False
        self.unlabelled: dict[str, Picture | None] = {}
        """Cards without a label, and their pictures (uint8, six pixels a millimetre); None for the drawn picture."""
        self._texts: dict[str, str | None] = {card: None if blank_labels else text for card, text in labels.items()}
        self._lock = threading.Lock()
        self._cards: dict[str, PlacedCard] = {}
        self._spots: dict[int, str] = {}
        self._fans: dict[str, dict[int, str]] = {}
        self._taken: dict[str, PlacedCard] = {}
        self._laid = self._thrown = 0
        self.bumps = 0
        """Number of knocks against the camera."""

    @property
    def texts(self) -> dict[str, str | None]:
        """Return the text of each card's label; None for a label without a code."""
        return dict(self._texts)

    @property
    def cards(self) -> tuple[PlacedCard, ...]:
        """Return the cards and dice on the table, the lowest first."""
        with self._lock:
            return tuple(self._cards.values())

    @property
    def mat(self) -> PlacedMat | None:
        """Return the mat that lies on the table."""
        return self._mat

    @property
    def zones(self) -> tuple[str, ...]:
        """Return the zones of the mat that lies on the table; none without a mat."""
        mat = self._mat
        return () if mat is None else tuple(zone.name for zone in mat.mat.zones.zones)

    @property
    def board_held(self) -> bool:
        """Return whether the calibration board is held under the camera."""
        return self._board_held

    def lay_mat(self, name: str | None) -> None:
        """Lay a mat in the middle of the table, or take it away with None; cards stay where they are.

        Raises:
            ValueError: if there is no such mat.

        """
        if name is not None and name not in self._mats:
            reason = f"there is no mat {name!r} beside this table; there are {', '.join(sorted(self._mats))}"
            raise ValueError(reason)
        with self._lock:
            if name is None:
                self._mat, self._places = None, _TRAY_PLACES
            else:
                mat = self._mats[name]
                self._mat = PlacedMat(mat, (WIDTH_MM - mat.width_mm) / 2, (HEIGHT_MM - mat.height_mm) / 2)
                self._places = _places_in_tray(self._mat)
            self._spots.clear()
            self._fans.clear()

    def hold_board(self, *, in_hand: bool) -> None:
        """Hold the calibration board under the camera and move it, or put it away."""
        self._board_held = in_hand

    def lay(self, card: str, x_mm: float, y_mm: float, angle: float = 0.0) -> None:
        """Lay a card with its centre at a place, rotated clockwise by ``angle`` degrees, on top of what lies there.

        Raises:
            ValueError: if there is no such card, or a measure is not finite.

        """
        self._check(card)
        if not all(math.isfinite(measure) for measure in (x_mm, y_mm, angle)):
            reason = f"card {card} cannot lie at {x_mm}, {y_mm}, {angle}"
            raise ValueError(reason)
        with self._lock:
            self._lift(card)
            self._cards[card] = self._lay_again(PlacedCard(card, x_mm, y_mm, angle))

    def lay_on_tray(self, card: str) -> None:
        """Lay a card at the next place of the scan tray, slightly rotated; on a full tray it replaces the oldest one.

        Raises:
            ValueError: if there is no such card.

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
                del self._cards[covered]
            self._cards[card] = PlacedCard(
                card, x + askew.uniform(-5, 5), y + askew.uniform(-5, 5), askew.uniform(-12, 12)
            )

    def lay_in(self, card: str, zone: str) -> None:
        """Lay a card in a zone of the mat, so that it covers no label there; in a full zone it replaces the first card.

        Raises:
            ValueError: if there is no such card, or no such zone on the table.

        """
        self._check(card)
        with self._lock:
            if self._mat is None or zone not in self.zones:
                reason = f"there is no zone {zone!r} on this table"
                raise ValueError(reason)
            self._lift(card)
            places = fan_positions(self._mat, zone)
            in_zone = self._fans.setdefault(zone, {})
            place = next((number for number in range(len(places)) if number not in in_zone), 0)
            if (covered := in_zone.get(place)) is not None:
                del self._cards[covered]
            in_zone[place] = card
            self._slide_under(
                self._lay_again(PlacedCard(card, *places[place], 0.0)),
                {in_zone[number] for number in in_zone if number > place},
            )

    def _lay_again(self, card: PlacedCard) -> PlacedCard:
        """Return a card where it comes to lie: not exactly where it was taken away."""
        taken = self._taken.pop(card.card, None)
        if taken is None or math.dist((taken.x_mm, taken.y_mm), (card.x_mm, card.y_mm)) >= _SAME_MM:
            return card
        return PlacedCard(card.card, card.x_mm + _ASIDE_MM, card.y_mm, card.angle)

    def _slide_under(self, card: PlacedCard, later: set[str]) -> None:
        """Insert a card below those that come later in its fan."""
        before = dict(self._cards)
        self._cards = {}
        for other, placed in before.items():
            if other in later:
                self._cards.setdefault(card.card, card)
            self._cards[other] = placed
        self._cards.setdefault(card.card, card)

    def name_of(self, card: str, game: str) -> str:
        """Return the name under which a card of a game lies here; ``game``: how the game's labels begin.

        Another game may have a card of the same id.
        """
        names = (name for name, text in self._texts.items() if name in (card, text) and _is_of(text, game, card))
        return next(names, card)

    def lay_unlabelled(self, card: str, picture: Picture | None = None) -> None:
        """Lay a card without a label on the tray; ``picture``: its face, if not the drawn one.

        Raises:
            ValueError: if there is no such card.

        """
        self._check(card)
        self.unlabelled[_unlabelled_name(card)] = picture
        self._texts.setdefault(_unlabelled_name(card), None)
        self.lay_on_tray(_unlabelled_name(card))

    def bump(self) -> None:
        """Knock against the camera, which shifts its view of the table slightly."""
        with self._lock:
            self.bumps += 1

    def throw(self, faces: Sequence[int]) -> None:
        """Throw dice so that these faces lie up, from left to right; dice of an earlier throw are removed."""
        with self._lock:
            self._thrown += 1
            fall = np.random.default_rng([self.seed, 6, self._thrown])
            self._cards = {name: placed for name, placed in self._cards.items() if not is_die(name)}
            for number, face in enumerate(faces):
                name, (x, y) = name_die(number, face), fall.uniform(-12, 12, 2)
                left = _FIRST_DIE_MM[0] + number * _DIE_DISTANCE_MM
                self._cards[name] = PlacedCard(name, left + x, _FIRST_DIE_MM[1] + y / 2, fall.uniform(0, 360))

    def take_away(self, card: str) -> None:
        """Remove a card from the table, if it lies there.

        Raises:
            ValueError: if there is no such card.

        """
        self._check(card)
        with self._lock:
            if card in self._cards:
                self._taken[card] = self._cards[card]
            self._lift(card)
            self._lift(_unlabelled_name(card))

    def clear(self) -> None:
        """Remove everything from the table but the mat."""
        with self._lock:
            self._cards.clear()
            self._taken.clear()
            self._spots.clear()
            self._fans.clear()

    def _check(self, card: str) -> None:
        if card not in self._texts:
            reason = f"there is no card {card!r} in this box"
            raise ValueError(reason)

    def _lift(self, card: str) -> None:
        self._cards.pop(card, None)
        self._spots = {place: other for place, other in self._spots.items() if other != card}
        self._fans = {
            zone: {place: other for place, other in in_zone.items() if other != card}
            for zone, in_zone in self._fans.items()
        }

    def _next_spot(self) -> int:
        """Return the first free place after the last one used; on a full tray the next one."""
        many = len(self._places)
        order = [(self._laid + step) % many for step in range(many)]
        return next((spot for spot in order if spot not in self._spots), order[0])


def _unlabelled_name(card: str) -> str:
    """Return the name of a card without its label."""
    return f"bare {card}"


def _places_in_tray(mat: PlacedMat) -> tuple[tuple[float, float], ...]:
    """Return the places of cards in the tray of a mat, or of the tray without a mat if the mat has none."""
    corners = next((zone.corners_mm for zone in mat.mat.zones.zones if zone.name == _TRAY), None)
    if corners is None:
        return _TRAY_PLACES
    (left, right), (top, bottom) = ((min(sides), max(sides)) for sides in zip(*corners, strict=True))
    columns = max(int((right - left) / (CARD_WIDTH_MM + _TRAY_GAP_MM)), 1)
    rows = max(int((bottom - top) / (CARD_HEIGHT_MM + _TRAY_GAP_MM)), 1)
    across, down = (right - left) / columns, (bottom - top) / rows
    return tuple(
        mat.to_table(left + across * (column + 0.5), top + down * (row + 0.5))
        for row in range(rows)
        for column in range(columns)
    )


def _is_of(text: str | None, game: str, card: str) -> bool:
    """Return whether a label's text names a card of a game: its letters, a digit, the card."""
    return text is not None and text.startswith(game) and text[len(game) + 1 :] == card
