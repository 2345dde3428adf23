"""The calls by which owners' boxes are taught, described."""

from companion.web.openapi.calls import SENDING, body, call, call_once, ok
from companion.web.openapi.parts import NUMBER, TEXT, YES_NO, Part, content, either_null, in_path, listed, schema, thing

_BANKER = ("login_needed", "forbidden", "not_found", "internal")
_FAULT: Part = thing({"place": TEXT, "detail": TEXT}, closed=True)
_BRIEF: dict[str, Part] = {
    "id": TEXT,
    "game": TEXT,
    "name": TEXT,
    "catalog": {**either_null(TEXT), "description": "The name of the catalog that it was kept as last."},
    "taught": NUMBER,
    "of": NUMBER,
}
BOX: Part = thing(
    {
        **_BRIEF,
        "cards": {"type": "object", "description": "What is printed on each card that was taught, field by field."},
        "next": {**either_null(TEXT), "description": "The first card that was not taught yet."},
        "faults": {
            **listed(_FAULT),
            "description": "What does not add up in what was taught, with its place; not that cards are missing.",
        },
    },
    closed=True,
)
_PICTURE = content(
    thing(
        {
            "card": TEXT,
            "taken": YES_NO,
            "alike": {**listed(TEXT), "description": "Cards that look the same: a label on one tells them apart."},
        },
        closed=True,
    )
)
_BYTES: Part = {"type": "string", "format": "binary"}
_ID = in_path("box_id", TEXT, "The id of the box.")
_CARD = in_path("card", TEXT, "The id of the card.")
_BOX = content(schema("Box"))

BOX_PATHS: dict[str, Part] = {
    "/api/v1/boxes": {
        "get": call(
            "listBoxes",
            "The boxes that are being taught; for the banker.",
            ok("Boxes.", content(thing({"boxes": listed(thing(_BRIEF, closed=True))}, closed=True))),
            _BANKER,
        ),
        "post": call_once(
            "beginBox",
            "Begin to teach a box of a game; for the banker.",
            ok("Begun.", _BOX, 201),
            (*_BANKER, *SENDING, "unteachable"),
            requestBody=body(thing({"game": TEXT, "name": {**TEXT, "maxLength": 40}}, closed=True)),
        ),
    },
    "/api/v1/boxes/{box_id}": {
        "get": call("showBox", "A box as far as it was taught.", ok("The box.", _BOX), _BANKER, parameters=[_ID]),
        "delete": call(
            "forgetBox",
            "Forget a box; catalogs made of it stay.",
            {"204": {"description": "Forgotten."}},
            (*_BANKER, "cross_site"),
            parameters=[_ID],
        ),
    },
    "/api/v1/boxes/{box_id}/cards/{card}": {
        "put": call(
            "teachCard",
            "Say what is printed on a card: the fields that the game asks for, all of them; kept before the answer.",
            ok("The box.", _BOX),
            (*_BANKER, *SENDING, "unteachable", "not_stored"),
            parameters=[_ID, _CARD],
            requestBody=body({"type": "object"}),
        ),
        "delete": call(
            "unteachCard",
            "Forget what is printed on a card.",
            ok("The box.", _BOX),
            (*_BANKER, "cross_site"),
            parameters=[_ID, _CARD],
        ),
    },
    "/api/v1/boxes/{box_id}/catalog": {
        "post": call_once(
            "finishBox",
            "Keep a box as a catalog that games can be begun with; one that was kept before is never changed.",
            ok("The box, with the catalog's name.", _BOX),
            (*_BANKER, *SENDING, "unfinished", "not_stored"),
            parameters=[_ID],
        ),
    },
    "/api/v1/boxes/{box_id}/cards/{card}/picture": {
        "get": call(
            "showCardPicture",
            "The picture of a card, as it was taken while the box was taught.",
            ok("The picture.", content({"type": "string", "format": "binary"}, "image/jpeg")),
            _BANKER,
            parameters=[_ID, _CARD],
        ),
        "put": call(
            "sendCardPicture",
            "Keep a JPEG or PNG of at most 16 million pixels that shows one card alone on something plain.",
            ok("Kept.", _PICTURE),
            (*_BANKER, *SENDING, "no_card", "foreign_format", "unreadable", "busy", "not_stored"),
            parameters=[_ID, _CARD],
            requestBody={"required": True, "content": content(_BYTES, "image/jpeg") | content(_BYTES, "image/png")},
        ),
        "post": call_once(
            "takeCardPicture",
            "Take the picture of the card under the camera (`take`; `take_new` only where it is another one than the "
            "latest), or turn the one there is.",
            ok("What came of it.", _PICTURE),
            (*_BANKER, *SENDING, "no_card", "not_stored"),
            parameters=[_ID, _CARD],
            requestBody=body(thing({"do": {"enum": ["take", "take_new", "turn"]}}, closed=True)),
        ),
        "delete": call(
            "forgetCardPicture",
            "Forget the picture of a card.",
            {"204": {"description": "Forgotten."}},
            (*_BANKER, "cross_site"),
            parameters=[_ID, _CARD],
        ),
    },
    "/api/v1/camera/place": {
        "post": call_once(
            "clearCardPlace",
            "Say that no card lies under the camera: what comes to lie there from now on is one.",
            ok("It is known now.", content(thing({"known": YES_NO}, closed=True))),
            (*_BANKER, *SENDING, "no_card"),
        ),
    },
}
