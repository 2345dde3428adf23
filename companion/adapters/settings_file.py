"""The settings of an installation: the PIN, and the key that signs logins.  Made up once and kept."""

import os
import re
import secrets
import tomllib
from dataclasses import dataclass
from pathlib import Path

PIN_DIGITS = 6
"""Of one that is made up; people may choose shorter and longer ones."""
SECRET_BYTES = 32
A_PIN = re.compile(r"[0-9]{4,12}")
A_SECRET = re.compile(r"[0-9a-f]{32,}")


class SettingsError(Exception):
    """The file cannot be used; the message is one line for the operator."""


@dataclass(frozen=True, slots=True)
class Settings:
    """``pin``: digits that make somebody the banker; ``secret``: never shown."""

    pin: str
    secret: str


def kept_settings(path: Path, pin: str | None = None) -> Settings:
    """Read the settings, or make them up and keep them; a ``pin`` that is given replaces the kept one.

    Raises ``SettingsError`` or ``OSError``; then nothing has changed.
    """
    if pin is not None and not A_PIN.fullmatch(pin):
        message = f"--pin {pin}: the PIN must be 4 to 12 digits"
        raise SettingsError(message)
    kept = _read(path) if path.exists() else None
    settings = Settings(
        pin=pin or (kept.pin if kept else "".join(secrets.choice("0123456789") for _ in range(PIN_DIGITS))),
        secret=kept.secret if kept else secrets.token_hex(SECRET_BYTES),
    )
    if settings != kept:
        _write(path, settings)
    return settings


def _read(path: Path) -> Settings:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        pin, secret = data["pin"], data["secret"]
    except (ValueError, KeyError) as error:
        message = f"{path}: no readable settings ({error}); delete it to have a new PIN made up"
        raise SettingsError(message) from error
    if not (isinstance(pin, str) and A_PIN.fullmatch(pin)):
        message = f"{path}: the PIN must be 4 to 12 digits in quotes; delete the file to have a new one made up"
        raise SettingsError(message)
    if not (isinstance(secret, str) and A_SECRET.fullmatch(secret)):
        message = f"{path}: the secret is not one that was made up here; delete the file to have a new one made up"
        raise SettingsError(message)
    return Settings(pin, secret)


def _write(path: Path, settings: Settings) -> None:
    """Write beside and rename: a full disk or a pulled plug leaves the old file whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".new")
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        file.write(f'pin = "{settings.pin}"\nsecret = "{settings.secret}"\n')
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
