"""The calls about what the camera sees and asks, described."""

from typing import get_args

from companion.vision.label.legibility import Why
from companion.web.openapi.calls import (
    INSIDE,
    JPEG,
    LANGUAGE,
    PROPOSAL_NUMBER,
    SENDING,
    TABLE_ID,
    body,
    call,
    call_once,
    ok,
)
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
    schema,
    thing,
)

POSITION: Part = {"enum": ["ledger", "suggest", "automatic"]}
KINDS = ("worker", "contract", "event", "economy", "command")
DIAL: Part = thing({"dial": POSITION, "kinds": thing(dict.fromkeys(KINDS, POSITION), closed=True)}, closed=True)
TURN: Part = thing({"dial": POSITION}, {"kind": {"enum": list(KINDS)}}, closed=True)

_CORNERS = listed(listed({"type": "number"}))
VIEW: Part = thing(
    {
        "picture": either_null(thing({"number": NUMBER, "width": NUMBER, "height": NUMBER})),
        "cards": listed(
            thing(
                {
                    "card": TEXT,
                    "title": TEXT,
                    "zone": either_null(TEXT),
                    "place": either_null(TEXT),
                    "corners": _CORNERS,
                }
            )
        ),
        "strangers": listed(thing({"text": TEXT, "corners": _CORNERS})),
        "unread": listed(
            thing({"why": {"enum": [*get_args(Why)]}, "title": TEXT, "advice": TEXT, "corners": _CORNERS})
        ),
        "zones": listed(thing({"zone": TEXT, "title": TEXT, "corners": _CORNERS})),
    }
)

CAMERA_PATHS: dict[str, Part] = {
    "/api/v1/tables/{table_id}/proposals": {
        "get": call(
            "listProposals",
            "What the camera asks and sees, and what one asks of another.",
            ok(
                "Proposals (for a player those of his own device), sight, and the agreements that concern the caller.",
                content(schema("Asked")),
            ),
            INSIDE,
            parameters=[TABLE_ID],
        ),
    },
    "/api/v1/tables/{table_id}/proposals/{number}": {
        "post": call_once(
            "answerProposal",
            "Say yes or no, or let the camera ask again; for the banker, and the player whose device saw the card.",
            ok(
                "Answered; the entry that a yes led to.",
                content(thing({"answer": TEXT, "entry": either_null(schema("Entry"))})),
            ),
            (*INSIDE, *SENDING, "stale", "refused"),
            parameters=[TABLE_ID, PROPOSAL_NUMBER, LANGUAGE],
            requestBody=body(thing({"answer": {"enum": ["yes", "no", "again"]}}, closed=True)),
        ),
    },
    "/api/v1/tables/{table_id}/proposals/{number}/picture": {
        "get": call(
            "showProposalPicture",
            "The piece of the picture that a proposal is about; for whom may answer it.",
            ok("A JPEG.", JPEG),
            INSIDE,
            parameters=[TABLE_ID, PROPOSAL_NUMBER],
        ),
    },
    "/api/v1/tables/{table_id}/entries/{seq}/picture": {
        "get": call(
            "showEntryPicture",
            "What the camera saw of the card that led to an entry, as long as it is kept; for the banker, and for "
            "players where the entry is not held back from them.",
            ok("A JPEG.", JPEG),
            INSIDE,
            parameters=[TABLE_ID, in_path("seq", NUMBER, "The number of the entry.")],
        ),
    },
    "/api/v1/tables/{table_id}/dial": {
        "get": call(
            "showDial",
            "How much the camera does by itself: ledger nothing, suggest asks, automatic does what is plain; and how "
            "that stands for each kind of card.",
            ok("The dial.", content(DIAL)),
            INSIDE,
            parameters=[TABLE_ID],
        ),
        "post": call_once(
            "turnDial",
            "Turn the dial, and every kind of card with it; or with `kind` that kind alone. For the banker.",
            ok("The dial.", content(DIAL)),
            (*INSIDE, *SENDING),
            parameters=[TABLE_ID],
            requestBody=body(TURN),
        ),
    },
    "/api/v1/tables/{table_id}/live.jpg": {
        "get": call(
            "showLivePicture",
            "The latest picture of the camera that looks at this table; for the banker.",
            ok("A JPEG.", JPEG),
            INSIDE,
            parameters=[TABLE_ID],
        ),
    },
    "/api/v1/tables/{table_id}/differences": {
        "get": call(
            "compareWithTable",
            "Where what lies on the mat has contradicted the books for a while; for the banker. Nothing without a mat "
            "(`mat` is null), and never acted upon.",
            ok(
                "The differences.",
                content(
                    thing(
                        {
                            "version": NUMBER,
                            "mat": either_null(TEXT),
                            "differences": listed(schema("Difference")),
                            "resumed": YES_NO,
                        }
                    )
                ),
            ),
            INSIDE,
            parameters=[TABLE_ID],
        ),
    },
    "/api/v1/tables/{table_id}/camera": {
        "get": call(
            "viewCamera",
            "What the camera sees at this table now, with places in the picture: cards, codes that are no card of this "
            "table, and the zones of the mat; for the banker. `picture` is null while no camera looks here; by its "
            "number `/camera/live.jpg` gives it.",
            ok("What is in the picture.", content(VIEW)),
            INSIDE,
            parameters=[TABLE_ID, LANGUAGE],
        ),
        "post": call_once(
            "lookHere",
            "Let the camera look at this table from now on; for the banker.",
            ok("What it sees.", content(thing({"sight": {"type": "object"}}))),
            (*INSIDE, *SENDING),
            parameters=[TABLE_ID],
        ),
    },
    "/api/v1/tables/{table_id}/simulated": {
        "post": call_once(
            "laySimulatedCard",
            "Lay a card under the simulated camera, take it away, or bump it; for the banker, and only where it plays.",
            ok("Done.", content({"type": "object"})),
            (*INSIDE, *SENDING),
            parameters=[TABLE_ID],
            requestBody=body(
                {
                    "type": "object",
                    "properties": {"lay": TEXT, "zone": TEXT, "bare": YES_NO, "take_away": TEXT, "bump": YES_NO},
                }
            ),
        ),
    },
    "/api/v1/read": {
        "post": call(
            "readPicture",
            "Read the tags in a picture of at most 20 MB.",
            ok("What is in it.", content(schema("Reading"))),
            ("login_needed", "unreadable", "busy", *SENDING, "internal"),
            parameters=[in_query("name", TEXT, "What to call the picture.")],
            requestBody=body({"type": "string", "format": "binary"}, "application/octet-stream"),
        ),
    },
}
