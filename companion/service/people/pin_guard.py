"""Patience with wrong PINs: a few are free, then each one costs a longer wait, for its sender and for all."""

import hmac
import math
import threading
from collections.abc import Callable
from dataclasses import dataclass

FREE_TRIES = 3
LOCK_AFTER = 10
LOCKED_SECONDS = 900
FREE_TRIES_OVERALL = 20
LONGEST_WAIT_OVERALL = 60
FORGET_AFTER_SECONDS = 3_600
ADDRESSES_REMEMBERED = 1_000
WELCOME_REMEMBERED = 256


class LockedOut(Exception):  # noqa: N818 - an answer, not an error of the program
    """No PIN is looked at now.  ``retry_after``: whole seconds until the next try counts."""

    def __init__(self, retry_after: int) -> None:
        """Say how long to wait."""
        super().__init__(f"no PIN is looked at for {retry_after} s")
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class _Tries:
    wrong: int = 0
    last: float = 0.0
    open_again: float = 0.0


class PinGuard:
    """Compares PINs, and counts the wrong ones per address and over all addresses.

    The count over all stops somebody who changes addresses.  Its wait is not for devices and addresses that once
    brought the right PIN, so that nobody can keep the banker out; their own count is.  ``clock`` gives seconds that
    never run backwards.
    """

    def __init__(self, pin: str, clock: Callable[[], float]) -> None:
        """Guard one PIN."""
        self._pin = pin.encode()
        self._clock = clock
        self._lock = threading.Lock()
        self._by_address: dict[str, _Tries] = {}
        self._overall = _Tries()
        self._welcome: dict[str, None] = {}

    def right(self, pin: str, address: str, *, known: bool = False) -> bool:
        """Whether this is the PIN.  Raises ``LockedOut``, even for the right one, while a wait runs.

        ``known``: it comes from a device that has brought the right one before.
        """
        with self._lock:
            now = self._clock()
            mine = _still_counting(self._by_address.pop(address, _Tries()), now)
            self._overall = _still_counting(self._overall, now)
            free = known or address in self._welcome
            wait = max(mine.open_again, 0.0 if free else self._overall.open_again) - now
            if wait > 0:
                self._remember(address, mine)
                raise LockedOut(math.ceil(wait))
            if hmac.compare_digest(self._pin, pin.encode("utf-8", "surrogatepass")):
                self._welcome.pop(address, None)
                self._welcome[address] = None
                while len(self._welcome) > WELCOME_REMEMBERED:
                    del self._welcome[next(iter(self._welcome))]
                return True
            wrong = mine.wrong + 1
            self._remember(address, _Tries(wrong, now, now + _wait(wrong)))
            overall = self._overall.wrong + 1
            self._overall = _Tries(overall, now, now + _wait_overall(overall))
            return False

    def _remember(self, address: str, tries: _Tries) -> None:
        if not tries.wrong:
            return
        self._by_address[address] = tries
        while len(self._by_address) > ADDRESSES_REMEMBERED:
            del self._by_address[next(iter(self._by_address))]


def _still_counting(tries: _Tries, now: float) -> _Tries:
    return _Tries() if tries.wrong and now - tries.last > FORGET_AFTER_SECONDS else tries


def _wait(wrong: int) -> float:
    if wrong < FREE_TRIES:
        return 0.0
    if wrong >= LOCK_AFTER:
        return LOCKED_SECONDS
    return float(2 ** (wrong - FREE_TRIES + 1))


def _wait_overall(wrong: int) -> float:
    if wrong < FREE_TRIES_OVERALL:
        return 0.0
    return float(min(LONGEST_WAIT_OVERALL, 2 ** min(wrong - FREE_TRIES_OVERALL, 10)))
