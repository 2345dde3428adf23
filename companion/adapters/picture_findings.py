"""What doctor says of a camera's picture: light and focus."""

from collections.abc import Iterator

from calibration.fiducials import grey_of
from calibration.picture_check import check_picture
from companion.service.findings import Finding
from companion.service.sight.camera import Frame
from companion.vision.label.label import STANDARD_LABEL

LIGHT = {"too_dark": "turn on a lamp above the table", "too_bright": "dim the lamp or shorten the exposure"}
FOCUS = {
    "soft": "turn the lens a little; labels near the edge may need another look",
    "blurred": "turn the lens, clean it, or hold the camera still",
}


def picture_findings(frame: Frame) -> Iterator[Finding]:
    """Judge a frame as *Check the camera* does, without looking for labels."""
    _, _, symbol_mm = STANDARD_LABEL.symbol_mm
    judged = check_picture(grey_of(frame.image), (), symbol_mm)
    glare = f"glare in {len(judged.glare)} places" if judged.glare else ""
    yield Finding(
        "light",
        judged.light == "good" and not glare,
        needed=False,
        message=judged.light.replace("_", " ") if judged.light != "good" else glare or "good",
        mend=LIGHT.get(
            judged.light, "move the lamp to the side so that it does not mirror in the cards" if glare else ""
        ),
    )
    yield Finding(
        "focus",
        judged.focus != "blurred",
        needed=False,
        message=judged.focus or "nothing in view to judge it by",
        mend=FOCUS.get(judged.focus or "", ""),
    )
