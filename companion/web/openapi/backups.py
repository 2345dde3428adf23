"""The calls about backups, described."""

from companion.web.openapi.calls import SENDING, call, call_once, ok
from companion.web.openapi.parts import NUMBER, TEXT, Part, content, either_null, in_path, listed, thing

_BANKER = ("login_needed", "forbidden", "not_found", "internal")
_BACKUP: Part = thing(
    {
        "name": TEXT,
        "made": {**TEXT, "format": "date-time"},
        "size": {**NUMBER, "description": "Bytes."},
    },
    closed=True,
)

BACKUP_PATHS: dict[str, Part] = {
    "/api/v1/backups": {
        "get": call(
            "listBackups",
            "The backups that are kept, the newest first; for the banker.",
            ok(
                "Backups, where they are, and what kept the latest from being made.",
                content(thing({"place": TEXT, "fault": either_null(TEXT), "backups": listed(_BACKUP)}, closed=True)),
            ),
            _BANKER,
        ),
        "post": call_once(
            "makeBackup",
            "Make a backup now; for the banker.",
            ok("Made.", content(_BACKUP), 201),
            (*_BANKER, *SENDING, "not_stored"),
        ),
    },
    "/api/v1/backups/{name}": {
        "get": call(
            "downloadBackup",
            "The file of a backup: tables, catalogs, settings and the PIN among them; for the banker.",
            ok("The file.", content({"type": "string", "format": "binary"}, "application/zip")),
            _BANKER,
            parameters=[in_path("name", TEXT, "The name of the backup.")],
        ),
    },
}
