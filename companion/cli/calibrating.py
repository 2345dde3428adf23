"""What ``companion calibrate`` says: each finding in one line."""

from calibration.coverage import Coverage
from calibration.light import Light
from calibration.steps import LensStep, TableStep

FOCUS = {
    "sharp": "focus: sharp",
    "soft": "focus: a little soft; labels near the edge may need another look",
    "blurred": "focus: blurred; turn the lens, clean it, or hold the camera still",
}
EXPOSURE = {
    "good": "light: good",
    "too_dark": "light: too dark; turn on a lamp above the table",
    "too_bright": "light: too bright; dim the lamp or shorten the exposure",
    "glare": "light: glare; move the lamp to the side so that it does not mirror in the cards",
}


def light_words(light: Light) -> str:
    """Say how a picture is."""
    focus = "focus: nothing in view to judge it by" if light.focus is None else FOCUS[light.focus]
    return f"{focus}; {EXPOSURE[light.exposure]}"


def lens_words(step: LensStep) -> str:
    """Say what was seen of the board, and what is missing."""
    if not step.corners:
        return f"no board seen; {light_words(step.light)}"
    if not step.taken and step.light.focus == "blurred":
        return f"{step.corners} corners, but not used; {light_words(step.light)}"
    did = "taken" if step.taken else "as before: move the board"
    return f"{step.corners} corners, {did}; {missing_words(step.coverage)}"


def missing_words(coverage: Coverage) -> str:
    """Say what is wanted before the lens is computed."""
    wanted = []
    if coverage.views_missing:
        wanted.append(f"{coverage.views_missing} more picture{'s' if coverage.views_missing > 1 else ''}")
    if coverage.tilted_missing:
        wanted.append(f"{coverage.tilted_missing} with the board tilted more")
    if coverage.parts_missing:
        wanted.append(f"the board in the {', '.join(coverage.parts_missing)} of the picture")
    return f"missing: {'; '.join(wanted)}" if wanted else "nothing is missing"


def table_words(step: TableStep) -> list[str]:
    """Say what was seen of the table."""
    lines = [light_words(step.light)]
    if step.mat is None:
        return [*lines, "no mat seen: the whole picture is the scan tray (companion mat prints one)"]
    found = step.mat
    lines.append(f"mat: {found.mat.title}, {4 - len(step.hidden)} of 4 corner markers seen")
    if step.hidden:
        lines.append(f"hidden: the marker at the {', '.join(step.hidden)}")
    lines.append(f"plane: {found.pixels_a_mm:.2f} px a mm, off by {found.error_px:.2f} px = {found.error_mm:.2f} mm")
    lines.append(f"zones: {', '.join(zone.name for zone in found.mat.zones.zones)}")
    return lines
