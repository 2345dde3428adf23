"""The calls that ask whether the camera's picture is good enough, described."""

from companion.web.openapi.calls import JPEG, LANGUAGE, SENDING, body, call, call_once, ok
from companion.web.openapi.parts import (
    NUMBER,
    TEXT,
    YES_NO,
    Part,
    content,
    either_null,
    in_path,
    in_query,
    listed,
    thing,
)

BANKER = ("login_needed", "forbidden", "internal")
FIGURE: Part = {"type": "number"}
PICTURE: Part = thing({"number": NUMBER, "width": NUMBER, "height": NUMBER})
"""A frame: its number, by which it can be fetched, and its size in pixels."""

CHECK: Part = thing(
    {
        "camera": TEXT,
        "state": {"enum": ["none", "lost", "waiting", "seeing"]},
        "problem": either_null(TEXT),
        "simulated": YES_NO,
        "picture": either_null(PICTURE),
        "light": either_null({"enum": ["good", "too_dark", "too_bright"]}),
        "glare": either_null(listed(listed(NUMBER))),
        "focus": either_null({"enum": ["sharp", "soft", "blurred"]}),
        "distance": either_null({"enum": ["good", "far", "near"]}),
        "pixels_a_mm": either_null(FIGURE),
        "card": either_null(
            thing({"card": TEXT, "title": TEXT, "corners": listed(listed(FIGURE)), "picture": TEXT}, closed=True)
        ),
        "good": {**YES_NO, "description": "Whether nothing is wrong and a card was read."},
        "words": {"type": "object", "additionalProperties": TEXT, "description": "Each judgement in a sentence."},
    }
)

CHECK_PATHS: dict[str, Part] = {
    "/api/v1/camera/check": {
        "get": call(
            "checkCamera",
            "Judge what the camera sees now: light, glare (left, top, width, height of its spots), focus, distance "
            "and the card nearest to the middle; for the banker, with or without a table.",
            ok("What the latest frame is like.", content(CHECK)),
            BANKER,
            parameters=[LANGUAGE],
        ),
    },
    "/api/v1/camera/live.jpg": {
        "get": call(
            "showCamera",
            "What the camera sees; for the banker.",
            ok("A JPEG.", JPEG),
            (*BANKER, "not_found"),
            parameters=[in_query("number", NUMBER, "The frame that was judged, while it is remembered.")],
        ),
    },
    "/api/v1/camera/cards/{card}.jpg": {
        "get": call(
            "showCheckedCard",
            "The piece of the picture in which the check read a card; for the banker.",
            ok("A JPEG.", JPEG),
            (*BANKER, "not_found"),
            parameters=[in_path("card", TEXT, "The id of the card.")],
        ),
    },
    "/api/v1/camera/simulated": {
        "post": call_once(
            "furnishSimulatedTable",
            "Lay a card or a mat under the simulated camera, take it away, hold the calibration board there, or bump "
            "the camera; for the banker, with or without a table.",
            ok("Done.", content({"type": "object"})),
            (*BANKER, "not_found", *SENDING),
            requestBody=body(
                thing(
                    {},
                    {
                        "lay": TEXT,
                        "zone": TEXT,
                        "take_away": TEXT,
                        "mat": either_null(TEXT),
                        "board": YES_NO,
                        "bump": YES_NO,
                    },
                    closed=True,
                )
            ),
        ),
    },
}
