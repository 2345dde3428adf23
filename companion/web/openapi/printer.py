"""The calls that find out what a printer is out by, described."""

from companion.web.openapi.calls import SENDING, call, ok
from companion.web.openapi.parts import NUMBER, TEXT, Part, content, in_query, listed, thing

_BANKER = ("login_needed", "forbidden", "not_found", "internal")
_FIGURE: Part = {"type": "number"}
_SIDE: dict[str, Part] = {
    "paper": {"enum": ["a4", "letter"]},
    "right": {**_FIGURE, "description": "Millimetres by which everything is printed too far to the right."},
    "down": {**_FIGURE, "description": "Millimetres by which everything is printed too low."},
    "across": {**_FIGURE, "description": "How much it is stretched across, 1 is not at all."},
    "along": {**_FIGURE, "description": "How much it is stretched along."},
}
_BYTES: Part = {"type": "string", "format": "binary"}

PRINTER_PATHS: dict[str, Part] = {
    "/api/v1/printer/check": {
        "post": call(
            "checkSheet",
            "Hold a photograph (JPEG or PNG, at most 16 million pixels) of a printed sheet against what was printed.",
            ok(
                "Which sheet it is, the cards on it, those that cannot be read, and labels that belong elsewhere.",
                content(
                    thing(
                        {
                            "sheet": NUMBER,
                            "of": NUMBER,
                            "cards": listed(TEXT),
                            "missing": listed(TEXT),
                            "strange": listed(TEXT),
                        },
                        closed=True,
                    )
                ),
            ),
            (*_BANKER, *SENDING, "no_sheet", "foreign_format", "unreadable", "busy"),
            parameters=[
                in_query("game", TEXT, "The game whose deck was printed."),
                in_query("catalog", TEXT, "The catalog; the one that comes with the game where none is named."),
                in_query("kind", TEXT, "`cards`, or the stock of stickers."),
                in_query("paper", {"enum": ["a4", "letter"]}, "The paper."),
            ],
            requestBody={"required": True, "content": content(_BYTES, "image/jpeg") | content(_BYTES, "image/png")},
        ),
    },
    "/api/v1/printer": {
        "get": call(
            "showPrinter",
            "What the printer is out by, side by side, as far as it was measured.",
            ok("What is known.", content(thing({"sides": {"type": "object"}}, closed=True))),
            _BANKER,
        ),
        "put": call(
            "measurePrinter",
            "Measure a photograph (JPEG or PNG, at most 16 million pixels) of the printer sheet, and keep what its "
            "side is out by: labels and cards are printed with it undone.",
            ok("What it is out by.", content(thing({"side": {"enum": ["front", "back"]}, **_SIDE}, closed=True))),
            (*_BANKER, *SENDING, "no_sheet", "foreign_format", "unreadable", "busy", "not_stored"),
            requestBody={"required": True, "content": content(_BYTES, "image/jpeg") | content(_BYTES, "image/png")},
        ),
        "delete": call(
            "forgetPrinter",
            "Print as if the printer were exact.",
            {"204": {"description": "Forgotten."}},
            (*_BANKER, "cross_site", "not_stored"),
        ),
    },
}
