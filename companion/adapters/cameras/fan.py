"""How cards are laid in a zone of a mat: fanned, so that every label shows."""

from companion.adapters.cameras.card_art import CARD_HEIGHT_MM, CARD_WIDTH_MM, label_middle_mm
from companion.adapters.cameras.lying_mat import LyingMat
from companion.vision.label.label import STANDARD_LABEL

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
