"""The calls that calibrate the camera, described."""

from companion.web.openapi.calls import LANGUAGE, SENDING, body, call, ok
from companion.web.openapi.camera_check import BANKER, FIGURE, PICTURE
from companion.web.openapi.parts import NUMBER, TEXT, YES_NO, Part, content, either_null, listed, thing

HERE = (*BANKER, "not_found")
_ERRORS: dict[str, Part] = {"error_px": FIGURE, "error_mm": FIGURE, "words": TEXT}
_POINTS = listed(listed(FIGURE))
LENS: Part = thing({**_ERRORS, "views": NUMBER}, closed=True)
"""A lens: how far off the corners of the board are with it, in the picture and on the board, and in a sentence."""

MAT: Part = thing({**_ERRORS, "name": TEXT}, closed=True)
KNOWN: Part = thing(
    {
        "camera": TEXT,
        "fault": either_null(TEXT),
        "lens": either_null(LENS),
        "mat": either_null(MAT),
        "simulated": either_null(thing({"board": YES_NO, "mat": YES_NO})),
    }
)
BOARD: Part = thing(
    {"picture": either_null(PICTURE), "words": {"type": "object"}},
    {
        "corners": _POINTS,
        "taken": YES_NO,
        "glare": listed(listed(NUMBER)),
        "views": NUMBER,
        "missing": thing({"views": NUMBER, "tilted": NUMBER, "parts": listed(NUMBER)}),
        "fit": either_null(thing(_ERRORS)),
        "fault": either_null(TEXT),
    },
)
TABLE: Part = thing(
    {"picture": either_null(PICTURE), "words": {"type": "object"}},
    {
        "mat": either_null(
            thing(
                {"name": TEXT, "words": TEXT, "zones": listed(thing({"zone": TEXT, "title": TEXT, "corners": _POINTS}))}
            )
        ),
        "hidden": listed(TEXT),
        "glare": listed(listed(NUMBER)),
        "labels": NUMBER,
        "good": YES_NO,
    },
)

CALIBRATION_PATHS: dict[str, Part] = {
    "/api/v1/calibration": {
        "get": call(
            "showCalibration",
            "What is known of the camera: lens, mat, or why its profile cannot be used; for the banker.",
            ok("The profile.", content(KNOWN)),
            HERE,
            parameters=[LANGUAGE],
        ),
    },
    "/api/v1/calibration/lens": {
        "post": call(
            "beginLens",
            "Begin anew with the calibration board; what was kept stays.",
            ok("Begun.", content({"type": "object"})),
            (*HERE, *SENDING),
            requestBody=body(thing({}, {"square_mm": FIGURE}, closed=True)),
        ),
    },
    "/api/v1/calibration/lens/look": {
        "post": call(
            "lookForBoard",
            "Take in the latest frame: the corners of the board, whether it is one more view, and what is missing; "
            "`parts` are the ninths of the picture, row by row from 0.",
            ok("What was seen; without a frame only `picture` (null) and `words`.", content(BOARD)),
            (*HERE, "cross_site"),
            parameters=[LANGUAGE],
        ),
    },
    "/api/v1/calibration/lens/keep": {
        "post": call(
            "keepLens",
            "Keep the lens that was found in the camera's profile, and use it at once.",
            ok("The lens.", content(LENS)),
            (*HERE, "cross_site", "not_found_yet"),
            parameters=[LANGUAGE],
        ),
    },
    "/api/v1/calibration/table/look": {
        "post": call(
            "lookAtTable",
            "Look for the mat in the latest frame: its zones in the picture, and which corner markers are hidden.",
            ok("What was seen; without a frame only `picture` (null) and `words`.", content(TABLE)),
            (*HERE, "cross_site"),
            parameters=[LANGUAGE],
        ),
    },
    "/api/v1/calibration/table/keep": {
        "post": call(
            "keepMat",
            "Keep in the camera's profile how the mat lies.",
            ok("The mat.", content(MAT)),
            (*HERE, "cross_site", "not_found_yet"),
            parameters=[LANGUAGE],
        ),
    },
}
