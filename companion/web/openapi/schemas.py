"""The things that the HTTP interface speaks of, described."""

from companion.web.openapi.boxes import BOX
from companion.web.openapi.devices import FRAME, READING, SCAN
from companion.web.openapi.parts import ANYTHING, NUMBER, TEXT, YES_NO, Part, either_null, listed, schema, thing

COMMAND_SHOWN: Part = {
    "type": "object",
    "required": ["do"],
    "properties": {"do": TEXT},
    "description": "A command as it was given, or as much of it as the caller may see.",
}
POSITION: Part = {
    "type": "object",
    "description": "The position of the game, as its play files print it; what the caller may not see is left out.",
}
FIELD: Part = {
    "type": "object",
    "required": ["kind"],
    "properties": {
        "kind": {"enum": ["one_of", "some_of", "amount", "any_of_these", "any_set", "assignment"]},
        "values": listed(ANYTHING),
        "least": NUMBER,
        "most": NUMBER,
        "step": NUMBER,
        "sites": {"type": "object"},
        "workers": {"type": "object"},
    },
}
OFFER: Part = {
    "type": "object",
    "required": ["do", "urgency", "fields"],
    "properties": {
        "do": TEXT,
        "player": TEXT,
        "by": TEXT,
        "costs": NUMBER,
        "urgency": {"enum": ["due", "possible"]},
        "fields": {"type": "object", "additionalProperties": schema("Field")},
    },
    "description": "A command that may be given now: its settled fields, and under fields what is open. "
    "To give it, leave out fields, urgency, by and costs, and put the chosen fields in.",
}
EVENTS: Part = listed({"type": "object", "required": ["event"], "properties": {"event": TEXT}})
ENTRY: Part = thing(
    {
        "seq": NUMBER,
        "at": {"type": "string", "format": "date-time"},
        "actor": TEXT,
        "source": TEXT,
        "command": schema("CommandShown"),
        "events": EVENTS,
    },
    {
        "undone": YES_NO,
        "amended": thing({"by": NUMBER, "command": either_null(schema("CommandShown")), "events": either_null(EVENTS)}),
    },
)
AMENDED_ENTRY: Part = {"seq": NUMBER, "command": schema("CommandShown"), "before": EVENTS}
CASH: Part = thing({"before": either_null(NUMBER), "after": either_null(NUMBER)})
PREVIEW: Part = thing(
    {
        "seq": NUMBER,
        "with": either_null(schema("CommandShown")),
        "version": NUMBER,
        "changes": listed(thing({**AMENDED_ENTRY, "becomes": either_null(schema("CommandShown")), "after": EVENTS})),
        "refused": listed(thing({**AMENDED_ENTRY, "refused": TEXT, "rule": TEXT, "details": {"type": "object"}})),
        "money": {"type": "object", "additionalProperties": CASH},
        "position": schema("Position"),
    }
)
TABLE: Part = thing(
    {
        "id": TEXT,
        "game": TEXT,
        "version": NUMBER,
        "started_at": TEXT,
        "changed_at": TEXT,
        "round": either_null(NUMBER),
        "phase": either_null(TEXT),
        "finished": YES_NO,
        "players": listed(thing({"id": TEXT, "name": TEXT})),
        "standings": listed(thing({"player": TEXT, "worth": NUMBER, "rank": NUMBER})),
        "interrupted": {**YES_NO, "description": "Nobody has played on since the companion was started."},
    }
)
PREPARATION: Part = {
    "description": "What is laid ready before the first act; it never keeps the game from going on.",
    **thing(
        {
            "steps": listed(
                thing(
                    {
                        "step": TEXT,
                        "count": {**NUMBER, "description": "The figure of the step; 0 where it has none."},
                        "shown": {**NUMBER, "description": "How many of its piles cards in view have shown."},
                        "of": {**NUMBER, "description": "How many piles it has; 0 where cards say nothing of it."},
                        "done": YES_NO,
                    }
                )
            )
        }
    ),
}
PROPOSAL: Part = thing(
    {
        "id": NUMBER,
        "at": TEXT,
        "card": TEXT,
        "tag": TEXT,
        "command": either_null(schema("CommandShown")),
        "zone": TEXT,
        "question": either_null(thing({"rule": TEXT, "card": TEXT, "details": {"type": "object"}})),
        "source": {"enum": ["camera", "scanner"], "description": "What saw the card."},
        "picture": either_null({"type": "string", "description": "The address of the piece of the picture."}),
    }
)
DIFFERENCE: Part = {
    "description": "Where the table contradicts the books; told, never acted upon.",
    "oneOf": [
        thing({"difference": {"const": "elsewhere"}, "card": TEXT, "zone": TEXT, "books": TEXT}),
        thing(
            {
                "difference": {"const": "fewer"},
                "player": TEXT,
                "type": TEXT,
                "books": NUMBER,
                "table": NUMBER,
                "cards": listed(TEXT),
            }
        ),
    ],
}
SIGHT: Part = thing(
    {
        "camera": either_null(TEXT),
        "state": {"enum": ["seeing", "lost", "none"]},
        "problem": either_null(TEXT),
        "cards": listed(thing({"card": TEXT, "zone": either_null(TEXT), "corners": listed(ANYTHING)})),
        "faces": {
            **listed(thing({"card": either_null(TEXT), "like": listed(TEXT)}, closed=True)),
            "description": "Cards without a label that lie in the tray: known by their faces, or null and what they "
            "look like.",
        },
        "twins": {
            **listed(thing({"card": TEXT, "corners": listed(ANYTHING)})),
            "description": "Labels of cards that lie there once more already; they count for nothing.",
        },
        "strangers": {
            **listed(thing({"text": TEXT, "card": TEXT, "game": TEXT})),
            "description": "Cards of other games that lie in view.",
        },
        "mat": either_null({"type": "string", "description": "The mat that is seen; without one, all is the tray."}),
        "differences": listed(schema("Difference")),
        "resumed": {**YES_NO, "description": "The table goes on after a restart, and nobody has played on since."},
    }
)
PURSE: Part = {
    "type": "object",
    "additionalProperties": NUMBER,
    "description": "How many of each note, by its dollars, largest first.",
}
HANDS: Part = {
    "type": "object",
    "additionalProperties": {"type": "object", "properties": {"gives": PURSE, "takes": PURSE}},
    "description": "What each holder (an account) gives and takes.",
}
NOTES: Part = thing(
    {
        "version": NUMBER,
        "hands": HANDS,
        "payments": listed(thing({"from": TEXT, "to": TEXT, "amount": NUMBER, "short": NUMBER, "hands": HANDS})),
        "holders": {"type": "object", "additionalProperties": thing({"notes": PURSE, "worth": NUMBER})},
        "slips": listed(thing({"from": TEXT, "to": TEXT, "amount": NUMBER})),
    }
)
RULE: dict[str, Part] = {"rule": TEXT, "title": TEXT, "texts": listed(TEXT), "rulings": listed(TEXT)}
EXPLANATION: Part = thing(
    {
        "account": TEXT,
        "balance": NUMBER,
        "parts": listed(
            thing({"kind": TEXT, "amount": NUMBER, **RULE}, {"card": TEXT, "count": NUMBER, "each": NUMBER})
        ),
        "lines": listed(
            thing(
                {"seq": NUMBER, "at": TEXT, "event": TEXT, "detail": TEXT, "amount": NUMBER, "balance": NUMBER, **RULE}
            )
        ),
    }
)
LOANS: Part = thing({"small": NUMBER, "large": NUMBER})
LOW: Part = thing({"cash": NUMBER, "round": NUMBER, "short": NUMBER, "loans": LOANS})
FORECAST: Part = {
    **thing(
        {
            "version": NUMBER,
            "player": TEXT,
            "cash": NUMBER,
            "movements": listed(
                thing(
                    {
                        "round": NUMBER,
                        "phase": {"enum": ["contracts", "income"]},
                        "why": {"enum": ["contract", "premium", "price", "loan", "wages"]},
                        "amount": NUMBER,
                        "cash": NUMBER,
                    },
                    {"card": TEXT, "loan": {"enum": ["small", "large"]}},
                )
            ),
            "short": either_null(thing({"round": NUMBER, "amount": NUMBER})),
            "next": either_null(LOW),
            "end": LOW,
            "unfinished": NUMBER,
            "owes": thing({"early": NUMBER, "late": NUMBER, "late_is_certain": YES_NO}),
            "worth": NUMBER,
            "bid": either_null(
                thing(
                    {
                        "contract": TEXT,
                        "amount": either_null(NUMBER),
                        "least": NUMBER,
                        "most": NUMBER,
                        "safe": thing({"next": either_null(NUMBER), "end": either_null(NUMBER)}),
                        "rounds": listed(thing({"round": NUMBER, "most": NUMBER})),
                    }
                )
            ),
        }
    ),
    "description": "Dated movements with the cash after each; the first shortage of wages; the lowest point until the "
    "next wages are paid and until the end, below 0 by what has to be borrowed, with the loans forced until then. "
    "`bid.safe`: the highest bids that force no loan until then; `bid.rounds`: the highest for each round's wages.",
}
SUGGESTION: Part = thing(
    {
        "version": NUMBER,
        "command": schema("CommandShown"),
        "earns": NUMBER,
        "reasons": listed(
            thing(
                {
                    "why": {"enum": ["finishes", "continues", "begins", "others_first", "no_team"]},
                    "contract": TEXT,
                    "sections": listed(TEXT),
                    "left": NUMBER,
                    "price": NUMBER,
                }
            )
        ),
        "idle": listed(TEXT),
    }
)
PROBLEM: Part = thing({"type": TEXT, "title": TEXT, "status": NUMBER, "detail": TEXT})

