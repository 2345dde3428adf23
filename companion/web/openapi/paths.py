"""The calls of the HTTP interface, described."""

from companion.web.openapi.backups import BACKUP_PATHS
from companion.web.openapi.boxes import BOX_PATHS
from companion.web.openapi.calibration import CALIBRATION_PATHS
from companion.web.openapi.calls import (
    ETAG,
    INSIDE,
    INVITATION,
    KEY,
    LANGUAGE,
    SEEN,
    SENDING,
    TABLE_ID,
    TOKEN,
    body,
    call,
    call_once,
    ok,
)
from companion.web.openapi.camera import CAMERA_PATHS
from companion.web.openapi.camera_check import CHECK_PATHS
from companion.web.openapi.catalogs import CATALOG_PATHS
from companion.web.openapi.devices import DEVICE_PATHS
from companion.web.openapi.knowing import KNOWING_PATHS
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
from companion.web.openapi.printer import PRINTER_PATHS

UNPLAYABLE: Part = thing({"id": TEXT, "game": TEXT, "fault": TEXT, "version": NUMBER, "sound": NUMBER}, closed=True)
"""A table that is kept and cannot be played on; ``sound``: so many entries of it can be."""

GUEST: Part = thing({"device": TEXT, "player": either_null(TEXT)}, closed=True)
"""A phone or screen that joined by a code; ``player`` is null for one that only looks on."""

