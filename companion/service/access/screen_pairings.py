"""Televisions that show letters until the banker lets them in by these.

Whoever waits is kept in memory only, and knows nothing but its letters and a token of its own; a restart ends all.
"""

import math
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

from companion.service.access.logins import LETTERS, LETTERS_IN_ADDRESS, spell_letters

VALID_S = 600
"""Seconds after which letters are void."""
MOST_WAITING = 32
MOST_OF_ADDRESS = 4
"""Beyond these the oldest of the same address is void, so that one device cannot keep out others."""


class TooManyScreens(Exception):  # noqa: N818 - an answer, not an error of the program
    """As many screens wait as may.  ``retry_after``: whole seconds until the letters of the oldest are void."""

    def __init__(self, retry_after: int) -> None:
        """Store how long to wait, in whole seconds."""
        super().__init__(f"{MOST_WAITING} screens wait; try again in {retry_after} s")
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class WaitingScreen:
    """A screen that shows ``letters``; it alone has the ``token``.

    ``until``: when both are void, by the clock of the pairings.  ``invitation``: what the banker confirmed, once they
    did; the letters are used up then.
    """

    letters: str
    token: str
    address: str
    until: float
    invitation: str | None = None


class ScreenPairings:
    """The screens that wait now.  Every call may come from any thread.

    ``clock`` gives seconds that never run backwards.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        """Start without any."""
        self._clock = clock
        self._lock = threading.Lock()
        self._waiting: dict[str, WaitingScreen] = {}

    def begin(self, address: str) -> WaitingScreen:
        """Return a new screen with letters that no other one shows.  Raise ``TooManyScreens``."""
        with self._lock:
            self._drop_void()
            from_there = [screen for screen in self._waiting.values() if screen.address == address]
            if len(from_there) >= MOST_OF_ADDRESS:
                del self._waiting[from_there[0].token]
            if len(self._waiting) >= MOST_WAITING:
                oldest = next(iter(self._waiting.values()))
                raise TooManyScreens(max(1, math.ceil(oldest.until - self._clock())))
            shown = {screen.letters for screen in self._waiting.values()}
            letters = _random_letters()
            while letters in shown:
                letters = _random_letters()
            screen = WaitingScreen(letters, secrets.token_urlsafe(24), address, self._clock() + VALID_S)
            self._waiting[screen.token] = screen
            return screen

    def waiting(self, token: str) -> WaitingScreen | None:
        """Return the screen with this token; ``None``: it waits no more."""
        with self._lock:
            self._drop_void()
            return self._waiting.get(token)

    def confirm(self, letters: str | None, invitation: str) -> bool:
        """Store the invitation for the screen with these letters; return whether there is one.  They are void then."""
        with self._lock:
            self._drop_void()
            screen = self._with_letters(letters)
            if screen is None:
                return False
            self._waiting[screen.token] = replace(screen, invitation=invitation)
            return True

    def collect(self, token: str) -> str | None:
        """Return the invitation that was confirmed for a screen, once; ``None``: none was, and it waits on."""
        with self._lock:
            self._drop_void()
            screen = self._waiting.get(token)
            if screen is None or screen.invitation is None:
                return None
            del self._waiting[token]
            return screen.invitation

    def seconds_left(self, screen: WaitingScreen) -> int:
        """Return the whole seconds until the letters of a screen are void."""
        return max(0, math.floor(screen.until - self._clock()))

    def _with_letters(self, letters: str | None) -> WaitingScreen | None:
        waiting = self._waiting.values()
        return next((screen for screen in waiting if screen.letters == letters and screen.invitation is None), None)

    def _drop_void(self) -> None:
        now = self._clock()
        self._waiting = {token: screen for token, screen in self._waiting.items() if screen.until > now}


def _random_letters() -> str:
    return spell_letters(secrets.randbelow(len(LETTERS) ** LETTERS_IN_ADDRESS))
