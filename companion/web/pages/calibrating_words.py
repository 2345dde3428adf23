"""What calibrating says to people: what was seen, what is missing, how far off it is."""

from calibration.coverage import PARTS, Coverage
from calibration.light import Light
from calibration.mat import Mat
from calibration.picture_check import FEWEST_PIXELS_A_MM, Distance
from calibration.steps import LensStep, TableStep
from companion.words import Words

CORNERS = 4


def light_words(words: Words, light: Light) -> list[str]:
    """Say what is wrong with the picture; nothing where all is well."""
    lines = []
    if light.exposure == "glare":
        lines.append(words.say_in("camera glare", "here"))
    elif light.exposure != "good":
        lines.append(words.say_in("camera light", light.exposure))
    if light.focus == "blurred":
        lines.append(words.say_in("camera focus", "blurred"))
    return lines


def mat_title(words: Words, mat: Mat) -> str:
    """Name a mat: the bundled ones in each language, others as their file says."""
    lines = words.template(mat.name, "mat")
    return mat.title if lines == mat.name else lines


def distance_words(words: Words, distance: Distance | None, pixels_a_mm: float | None) -> str:
    """Say whether the camera hangs at the right height."""
    figures = {"needed": words.figure(FEWEST_PIXELS_A_MM, 1), "size": words.figure(pixels_a_mm or 0.0, 1)}
    return words.say_in("camera distance", distance or "unknown", **figures)


def board_words(words: Words, step: LensStep) -> str:
    """Say what was seen of the board in one frame."""
    if step.coverage.enough:
        return words.say("Enough pictures were taken.")
    if not step.corners:
        return words.say("No board is seen: hold it whole under the camera.")
    if step.taken:
        return words.say("{corners} corners: taken.", corners=step.corners)
    if step.light.focus == "blurred":
        return words.say("{corners} corners, but blurred: hold it still.", corners=step.corners)
    return words.say("{corners} corners, as before: move the board.", corners=step.corners)


def missing_words(words: Words, coverage: Coverage) -> list[str]:
    """Say what is wanted before the lens can be computed, each in a line."""
    wanted = []
    if coverage.views_missing:
        wanted.append(words.several("{count} more picture", "{count} more pictures", coverage.views_missing))
    if coverage.tilted_missing:
        wanted.append(
            words.several(
                "{count} with the board tilted more",
                "{count} of them with the board tilted more",
                coverage.tilted_missing,
            )
        )
    if len(coverage.parts_missing) == len(PARTS):
        wanted.append(words.say("the board in every part of the picture"))
    elif coverage.parts_missing:
        parts = words.listed([words.say_in("picture part", part) for part in coverage.parts_missing])
        wanted.append(words.say("the board at these places: {parts}", parts=parts))
    return wanted


def error_words(words: Words, error_px: float, error_mm: float) -> str:
    """Say how far off something is, in the picture and on the table."""
    return words.say("Off by {px} pixels = {mm} mm.", px=words.figure(error_px), mm=words.figure(error_mm))


def mat_words(words: Words, step: TableStep, labels: int) -> list[str]:
    """Say what was seen of the table."""
    found = step.mat
    if found is None:
        return [words.say("No mat is seen. Without one the whole picture is the scan tray.")]
    lines = [
        words.say("Mat: {title}", title=mat_title(words, found.mat)),
        words.say("{seen} of 4 corner markers in view", seen=CORNERS - len(step.hidden)),
    ]
    if step.hidden:
        hidden = words.listed([words.say_in("picture part", corner) for corner in step.hidden])
        lines.append(words.say("Hidden or out of view: the marker at the {corners}", corners=hidden))
    far = found.pixels_a_mm < FEWEST_PIXELS_A_MM
    size = words.say("{size} pixels a millimetre", size=words.figure(found.pixels_a_mm))
    lines.append(distance_words(words, "far", found.pixels_a_mm) if far else size)
    lines.append(error_words(words, found.error_px, found.error_mm))
    if labels:
        lines.append(words.several("{count} card is read", "{count} cards are read", labels))
    return lines
