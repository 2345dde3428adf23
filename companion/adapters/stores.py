"""Small files of the data folder: settings, preferences, guests.

Each file is replaced as a whole: a full disk or a power failure leaves the earlier one.
"""

import errno
import json
import os
import re
import secrets
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from calibration.bounded_toml import decode_text, parse_toml
from companion.adapters.system import OperatorError
from companion.config import DataFolder
from companion.service.access.guests import FIRST_GENERATION, Guest, GuestList
from companion.service.access.preferences import CARD_LAYOUTS, PreferenceValues

T = TypeVar("T")

PIN_DIGITS = 6
"""Length of a generated PIN; a chosen one may be shorter or longer."""
SECRET_BYTES = 32
PIN_PATTERN = re.compile(r"[0-9]{4,12}")
SECRET_PATTERN = re.compile(r"[0-9a-f]{32,}")
QUOTABLE = re.compile(r"[^\x00-\x1f\"\\\x7f]{1,200}")
"""Text that needs no escapes in a TOML string: a deck's name, a table's id."""

UNFINISHED = ".part"
"""End of the names of files that are being written, to be renamed when they are complete."""
REWRITTEN = ".new"
"""The same for lists that are written anew at a start."""
WRITE_PROBE = ".writable"
"""A file that is written and deleted to find out whether a folder takes any."""
MAX_TEXT_BYTES = 1_000_000
"""Of a file of settings, choices, a box, a mat or a profile; the largest takes about 50,000."""
MAX_GUESTS_BYTES = 20_000_000
"""Of the list of guests, in which every phone of every game stands until it leaves: 80,000 take so much."""

_OWNER_ONLY = 0o600


class SettingsError(OperatorError):
    """A file cannot be used; the message is one line for the operator."""


