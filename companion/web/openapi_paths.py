"""The calls of the HTTP interface, described."""

from companion.web.openapi_parts import (
    NUMBER,
    TEXT,
    Part,
    content,
    either_null,
    in_header,
    in_path,
    in_query,
    listed,
    problems,
    schema,
    thing,
)

TABLE_ID = in_path("table_id", TEXT, "The id of the table.")
PROPOSAL_NUMBER = in_path("number", NUMBER, "The id of the proposal.")
LANGUAGE = in_query("lang", {"enum": ["en", "fr", "de"]}, "The language of refusals, before Accept-Language.")
INSIDE = ("login_needed", "forbidden", "not_found", "internal")
SENDING = ("malformed", "cross_site", "too_large")
KEY = in_header("Idempotency-Key", TEXT, "The same key again gives the same answer.")
ETAG: Part = {"ETag": {"description": "The version, in double quotes.", "schema": TEXT}}
JPEG = content({"type": "string", "format": "binary"}, "image/jpeg")
TOKEN: Part = thing(
    {
        "token": TEXT,
        "role": {"enum": ["banker", "player", "spectator"]},
        "player": either_null(TEXT),
        "table": either_null(TEXT),
    }
)
SEEN = in_header("If-Match", TEXT, "The version seen, bare or in double quotes.", required=True)
INVITATION: Part = thing({"token": TEXT, "address": TEXT, "qr": TEXT})


def _call(operation: str, summary: str, answers: Part, kinds: tuple[str, ...], **more: object) -> Part:
    return {"operationId": operation, "summary": summary, **more, "responses": {**answers, **problems(*kinds)}}


def _body(of: Part, mimetype: str = "application/json") -> Part:
    return {"required": True, "content": content(of, mimetype)}


def _ok(meaning: str, body: Part, status: int = 200, headers: Part | None = None) -> Part:
    return {str(status): {"description": meaning, "content": body, **({"headers": headers} if headers else {})}}


