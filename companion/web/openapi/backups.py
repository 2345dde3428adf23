"""The calls about backups and what works, described."""

from companion.web.openapi.calls import SENDING, call, call_once, ok
from companion.web.openapi.parts import NUMBER, TEXT, YES_NO, Part, content, either_null, in_path, listed, thing

_BANKER = ("login_needed", "forbidden", "not_found", "internal")
_BACKUP: Part = thing(
    {
        "name": TEXT,
        "made": {**TEXT, "format": "date-time"},
        "size": {**NUMBER, "description": "Bytes."},
    },
    closed=True,
)
_FINDING: Part = thing({"name": TEXT, "works": YES_NO, "needed": YES_NO, "told": TEXT, "mend": TEXT}, closed=True)

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
    "/api/v1/doctor": {
        "get": call(
            "lookAtEverything",
            "What works on this machine, and what to do about what does not; for the banker.",
            ok("Findings.", content(thing({"could_serve": YES_NO, "findings": listed(_FINDING)}, closed=True))),
            _BANKER,
        ),
    },
    "/api/v1/doctor/report": {
        "get": call(
            "report",
            "A report for whoever helps: findings, versions, log, sizes of tables; for the banker.",
            ok("The file.", content({"type": "string", "format": "binary"}, "application/zip")),
            _BANKER,
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
    "/api/v1/backups/{name}/restore": {
        "post": call_once(
            "restoreBackup",
            "Put a backup in place of all that is here, for the banker; then nobody is served for some seconds.",
            ok("It does, and is put in place now.", content(thing({"restores": TEXT}, closed=True)), 202),
            (*_BANKER, *SENDING, "backup_unfit"),
            parameters=[in_path("name", TEXT, "The name of the backup.")],
        ),
    },
}