_TABLE_PATHS: dict[str, Part] = {
    "/api/v1/openapi.json": {
        "get": call("describe", "This description.", ok("OpenAPI 3.1.", content({"type": "object"})), (), security=[]),
    },
    "/api/v1/logins": {
        "post": call(
            "logIn",
            "A PIN or an invitation for a token, which is set as a cookie too.",
            ok("Logged in.", content(TOKEN), 201),
            ("wrong_pin", "login_needed", "locked_out", *SENDING, "internal"),
            security=[],
            requestBody=body({"oneOf": [thing({"pin": TEXT}, closed=True), thing({"join": TEXT}, closed=True)]}),
        ),
        "delete": call(
            "logOut",
            "End the login that this request is made with: its token opens nothing any more.",
            {"204": {"description": "Logged out."}},
            ("login_needed", "cross_site", "internal"),
        ),
    },
    "/api/v1/tables": {
        "get": call(
            "listTables",
            "The tables that the caller may enter; the banker is told what lies in the bin too.",
            ok(
                "The tables.",
                content(
                    thing(
                        {"tables": listed(schema("Table"))},
                        {"bin": listed(schema("Table")), "unplayable": listed(UNPLAYABLE)},
                    )
                ),
            ),
            ("login_needed", "internal"),
        ),
        "post": call(
            "startTable",
            "Start a table with a start_game or take_over command, or with a whole play file; for the banker.",
            ok(
                "Started.",
                content(thing({"id": TEXT, "version": NUMBER})),
                201,
                {**ETAG, "Location": {"description": "The address of the table.", "schema": TEXT}},
            ),
            ("login_needed", "forbidden", "not_found", "refused", "key_reused", *SENDING, "internal"),
            parameters=[LANGUAGE, KEY, in_query("follows", TEXT, "The table whose phones and screens come along.")],
            requestBody={
                "required": True,
                "content": {**content(schema("Command")), **content(TEXT, "application/jsonl")},
                "description": "Every line of a play file is decided before any is kept; a refusal names the line.",
            },
        ),
    },
    "/api/v1/tables/{table_id}/bin": {
        "post": call_once(
            "putInBin",
            "Put a table into the bin, where nothing of it is lost, or take it out; for the banker.",
            ok("Done.", content(thing({"in": YES_NO}))),
            (*INSIDE, *SENDING),
            parameters=[TABLE_ID],
            requestBody=body(thing({"in": YES_NO}, closed=True)),
        ),
    },
    "/api/v1/tables/{table_id}/play-on": {
        "post": call_once(
            "playOn",
            "Keep what is sound of a damaged table as a table of its own; the damaged one stays. For the banker.",
            ok("The new table.", content(thing({"id": TEXT, "version": NUMBER}, closed=True)), 201),
            (*INSIDE, *SENDING),
            parameters=[TABLE_ID],
        ),
    },
    "/api/v1/tables/{table_id}": {
        "get": call(
            "showTable",
            "The position and what the caller may do now; with `at`, how it stood after that entry, without offers.",
            ok("The view of the caller.", content(schema("Shown")), headers=ETAG),
            ("malformed", *INSIDE),
            parameters=[TABLE_ID, in_query("at", NUMBER, "The number of an entry; what was secret then stays so.")],
        ),
    },
    "/api/v1/tables/{table_id}/catalog": {
        "get": call(
            "showCatalog",
            "The cards that the table plays with.",
            ok("Contracts, workers, events and economic situations by id.", content({"type": "object"})),
            INSIDE,
            parameters=[TABLE_ID],
        ),
    },
    "/api/v1/tables/{table_id}/commands": {
        "post": call(
            "giveCommand",
            "Give a command; the answer comes once the entry is durable. An amend without confirm is only previewed.",
            ok(
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
            requestBody=body(schema("Command")),
        ),
    },
    "/api/v1/tables/{table_id}/invitations": {
        "post": call(
            "invite",
            "A join token for a player's phone, or for somebody who looks on; for the banker alone.",
            ok("The token, its address, and the address as a QR code (SVG).", content(INVITATION), 201),
            (*INSIDE, *SENDING, "refused"),
            parameters=[TABLE_ID, LANGUAGE],
            requestBody=body({"oneOf": [thing({"player": TEXT}), thing({"spectator": {"const": True}})]}),
        ),
    },
    "/api/v1/tables/{table_id}/guests": {
        "get": call(
            "listGuests",
            "Which phones and screens have joined, and the one code with which everybody joins; for the banker.",
            ok("The guests.", content(thing({"guests": listed(GUEST), "address": TEXT, "qr": TEXT}))),
            INSIDE,
            parameters=[TABLE_ID],
        ),
    },
    "/api/v1/tables/{table_id}/guests/{device}": {
        "delete": call(
            "logOutGuest",
            "Log one phone or screen out; for the banker.",
            ok("Logged out.", content(thing({"out": TEXT}))),
            (*INSIDE, "cross_site"),
            parameters=[TABLE_ID, in_path("device", TEXT, "The id of the device.")],
        ),
    },
    "/api/v1/guests": {
        "delete": call(
            "logOutGuests",
            "Log every phone and screen out; codes shown before let nobody in; for the banker.",
            ok("Logged out.", content(thing({"evening": NUMBER}))),
            ("login_needed", "forbidden", "cross_site", "internal"),
        ),
    },
    "/api/v1/tables/{table_id}/preparation": {
        "get": call(
            "showPreparation",
            "What is laid ready before the first act; for the banker.",
            ok("The steps.", content(schema("Preparation"))),
            INSIDE,
            parameters=[TABLE_ID],
        ),
        "post": call_once(
            "tickPreparation",
            "Say by hand whether a step is done, which counts before what cards in view show; for the banker.",
            ok("The steps then.", content(schema("Preparation"))),
            (*INSIDE, *SENDING),
            parameters=[TABLE_ID],
            requestBody=body(thing({"step": TEXT, "done": YES_NO}, closed=True)),
        ),
    },
    "/api/v1/tables/{table_id}/notes": {
        "get": call(
            "showNotes",
            "Which notes change hands by the latest entry, and who should hold which; the books do not depend on it.",
            ok("The notes that the caller may see.", content(schema("Notes"))),
            INSIDE,
            parameters=[TABLE_ID],
        ),
        "post": call_once(
            "handNotes",
            "Say whether screens tell of notes after each entry, where a device wishes nothing else; for the banker.",
            ok("Done.", content(thing({"told": YES_NO}))),
            (*INSIDE, *SENDING),
            parameters=[TABLE_ID],
            requestBody=body(thing({"told": YES_NO}, closed=True)),
        ),
    },
    "/api/v1/tables/{table_id}/hammer": {
        "get": call(
            "showHammer",
            "After how many seconds of thought about a bid the screens say going once; 0: never.",
            ok("The seconds.", content(thing({"seconds": NUMBER}))),
            INSIDE,
            parameters=[TABLE_ID],
        ),
        "post": call_once(
            "setHammer",
            "Choose it: 0, 15, 30 or 60 seconds; it reminds and never decides. For the banker.",
            ok("Chosen.", content(thing({"seconds": NUMBER}))),
            (*INSIDE, *SENDING),
            parameters=[TABLE_ID],
            requestBody=body(thing({"seconds": {"enum": [0, 15, 30, 60]}}, closed=True)),
        ),
    },
    "/api/v1/tables/{table_id}/agreements": {
        "get": call(
            "listAgreements",
            "What one asks of another: the questions that concern the caller.",
            ok("The open questions.", content(thing({"agreements": listed(schema("Agreement"))}))),
            INSIDE,
            parameters=[TABLE_ID],
        ),
        "post": call_once(
            "askForAgreement",
            "Ask whom it concerns for his yes: `hire_out` by its owner, or `undo` of what somebody did.",
            ok("The caller's own act: the entry.", content(schema("Entry")))
            | ok("Somebody is asked.", content(thing({"asked": schema("Agreement")})), 202),
            (*INSIDE, *SENDING, "stale", "refused", "version_needed"),
            parameters=[TABLE_ID, LANGUAGE, SEEN],
            requestBody=body(schema("Command")),
        ),
    },
    "/api/v1/tables/{table_id}/agreements/{number}": {
        "post": call_once(
            "answerAgreement",
            "Agree or not; who asked may only take his question back.",
            ok(
                "Answered; the entry that a yes led to.",
                content(thing({"answer": TEXT, "entry": either_null(schema("Entry"))})),
            ),
            (*INSIDE, *SENDING, "stale", "refused"),
            parameters=[TABLE_ID, in_path("number", NUMBER, "The id of the question."), LANGUAGE],
            requestBody=body(thing({"answer": {"enum": ["yes", "no"]}}, closed=True)),
        ),
    },
}

PATHS: dict[str, Part] = {
    **_TABLE_PATHS,
    **KNOWING_PATHS,
    **CAMERA_PATHS,
    **CHECK_PATHS,
    **CALIBRATION_PATHS,
    **DEVICE_PATHS,
    **BOX_PATHS,
    **PRINTER_PATHS,
    **CATALOG_PATHS,
    **BACKUP_PATHS,
}
"""Every call there is."""
