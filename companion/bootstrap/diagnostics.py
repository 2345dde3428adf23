"""Diagnostics of a running installation: findings, and a report to send to somebody who helps."""

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
    """Examines an installation while games go on.

    ``log`` returns the latest lines of the log; ``secrets``: words that are removed from reports.
    """

    def __init__(
        self,
        folder: DataFolder,
        registry: Tables,
        broken: Mapping[str, str],
        looking: Scanner,
        log: Callable[[], list[str]],
        secrets: Iterable[str],
        elsewhere: ExternalPaths = ExternalPaths(),  # noqa: B008 - it never changes
    ) -> None:
        """Store the parts of the installation."""
        self._folder = folder
        self._tables = registry
        self._broken = broken
        self._looking = looking
        self._log = log
        self._secrets = tuple(secrets)
        self._elsewhere = elsewhere

    def findings(self) -> list[Finding]:
        """Return a finding for each part of the installation; the camera is the one in use."""
        camera = _camera(self._looking)
        return list(
            examine_installation(
                self._folder, self._tables.games, self._broken, looking=camera, elsewhere=self._elsewhere
            )
        )

    def report(self) -> bytes:
        """Return a zip archive of findings, versions, log and tables, without PIN, key and players."""
        findings = [finding.as_json() for finding in self.findings()]
        parts = {
            "doctor.json": json.dumps(findings, indent=1),
            "versions.txt": "".join(f"{line}\n" for line in _versions()),
            "log.txt": "".join(f"{self._without_secrets(line)}\n" for line in self._log()),
            "tables.json": json.dumps([self._table(table) for table in self._tables.all()], indent=1),
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
    works = Finding("camera", works=True, needed=False, message=f"{name}{size}")
    return [works] if frame is None else [works, *examine_picture(frame)]


def _versions() -> list[str]:
    packages = sorted(f"{package.metadata['Name']} {package.version}" for package in distributions())
    return [f"companion {__version__}", f"python {sys.version}", f"platform {sys.platform}", *dict.fromkeys(packages)]