PATHS: dict[str, Part] = {
    "/api/v1/openapi.json": {
        "get": _call(
            "describe", "This description.", _ok("OpenAPI 3.1.", content({"type": "object"})), (), security=[]
        ),
    },
    "/api/v1/logins": {
        "post": _call(
            "logIn",
            "A PIN or an invitation for a token, which is set as a cookie too.",
            _ok("Logged in.", content(TOKEN), 201),
            ("wrong_pin", "login_needed", "locked_out", *SENDING, "internal"),
            security=[],
            requestBody=_body({"oneOf": [thing({"pin": TEXT}, closed=True), thing({"join": TEXT}, closed=True)]}),
        ),
    },
    "/api/v1/tables": {
        "get": _call(
            "listTables",
            "The tables that the caller may enter.",
            _ok("The tables.", content(thing({"tables": listed(schema("Table"))}))),
            ("login_needed", "internal"),
        ),
        "post": _call(
            "startTable",
            "Start a table with a start_game or take_over command; for the banker.",
            _ok(
                "Started.",
                content(thing({"id": TEXT, "version": NUMBER})),
                201,
                {**ETAG, "Location": {"description": "The address of the table.", "schema": TEXT}},
            ),
            ("login_needed", "forbidden", "refused", "key_reused", *SENDING, "internal"),
            parameters=[LANGUAGE, KEY],
            requestBody=_body(schema("Command")),
        ),
    },
    "/api/v1/tables/{table_id}": {
        "get": _call(
            "showTable",
            "The position and what the caller may do now.",
            _ok("The view of the caller.", content(schema("Shown")), headers=ETAG),
            INSIDE,
            parameters=[TABLE_ID],
        ),
    },
    "/api/v1/tables/{table_id}/catalog": {
        "get": _call(
            "showCatalog",
            "The cards that the table plays with.",
            _ok("Contracts, workers, events and economic situations by id.", content({"type": "object"})),
            INSIDE,
            parameters=[TABLE_ID],
        ),
    },
    "/api/v1/tables/{table_id}/commands": {
        "post": _call(
            "giveCommand",
            "Give a command; the answer comes once the entry is durable. An amend without confirm is only previewed.",
            _ok(
                "The entry; or what an amend would lead to.",
                content({"oneOf": [schema("Entry"), thing({"preview": schema("Preview")}, closed=True)]}),
                headers=ETAG,
            ),
            (*INSIDE, *SENDING, "stale", "refused", "key_reused", "version_needed"),
            parameters=[
                TABLE_ID,
                LANGUAGE,
                SEEN,
                KEY,
            ],
            requestBody=_body(schema("Command")),
        ),
    },
    "/api/v1/tables/{table_id}/invitations": {
        "post": _call(
            "invite",
            "A join token for a player's phone, or for somebody who looks on; for the banker alone.",
            _ok("The token, its address, and the address as a QR code (SVG).", content(INVITATION), 201),
            (*INSIDE, *SENDING, "refused"),
            parameters=[TABLE_ID, LANGUAGE],
            requestBody=_body({"oneOf": [thing({"player": TEXT}), thing({"spectator": {"const": True}})]}),
        ),
    },
    "/api/v1/tables/{table_id}/forecast": {
        "get": _call(
            "lookAhead",
            "What a player's money comes to until the end, if he goes on as he is; with a contract, which bids force "
            "no loan; with a bid too, what that one leads to. Where money is hidden only his own, and the banker's.",
            _ok("The forecast.", content(schema("Forecast"))),
            ("malformed", *INSIDE, "refused"),
            parameters=[
                TABLE_ID,
                LANGUAGE,
                in_query("player", TEXT, "Whose money; must be given."),
                in_query("contract", TEXT, "A contract on display, before or while contracts are chosen."),
                in_query("bid", NUMBER, "What is paid for it."),
            ],
        ),
    },
    "/api/v1/tables/{table_id}/suggestion": {
        "get": _call(
            "suggestPlan",
            "The best plan for a player's workers: most income now, then most progress. For himself and the banker.",
            _ok("A command that may be given as it is, what it earns, and why.", content(schema("Suggestion"))),
            ("malformed", *INSIDE, "refused"),
            parameters=[TABLE_ID, LANGUAGE, in_query("player", TEXT, "Who plans; must be given.")],
        ),
    },
    "/api/v1/tables/{table_id}/journal": {
        "get": _call(
            "readJournal",
            "All entries that the caller may see, oldest first; or a file of the whole game, for the banker.",
            _ok(
                "The journal.",
                content(thing({"entries": listed(schema("Entry"))}))
                | content(TEXT, "application/jsonl")
                | content(TEXT, "text/csv"),
            ),
            ("malformed", *INSIDE),
            parameters=[
                TABLE_ID,
                in_query("format", {"enum": ["json", "jsonl", "csv"]}, "jsonl: a play file; csv: the ledger."),
            ],
        ),
    },
    "/api/v1/tables/{table_id}/explain": {
        "get": _call(
            "explainFigure",
            "The entries and rules behind a figure, oldest first; what was undone does not count.",
            _ok("How it came about.", content(schema("Explanation"))),
            ("malformed", *INSIDE),
            parameters=[
                TABLE_ID,
                LANGUAGE,
                in_query(
                    "account",
                    TEXT,
                    "player:blue, bank, contract:C03; or beside the ledger: wages:blue, owes:blue, worth:blue.",
                ),
            ],
        ),
    },
    "/api/v1/tables/{table_id}/notes": {
        "get": _call(
            "showNotes",
            "Which notes change hands by the latest entry, and who should hold which; the books do not depend on it.",
            _ok("The notes that the caller may see.", content(schema("Notes"))),
            INSIDE,
            parameters=[TABLE_ID],
        ),
    },
    "/api/v1/tables/{table_id}/stream": {
        "get": _call(
            "followTable",
            "Server-sent events: `version` (id: the version; data: what showTable answers) and `sight` (data: what "
            "listProposals answers); a comment at least every 5 seconds.",
            _ok("The stream; it ends when the server does.", content(TEXT, "text/event-stream")),
            (*INSIDE, "busy"),
            parameters=[TABLE_ID, in_header("Last-Event-ID", TEXT, "The version that the reader has.")],
        ),
    },
    "/api/v1/tables/{table_id}/agreements": {
        "get": _call(
            "listAgreements",
            "What one asks of another: the questions that concern the caller.",
            _ok("The open questions.", content(thing({"agreements": listed(schema("Agreement"))}))),
            INSIDE,
            parameters=[TABLE_ID],
        ),
        "post": _call(
            "askForAgreement",
            "Ask whom it concerns for his yes: `hire_out` by its owner, or `undo` of what somebody did.",
            _ok("The caller's own act: the entry.", content(schema("Entry")))
            | _ok("Somebody is asked.", content(thing({"asked": schema("Agreement")})), 202),
            (*INSIDE, *SENDING, "stale", "refused", "version_needed"),
            parameters=[TABLE_ID, LANGUAGE, SEEN],
            requestBody=_body(schema("Command")),
        ),
    },
    "/api/v1/tables/{table_id}/agreements/{number}": {
        "post": _call(
            "answerAgreement",
            "Agree or not; who asked may only take his question back.",
            _ok(
                "Answered; the entry that a yes led to.",
                content(thing({"answer": TEXT, "entry": either_null(schema("Entry"))})),
            ),
            (*INSIDE, *SENDING, "stale", "refused"),
            parameters=[TABLE_ID, in_path("number", NUMBER, "The id of the question."), LANGUAGE],
            requestBody=_body(thing({"answer": {"enum": ["yes", "no"]}}, closed=True)),
        ),
    },
    "/api/v1/tables/{table_id}/proposals": {
        "get": _call(
            "listProposals",
            "What the camera asks and sees, and what one asks of another.",
            _ok(
                "Proposals (for the banker), sight, and the agreements that concern the caller.",
                content(schema("Asked")),
            ),
            INSIDE,
            parameters=[TABLE_ID],
        ),
    },
    "/api/v1/tables/{table_id}/proposals/{number}": {
        "post": _call(
            "answerProposal",
            "Say yes or no, or let the camera ask again; for the banker.",
            _ok(
                "Answered; the entry that a yes led to.",
                content(thing({"answer": TEXT, "entry": either_null(schema("Entry"))})),
            ),
            (*INSIDE, *SENDING, "stale", "refused"),
            parameters=[TABLE_ID, PROPOSAL_NUMBER, LANGUAGE],
            requestBody=_body(thing({"answer": {"enum": ["yes", "no", "again"]}}, closed=True)),
        ),
    },
    "/api/v1/tables/{table_id}/proposals/{number}/picture": {
        "get": _call(
            "showProposalPicture",
            "The piece of the picture that a proposal is about; for the banker.",
            _ok("A JPEG.", JPEG),
            INSIDE,
            parameters=[TABLE_ID, PROPOSAL_NUMBER],
        ),
    },
    "/api/v1/tables/{table_id}/live.jpg": {
        "get": _call(
            "showLivePicture",
            "The latest picture of the camera that looks at this table; for the banker.",
            _ok("A JPEG.", JPEG),
            INSIDE,
            parameters=[TABLE_ID],
        ),
    },
    "/api/v1/tables/{table_id}/camera": {
        "post": _call(
            "lookHere",
            "Let the camera look at this table from now on; for the banker.",
            _ok("What it sees.", content(thing({"sight": {"type": "object"}}))),
            (*INSIDE, *SENDING),
            parameters=[TABLE_ID],
        ),
    },
    "/api/v1/tables/{table_id}/simulated": {
        "post": _call(
            "laySimulatedCard",
            "Lay a card under the simulated camera, or take it away; for the banker, and only where it plays.",
            _ok("Done.", content({"type": "object"})),
            (*INSIDE, *SENDING),
            parameters=[TABLE_ID],
            requestBody=_body({"type": "object", "properties": {"lay": TEXT, "take_away": TEXT}}),
        ),
    },
    "/api/v1/read": {
        "post": _call(
            "readPicture",
            "Read the tags in a picture of at most 20 MB.",
            _ok("What is in it.", content(schema("Reading"))),
            ("login_needed", "unreadable", "busy", *SENDING, "internal"),
            parameters=[in_query("name", TEXT, "What to call the picture.")],
            requestBody=_body({"type": "string", "format": "binary"}, "application/octet-stream"),
        ),
    },
}