SCHEMAS: dict[str, Part] = {
    "CommandShown": COMMAND_SHOWN,
    "Position": POSITION,
    "Field": FIELD,
    "Offer": OFFER,
    "Entry": ENTRY,
    "Preview": PREVIEW,
    "Table": TABLE,
    "Preparation": PREPARATION,
    "Box": BOX,
    "Shown": thing({"version": NUMBER, "position": either_null(schema("Position")), "offers": listed(schema("Offer"))}),
    "Forecast": FORECAST,
    "Suggestion": SUGGESTION,
    "Proposal": PROPOSAL,
    "Sight": SIGHT,
    "Difference": DIFFERENCE,
    "Agreement": thing(
        {"id": NUMBER, "asker": TEXT, "asked": TEXT, "command": schema("CommandShown"), "refused": {"type": "boolean"}}
    ),
    "Asked": thing(
        {
            "proposals": listed(schema("Proposal")),
            "sight": schema("Sight"),
            "suggest": either_null(thing({"id": NUMBER, "player": TEXT})),
            "readings": {"type": "integer", "description": "Cards that led to anything since the program began."},
            "agreements": listed(schema("Agreement")),
        }
    ),
    "Reading": READING,
    "Frame": FRAME,
    "Scan": SCAN,
    "Explanation": EXPLANATION,
    "Notes": NOTES,
    "Problem": PROBLEM,
}
