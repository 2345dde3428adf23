"""The calls that tell what was and what may come, described."""

from companion.web.openapi.calls import INSIDE, LANGUAGE, TABLE_ID, call, ok
from companion.web.openapi.parts import NUMBER, TEXT, Part, content, in_header, in_query, listed, schema, thing

DONE: Part = thing({"sections": NUMBER, "finished": listed(TEXT)}, closed=True)
NEEDS: Part = thing(
    {
        "version": NUMBER,
        "player": TEXT,
        "contracts": listed(thing({"contract": TEXT, "wants": {"type": "object"}}, closed=True)),
        "now": DONE,
        "then": {"type": "object", "additionalProperties": DONE},
    }
)

KNOWING_PATHS: dict[str, Part] = {
    "/api/v1/tables/{table_id}/forecast": {
        "get": call(
            "lookAhead",
            "What a player's money comes to until the end, if he goes on as he is; with a contract, which bids force "
            "no loan; with a bid too, what that one leads to. Where money is hidden only his own, and the banker's.",
            ok("The forecast.", content(schema("Forecast"))),
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
        "get": call(
            "suggestPlan",
            "The best plan for a player's workers: most income now, then most progress. For himself and the banker.",
            ok("A command that may be given as it is, what it earns, and why.", content(schema("Suggestion"))),
            ("malformed", *INSIDE, "refused"),
            parameters=[TABLE_ID, LANGUAGE, in_query("player", TEXT, "Who plans; must be given.")],
        ),
    },
    "/api/v1/tables/{table_id}/needs": {
        "get": call(
            "tellNeeds",
            "Whom a player's contracts still ask for, what his workers get done this round, and what with one more of "
            "each type; out of what everybody sees.",
            ok("What he needs.", content(NEEDS)),
            ("malformed", *INSIDE, "refused"),
            parameters=[
                TABLE_ID,
                LANGUAGE,
                in_query("player", TEXT, "Who; must be given."),
                in_query("contract", TEXT, "A contract that counts as if it were his."),
            ],
        ),
    },
    "/api/v1/tables/{table_id}/journal": {
        "get": call(
            "readJournal",
            "All entries that the caller may see, oldest first; or a file of the whole game, for the banker.",
            ok(
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
        "get": call(
            "explainFigure",
            "The entries and rules behind a figure, oldest first; what was undone does not count.",
            ok("How it came about.", content(schema("Explanation"))),
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
    "/api/v1/tables/{table_id}/worth": {
        "get": call(
            "worthOverRounds",
            "What each player was worth at the start (round 0) and at the end of each round, that of now among them; "
            "whose money is hidden from the caller is left out.",
            ok(
                "The rounds, in order.",
                content(thing({"rounds": listed(thing({"round": NUMBER, "worth": {"type": "object"}}))})),
            ),
            INSIDE,
            parameters=[TABLE_ID],
        ),
    },
    "/api/v1/tables/{table_id}/stream": {
        "get": call(
            "followTable",
            "Server-sent events: `version` (id: the version; data: what showTable answers) and `sight` (data: what "
            "listProposals answers); a comment at least every 5 seconds.",
            ok("The stream; it ends when the server does.", content(TEXT, "text/event-stream")),
            (*INSIDE, "busy"),
            parameters=[
                TABLE_ID,
                in_query("data", {"const": "version"}, "Tell of versions alone, for pages that fetch the rest."),
                in_header("Last-Event-ID", TEXT, "The version that the reader has."),
            ],
        ),
    },
}
