"""Services that know people, kept in a data folder, or in a database that several processes share."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from companion.adapters.stores import Settings, guests_store, preferences_store
from companion.config import DataFolder
from companion.service.access.guests import Guests
from companion.service.access.logins import Logins
from companion.service.access.preferences import Preferences
from companion.service.access.screens import MOST_WAITING_IN_HALL, Lobby, ScreenPairings
from companion.service.ports import AnswerStore

if TYPE_CHECKING:  # its libraries are optional
    from companion.adapters.journal.database import Database
    from companion.adapters.shared import SharedStore, ValueParts

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Access:
    """Services that know people; ``answers`` are shared by processes, or ``None``."""

    logins: Logins
    preferences: Preferences
    guests: Guests
    lobby: Lobby = field(default_factory=Lobby)
    pairings: ScreenPairings = field(default_factory=lambda: ScreenPairings(time.monotonic))
    answers: AnswerStore | None = None


def open_access(settings: Settings, folder: DataFolder) -> Access:
    """Return the services of one process; guests and preferences are in its data folder, all else in memory."""
    return Access(
        logins=Logins(settings.pin, settings.secret, time.monotonic),
        preferences=Preferences(preferences_store(folder.preferences)),
        guests=Guests(guests_store(folder.guests)),
    )


def open_shared_access(
    settings: Settings, database: "Database", say: Callable[[str], None]
) -> tuple[Access, Callable[[bool], None]]:
    """Return the services of one of several processes, and what to call when another one has told of a change.

    It is called with whether all such news has come.  ``say`` passes a word on to the others.  Waits are counted by
    the time of day, the same for all processes.
    """
    from companion.adapters import shared  # noqa: PLC0415 - its libraries are optional
    from companion.adapters.journal.bell import PEOPLE, SHARED  # noqa: PLC0415

    stores: list[SharedStore[Any]] = []

    def store(parts: "ValueParts[T]", word: str | None = SHARED) -> "SharedStore[T]":
        def tell(may_end: bool) -> None:  # noqa: FBT001 - the only argument
            if word is not None:
                say(word if may_end else SHARED)

        opened = shared.SharedStore(database, parts, tell)
        stores.append(opened)
        return opened

    def hear(is_complete: bool) -> None:  # noqa: FBT001 - the only argument
        for opened in stores:
            opened.hear(is_complete=is_complete)

    guesses = [store(parts, None) for parts in (shared.PIN_GUESSES, shared.LETTER_GUESSES)]
    access = Access(
        logins=Logins(settings.pin, settings.secret, time.time, *guesses),
        preferences=Preferences(store(shared.PREFERENCES)),
        guests=Guests(store(shared.GUESTS, PEOPLE)),
        lobby=Lobby(store(shared.LOBBY)),
        pairings=ScreenPairings(time.time, store(shared.WAITING_SCREENS, None), MOST_WAITING_IN_HALL),
        answers=shared.SharedAnswers(database),
    )
    return access, hear
