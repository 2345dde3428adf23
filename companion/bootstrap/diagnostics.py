"""Looking after a running installation: what works, and a report for whoever helps."""

import io
import json
import sys
import zipfile
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import distributions

from companion import __version__
from companion.adapters.health import examine_installation, examine_picture
from companion.config import DataFolder, ExternalPaths
from companion.service.camera.scanner import Scanner
from companion.service.ports import Finding
from companion.service.table.registry import Tables


class InstallationDiagnostics:
    """Looks at everything while games go on.

    ``log`` gives the latest lines of the log; ``secrets``: words that no report may hold.
    """

    def __init__(
        self,
        folder: DataFolder,
        found: Tables,
        broken: Mapping[str, str],
        looking: Scanner,
        log: Callable[[], list[str]],
        secrets: Iterable[str],
        elsewhere: ExternalPaths = ExternalPaths(),  # noqa: B008 - it never changes
    ) -> None:
        """Take the parts of an installation."""
        self._folder = folder
        self._tables = found
        self._broken = broken
        self._looking = looking
        self._log = log
        self._secrets = tuple(secrets)
        self._elsewhere = elsewhere

    def findings(self) -> list[Finding]:
        """Look at everything; the camera is the one that is looked through."""
        camera = _camera(self._looking)
        return list(
            examine_installation(
                self._folder, self._tables.editions, self._broken, looking=camera, elsewhere=self._elsewhere
            )
        )

    def report(self) -> bytes:
        """Return a zip archive for whoever helps: findings, versions, log, tables; without PIN, key and players."""
        told = [one.as_json() for one in self.findings()]
        parts = {
            "doctor.json": json.dumps(told, indent=1),
            "versions.txt": "".join(f"{line}\n" for line in _versions()),
            "log.txt": "".join(f"{self._without_secrets(line)}\n" for line in self._log()),
            "tables.json": json.dumps([self._table(one) for one in self._tables.all()], indent=1),
        }
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in parts.items():
                archive.writestr(name, text)
        return packed.getvalue()

    def _table(self, about: Mapping[str, object]) -> dict[str, object]:
        return {key: about[key] for key in ("id", "game", "version", "finished") if key in about}

    def _without_secrets(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, "(secret)")
        return text


def _camera(looking: Scanner) -> list[Finding]:
    if looking.problem is not None:
        mend = "it is tried again and again"
        return [Finding("camera", works=False, needed=False, message=looking.problem, mend=mend)]
    frame, name = looking.latest, looking.camera.name
    size = "" if frame is None else f": {frame.image.shape[1]} x {frame.image.shape[0]}"
    found = Finding("camera", works=True, needed=False, message=f"{name}{size}")
    return [found] if frame is None else [found, *examine_picture(frame)]


def _versions() -> list[str]:
    known = sorted(f"{one.metadata['Name']} {one.version}" for one in distributions())
    return [f"companion {__version__}", f"python {sys.version}", f"platform {sys.platform}", *dict.fromkeys(known)]