def make_private_folders(folder: Path) -> None:
    """Create a folder, and those above it that are missing, for their owner only; one that is there stays as it is."""
    for missing in reversed([each for each in (folder, *folder.parents) if not each.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)


def write_atomically(path: Path, data: bytes, mode: int = 0o666, *, new_only: bool = False) -> None:
    """Replace a file: write beside it, sync, rename, sync the folder, which is created where it is missing.

    Args:
        path: the file.
        data: its content.
        mode: permissions of the new file, as far as the umask leaves them.
        new_only: leave a file alone that is there already, also if it came there a moment ago.

    Raises:
        FileExistsError: with ``new_only``, where there is a file.
        OSError: when the disk refuses; the earlier file is then unchanged, and nothing is left beside it.

    """
    make_private_folders(path.parent)
    part = path.with_name(f"{path.name}.{secrets.token_hex(4)}{UNFINISHED}")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if new_only:
            _rename_to_new(part, path)
        else:
            part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _rename_to_new(part: Path, path: Path) -> None:
    """Rename a file; raise ``FileExistsError`` where there is one of that name, if only since a moment ago."""
    try:
        path.hardlink_to(part)
    except FileExistsError:
        raise
    except OSError:  # a file system without links, as on a stick
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        part.replace(path)
    else:
        part.unlink()


def remove_unfinished(folder: DataFolder) -> tuple[Path, ...]:
    """Delete what writes that were cut off, and earlier versions, have left in a data folder, and return it.

    Call this with the folder locked, before anything in it is opened.
    """
    within = (folder.path, folder.boxes, folder.catalogs, folder.https, folder.pictures, folder.profiles)
    leftovers = [path for place in within for path in place.glob(f"*{UNFINISHED}")]
    leftovers += [path.with_suffix(REWRITTEN) for path in (folder.latest, folder.summaries)]
    leftovers += [folder.path / WRITE_PROBE, folder.summaries]
    removed = tuple(path for path in leftovers if path.is_file())
    for path in removed:
        path.unlink(missing_ok=True)
    return removed


def write_small_text(path: Path, text: str, max_bytes: int = MAX_TEXT_BYTES) -> None:
    """Replace a file as ``write_atomically`` does.

    Raises:
        OSError: when the disk refuses, or ``read_small_text`` would not read the file again; nothing has changed.

    """
    data = text.encode()
    if len(data) > max_bytes:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    write_atomically(path, data)


def read_small_text(path: Path, max_bytes: int = MAX_TEXT_BYTES) -> str:
    """Return the text of an ordinary file of at most so many bytes.

    Raises:
        OSError: when it cannot be read.
        ValueError: when it is no ordinary file, larger, or not UTF-8; UTF-16 is told as such.

    """
    if path.exists() and not path.is_file():
        raise ValueError("not an ordinary file")
    with path.open("rb") as file:
        content = file.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise ValueError(f"larger than {max_bytes} bytes")
    return decode_text(content)


class FileStore(Generic[T]):
    """A ``Store`` of one value in one text file, to which nobody else writes: the data folder is locked."""

    def __init__(
        self,
        path: Path,
        default: T,
        parse: Callable[[str], T],
        serialize: Callable[[T], str],
        unreadable: str | None = None,
        max_bytes: int = MAX_TEXT_BYTES,
    ) -> None:
        """Store how the value is read and written.

        Args:
            path: the file, which need not exist.
            default: the value while there is no file.
            parse: raises ``ValueError``, ``TypeError``, ``KeyError`` or ``AttributeError`` for unusable text.
            serialize: raises ``ValueError`` for a value that cannot be stored.
            unreadable: what to tell the operator about an unusable file, with ``{}`` for the fault; without it such
                a file counts as missing.
            max_bytes: the largest file that is read, and written.

        """
        self._path = path
        self._default = default
        self._parse = parse
        self._serialize = serialize
        self._unreadable = unreadable
        self._max_bytes = max_bytes

    def read(self) -> T:
        """Return the stored value.

        Raises:
            SettingsError: when the file cannot be used.
            OSError: when it cannot be read.

        """
        try:
            return self._parse(read_small_text(self._path, self._max_bytes))
        except FileNotFoundError:
            return self._default
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            if self._unreadable is None:
                return self._default
            if isinstance(error, OSError):
                raise
            message = f"{self._path}: {self._unreadable.format(error)}"
            raise SettingsError(message) from error

    def write(self, value: T, /) -> None:
        """Store a value durably; raise ``OSError`` where the disk refuses, or it could not be read again."""
        write_small_text(self._path, self._serialize(value), self._max_bytes)


# Settings: the PIN and the key of logins.


@dataclass(frozen=True, slots=True)
class Settings:
    """``pin``: digits that make somebody the banker; ``secret``: the key that signs logins, never shown."""

    pin: str
    secret: str


def load_settings(path: Path, pin: str | None = None) -> Settings:
    """Return the stored settings, generated at first; a given ``pin`` replaces the stored one.

    Raises:
        SettingsError: for an invalid PIN or an unusable file; nothing has changed.
        OSError: when the file cannot be read or written; nothing has changed.

    """
    require_pin(pin)
    stored = _read_settings(path) if path.exists() else None
    settings = Settings(
        pin=pin or (stored.pin if stored else "".join(secrets.choice("0123456789") for _ in range(PIN_DIGITS))),
        secret=stored.secret if stored else secrets.token_hex(SECRET_BYTES),
    )
    if settings != stored:
        text = f'pin = "{settings.pin}"\nsecret = "{settings.secret}"\n'
        try:
            write_atomically(path, text.encode(), _OWNER_ONLY, new_only=stored is None)
        except FileExistsError:  # another process that shares the file has just made them up
            return load_settings(path, pin)
    return settings


def require_pin(pin: str | None) -> None:
    """Raise ``SettingsError`` for a chosen PIN that is none."""
    if pin is not None and not PIN_PATTERN.fullmatch(pin):
        message = f"{pin}: the PIN must be 4 to 12 digits"
        raise SettingsError(message)


def _read_settings(path: Path) -> Settings:
    try:
        data = parse_toml(read_small_text(path))
        pin, secret = data["pin"], data["secret"]
    except (ValueError, KeyError) as error:
        message = f"{path}: no readable settings ({error}); delete the file to get a new PIN"
        raise SettingsError(message) from error
    if not (isinstance(pin, str) and PIN_PATTERN.fullmatch(pin)):
        message = f"{path}: the PIN must be 4 to 12 digits in quotes; delete the file to get a new one"
        raise SettingsError(message)
    if not (isinstance(secret, str) and SECRET_PATTERN.fullmatch(secret)):
        message = f"{path}: the secret was not generated by this program; delete the file to get a new one"
        raise SettingsError(message)
    return Settings(pin, secret)


# Preferences of an installation.


def preferences_store(path: Path) -> FileStore[PreferenceValues]:
    """Return the store of an installation's preferences (TOML); members of other versions are ignored."""
    return FileStore(
        path,
        PreferenceValues(),
        _parse_preferences,
        _preferences_toml,
        "no readable choices ({}); delete it to be asked again",
    )


def _preferences_toml(chosen: PreferenceValues) -> str:
    notes = ", ".join(f'"{_quotable(table)}"' for table in sorted(chosen.notes))
    lines = (
        f"welcomed = {str(chosen.welcomed).lower()}",
        f'deck = "{_quotable(chosen.deck)}"',
        f'laying = "{chosen.layout}"',
        f"notes = [{notes}]",
        "[hammers]",
        *(f'"{_quotable(table)}" = {seconds}' for table, seconds in sorted(chosen.hammers.items())),
    )
    return "\n".join(lines) + "\n"


def _parse_preferences(text: str) -> PreferenceValues:
    data, default = parse_toml(text), PreferenceValues()
    welcomed, deck = data.get("welcomed", default.welcomed), data.get("deck", default.deck)
    layout, notes = data.get("laying", default.layout), data.get("notes", [])
    if not isinstance(welcomed, bool):
        raise TypeError("welcomed is neither true nor false")
    if not isinstance(deck, str):
        raise TypeError("deck is no name")
    if layout not in CARD_LAYOUTS:
        raise ValueError(f"laying is none of {', '.join(CARD_LAYOUTS)}")
    if not isinstance(notes, list) or not all(isinstance(table, str) for table in notes):
        raise TypeError("notes is no list of tables")
    hammers = data.get("hammers", {})
    if not isinstance(hammers, dict) or any(type(seconds) is not int for seconds in hammers.values()):
        raise TypeError("hammers are no seconds by table")
    return PreferenceValues(welcomed, deck, layout, frozenset(notes), hammers)


def _quotable(name: str) -> str:
    if not QUOTABLE.fullmatch(name):
        raise ValueError(f"{name!r} is no name of a deck")
    return name


# Guests and their logins.


def guests_store(path: Path) -> FileStore[GuestList]:
    """Return the store of an installation's guests (JSON)."""
    return FileStore(
        path,
        GuestList(),
        _parse_guests,
        _guests_json,
        "no readable list of guests ({}); delete it, and phones join anew",
        MAX_GUESTS_BYTES,
    )


def _guests_json(guests: GuestList) -> str:
    # the names under which these have always been stored
    data = {"evening" if name == "invitation_epoch" else name: value for name, value in asdict(guests).items()}
    for guest in data["guests"]:
        guest["sitter"] = guest.pop("seat_generation")
    return json.dumps(data, ensure_ascii=False, indent=1)


def _parse_guests(text: str) -> GuestList:
    data = json.loads(text)
    json.dumps(data, ensure_ascii=False).encode()  # half characters fit on no page
    epoch, current, out = data["evening"], data["current"], data["out"]
    if not isinstance(epoch, int) or isinstance(epoch, bool) or not isinstance(current, str | None):
        raise TypeError("evening and current are a number and a table")
    following = dict(data["next"])
    if not all(isinstance(name, str) for name in (*out, *following, *following.values())):
        raise TypeError("out and next hold names")
    # earlier versions kept neither generations nor links
    generation, kept, links = data.get("generation", FIRST_GENERATION), data.get("kept"), dict(data.get("links", {}))
    if any(type(number) is not int for number in (generation, *links.values())) or not isinstance(kept, str | None):
        raise TypeError("generation and links are numbers, kept is a device")
    guests = tuple(_guest(guest) for guest in data["guests"])
    return GuestList(epoch, current, guests, tuple(out), following, generation, kept, links)


def _guest(data: dict[str, Any]) -> Guest:
    seat_generation = data.get("sitter", 0)  # missing in lists from before seats could be left
    if type(seat_generation) is not int:
        raise TypeError("sitter is a number")
    flags = [data.get(name, False) for name in ("listed", "hosts", "invited")]
    if not all(isinstance(flag, bool) for flag in flags):
        raise TypeError("listed, hosts and invited are true or false")
    guest = Guest(data["device"], data["table"], data["player"], data["name"], seat_generation, *flags)
    named = all(isinstance(name, str) for name in (guest.device, guest.table, guest.name))
    if not named or not isinstance(guest.player, str | None):
        raise TypeError("a guest has a device, a table, a player and a name")
    return guest
