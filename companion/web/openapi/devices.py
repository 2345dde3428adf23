"""The calls by which devices at a table send what they see, described."""

from companion.web.openapi.calls import INSIDE, LANGUAGE, SENDING, TABLE_ID, body, call, call_once, ok
from companion.web.openapi.parts import (
    NUMBER,
    TEXT,
    YES_NO,
    Part,
    content,
    either_null,
    in_query,
    listed,
    schema,
    thing,
)

TAG: dict[str, Part] = {
    "text": TEXT,
    "card": either_null(TEXT),
    "corners": listed(listed({"type": "number"})),
    "how": {"enum": ["decoded", "matched"]},
    "confidence": {"type": "number"},
}
"""A tag in a picture; ``card`` is null where no deck is known."""

_PICTURE: dict[str, Part] = {"image": TEXT, "width": NUMBER, "height": NUMBER, "ms": {"type": "number"}}
READING: Part = thing({**_PICTURE, "tags": listed(thing(TAG))})
_MEANING: dict[str, Part] = {
    "placed": {**YES_NO, "description": "Whether it has lain still for the inertia time of half a second."},
    "command": {**either_null(schema("CommandShown")), "description": "What it means now to the caller."},
    "refusal": {**either_null(thing({"rule": TEXT, "detail": TEXT})), "description": "Why it leads to nothing."},
}
FRAME: Part = thing(
    {**_PICTURE, "tags": listed(thing({**TAG, **_MEANING})), "proposals": listed(schema("Proposal"))},
)
SCAN: Part = thing(
    {
        "card": TEXT,
        "proposal": either_null(schema("Proposal")),
        "did": {
            **either_null(TEXT),
            "description": "What a command card says: yes, no, pass, undo, suggest, or a game's word.",
        },
        "entry": either_null(schema("Entry")),
    }
)

_BYTES: Part = {"type": "string", "format": "binary"}

DEVICE_PATHS: dict[str, Part] = {
    "/api/v1/tables/{table_id}/frames": {
        "post": call(
            "postFrame",
            "Show a table a JPEG or PNG of at most 20 MB and 16 million pixels, from a phone's or tablet's camera; "
            "not for spectators. What a player shows is asked of him and of the banker, and only his own commands.",
            ok("What is in it, what each card means now, and what the caller is asked.", content(schema("Frame"))),
            (*INSIDE, *SENDING, "foreign_format", "unreadable", "busy"),
            parameters=[
                TABLE_ID,
                LANGUAGE,
                in_query("device", {**TEXT, "maxLength": 40}, "Tells several cameras of one caller apart."),
            ],
            requestBody={"required": True, "content": content(_BYTES, "image/jpeg") | content(_BYTES, "image/png")},
        ),
    },
    "/api/v1/tables/{table_id}/scans": {
        "post": call_once(
            "postScan",
            "Say which card a hand scanner has read, by its label's text or its number; not for spectators.",
            ok("The question it led to, or what a command card did.", content(schema("Scan"))),
            (*INSIDE, *SENDING, "refused"),
            parameters=[TABLE_ID, LANGUAGE],
            requestBody=body(thing({"text": {**TEXT, "maxLength": 200}}, closed=True)),
        ),
    },
}
