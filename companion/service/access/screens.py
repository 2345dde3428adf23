"""Big screens before a game: letters by which the banker lets them in, and the seats that they show.

A screen that waits knows nothing but its letters and a token of its own.  Home installations keep both in memory only,
where a restart ends all.
"""

import math
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from companion.service.access.logins import LETTERS, LETTERS_IN_ADDRESS, spell_letters
from companion.service.ports import InMemoryStore, Store
from companion.service.runtime import StoredValue

VALID_S = 600
"""Seconds after which letters are void."""
MOST_WAITING, MOST_WAITING_IN_HALL = 32, 400
ASKED_S, GONE_S = 6, 15
"""Seconds after which it is stored anew that a screen asks, as pages do every three; and after which one that has not
asked makes room for another, where as many wait as may."""
MOST_OF_ADDRESS = 4
"""Beyond these the oldest of the same address is void, so that one device cannot keep out others."""


class TooManyScreens(Exception):  # noqa: N818 - an answer, not an error of the program
    """As many screens wait as may.  ``retry_after``: whole seconds until the letters of the oldest are void."""

    def __init__(self, retry_after: int) -> None:
        """Store how long to wait, in whole seconds."""
        super().__init__(f"as many screens wait as may; try again in {retry_after} s")
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class WaitingScreen:
    """A screen that shows ``letters``; it alone has the ``token``.

    ``until``: when both are void, by the clock of the pairings.  ``invitation``: what the banker confirmed, once they
    did; the letters are used up then.  ``asked``: when it last asked for that, if it did.
    """

    letters: str
    token: str
    address: str
    until: float
    invitation: str | None = None
    asked: float = 0.0

    @property
    def seen(self) -> float:
        """When it was last heard of."""
        return max(self.asked, self.until - VALID_S)


Waiting: TypeAlias = tuple[WaitingScreen, ...]
"""The screens that wait, oldest first."""


class ScreenPairings:
    """The screens that wait now.  Every call may come from any thread.

    ``clock`` gives seconds that never run backwards; processes that share a store share it too.
    """

    def __init__(
        self, clock: Callable[[], float], store: Store[Waiting] | None = None, most: int = MOST_WAITING
    ) -> None:
        """Store where those who wait are remembered (``None``: in memory), and how many may."""
        self._clock = clock
        self._most = most
        self._stored = StoredValue(store or InMemoryStore[Waiting](()))

    def begin(self, address: str) -> WaitingScreen:
        """Return a new screen with letters that no other one shows.  Raise ``TooManyScreens``."""

        def with_another(before: Waiting) -> Waiting:
            waiting = self._not_void(before)
            from_there = [screen for screen in waiting if screen.address == address]
            if len(from_there) >= MOST_OF_ADDRESS:
                waiting = tuple(screen for screen in waiting if screen is not from_there[0])
            if len(waiting) >= self._most:
                gone = min(waiting, key=lambda screen: screen.seen)
                if self._clock() - gone.seen < GONE_S:
                    raise TooManyScreens(max(1, math.ceil(waiting[0].until - self._clock())))
                waiting = tuple(screen for screen in waiting if screen is not gone)
            shown = {screen.letters for screen in waiting}
            letters = _random_letters()
            while letters in shown:
                letters = _random_letters()
            token = secrets.token_urlsafe(24)
            return (*waiting, WaitingScreen(letters, token, address, self._clock() + VALID_S))

        return self._stored.change(with_another)[-1]

    def waiting_screen(self, token: str) -> WaitingScreen | None:
        """Return the screen with this token; ``None``: it waits no more."""
        return _with_token(self._not_void(self._stored.latest()), token)

    def confirm(self, letters: str | None, invitation: str) -> bool:
        """Store the invitation for the screen with these letters; return whether there is one.  They are void then."""
        confirmed = False

        def with_invitation(before: Waiting) -> Waiting:
            nonlocal confirmed
            waiting = self._not_void(before)
            matching = [screen for screen in waiting if screen.letters == letters and screen.invitation is None]
            confirmed = bool(matching)
            return tuple(
                replace(screen, invitation=invitation) if screen in matching[:1] else screen for screen in waiting
            )

        self._stored.change(with_invitation)
        return confirmed

    def collect(self, token: str) -> str | None:
        """Return the invitation that was confirmed for a screen, once; ``None``: none was, and it waits on."""
        invitation: str | None = None

        def without_screen(before: Waiting) -> Waiting:
            nonlocal invitation
            screen = _with_token(self._not_void(before), token)
            invitation = None if screen is None else screen.invitation
            if screen is None or (invitation is None and self._clock() - screen.seen < ASKED_S):
                return before
            if invitation is None:
                return tuple(replace(other, asked=self._clock()) if other is screen else other for other in before)
            return tuple(other for other in before if other is not screen)

        self._stored.change(without_screen)
        return invitation

    def seconds_left(self, screen: WaitingScreen) -> int:
        """Return the whole seconds until the letters of a screen are void."""
        return max(0, math.floor(screen.until - self._clock()))

    def _not_void(self, waiting: Waiting) -> Waiting:
        now = self._clock()
        return tuple(screen for screen in waiting if screen.until > now)


def _with_token(waiting: Waiting, token: str) -> WaitingScreen | None:
    return next((screen for screen in waiting if screen.token == token), None)


def _random_letters() -> str:
    return spell_letters(secrets.randbelow(len(LETTERS) ** LETTERS_IN_ADDRESS))


# The seats in the lobby as they are typed on the tablet; nothing is lost with them.


@dataclass(frozen=True, slots=True)
class LobbySeat:
    """A seat before the game; ``name`` is empty until somebody types one."""

    player: str
    name: str


@dataclass(frozen=True, slots=True)
class LobbySeats:
    """The seats of a game that is about to begin; ``arrived`` is the player whose name was typed last."""

    game: str | None = None
    seats: tuple[LobbySeat, ...] = ()
    arrived: str | None = None


class Lobby:
    """The seats now.  Every call may come from any thread."""

    def __init__(self, store: Store[LobbySeats] | None = None) -> None:
        """Store where the seats are remembered; ``None``: in memory."""
        self._stored = StoredValue(store or InMemoryStore(LobbySeats()))

    @property
    def now(self) -> LobbySeats:
        """The seats as they were typed last."""
        return self._stored.now

    def seat(self, game: str, seats: tuple[LobbySeat, ...]) -> None:
        """Store who sits where; a name that was not there before has just arrived."""

        def with_seats(now: LobbySeats) -> LobbySeats:
            before = {seat.player: seat.name for seat in now.seats if now.game == game}
            new = [seat.player for seat in seats if seat.name and seat.name != before.get(seat.player)]
            still_there = {seat.player for seat in seats if seat.name}
            arrived = new[-1] if new else now.arrived
            return LobbySeats(game, seats, arrived if arrived in still_there else None)

        self._stored.change(with_seats)
