"""The calls about catalogs as files, described."""

from companion.web.openapi.calls import SENDING, body, call, call_once, ok
from companion.web.openapi.parts import TEXT, YES_NO, Part, content, either_null, in_path, listed, thing

_BANKER = ("login_needed", "forbidden", "not_found", "internal")
_TOML: Part = {"type": "string", "description": "A catalog as TOML, of 200,000 bytes at most."}
_CATALOG: Part = thing(
    {
        "game": TEXT,
        "name": TEXT,
        "title": TEXT,
        "own": {**YES_NO, "description": "Somebody has brought or taught it."},
        "fault": {**either_null(TEXT), "description": "Why it cannot be played with."},
    },
    closed=True,
)
_WHICH = [in_path("game", TEXT, "The game."), in_path("name", TEXT, "The name of the catalog.")]
_OTHER: Part = {
    "name": "from",
    "in": "query",
    "required": True,
    "description": "The catalog beside which it is held.",
    "schema": TEXT,
}
_DIFFERENCE: Part = thing({"place": TEXT, "a": {}, "b": {}}, closed=True)

CATALOG_PATHS: dict[str, Part] = {
    "/api/v1/catalogs": {
        "get": call(
            "listCatalogs",
            "The catalogs of all games; for the banker.",
            ok("Catalogs.", content(thing({"catalogs": listed(_CATALOG)}, closed=True))),
            _BANKER,
        ),
    },
    "/api/v1/catalogs/{name}": {
        "post": call_once(
            "takeInCatalog",
            "Check a catalog file that somebody else wrote, and keep it under a name; for the banker.",
            ok("Kept.", content(_CATALOG), 201),
            (*_BANKER, *SENDING, "foreign_format", "catalog_faulty", "not_stored"),
            parameters=[in_path("name", TEXT, "What it is called here.")],
            requestBody=body(_TOML, "application/toml"),
        ),
    },
    "/api/v1/catalogs/{game}/{name}.toml": {
        "get": call(
            "saveCatalog",
            "A catalog's file; for the banker.  Pictures of cards are in none.",
            ok("The file.", content({"type": "string"}, "application/toml")),
            _BANKER,
            parameters=_WHICH,
        ),
    },
    "/api/v1/catalogs/{game}/{name}/copy": {
        "post": call_once(
            "copyCatalog",
            "Keep a catalog under one more name; for the banker.",
            ok("Kept.", content(_CATALOG), 201),
            (*_BANKER, *SENDING, "catalog_faulty", "not_stored"),
            parameters=_WHICH,
            requestBody=body(thing({"name": TEXT}, closed=True)),
        ),
    },
    "/api/v1/catalogs/{game}/{name}/differences": {
        "get": call(
            "compareCatalogs",
            "Where a catalog differs from another of the same game; for the banker.",
            ok("Differences.", content(thing({"differences": listed(_DIFFERENCE)}, closed=True))),
            (*_BANKER, "catalog_faulty"),
            parameters=[*_WHICH, _OTHER],
        ),
    },
}
