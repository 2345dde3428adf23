"""Identity of a caller: the organiser by PIN, everybody by signed tokens that survive a restart."""

import hmac
import math
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, cast, get_args

from itsdangerous import BadSignature, URLSafeSerializer

from companion.engine.game import BANKER, SPECTATOR
from companion.service.ports import InMemoryStore, Store
from companion.service.runtime import BoundedCache, StoredValue

# Patience with wrong PINs: a few are free, then each one costs a longer wait, for its sender and for all.

FREE_TRIES = 3
LOCK_AFTER = 10
LOCKED_SECONDS = 900
FREE_TRIES_OVERALL = 20
LONGEST_WAIT_OVERALL = 60
"""Seconds; where a right guess forgives none, one of all wrong ones is forgotten in as many."""
FORGET_AFTER_SECONDS = 3_600
ADDRESSES_REMEMBERED = 1_000
WELCOME_REMEMBERED = 256


class LockedOut(Exception):  # noqa: N818 - an answer, not an error of the program
    """No PIN is looked at now.  ``retry_after``: whole seconds until the next try counts."""

    def __init__(self, retry_after: int) -> None:
        """Store how long to wait."""
        super().__init__(f"no PIN is looked at for {retry_after} s")
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class Tries:
    """Wrong guesses, when the last one was, and from when on another counts: seconds of the guard's clock."""

    wrong: int = 0
    last: float = 0.0
    open_again: float = 0.0


@dataclass(frozen=True, slots=True)
class Guesses:
    """Remembered guesses: by address, of all, and the addresses that once guessed right."""

    by_address: Mapping[str, Tries] = field(default_factory=dict[str, Tries])
    overall: Tries = Tries()
    welcome: tuple[str, ...] = ()


class GuessGuard:
    """Counts wrong guesses of a secret per address and over all addresses.

    The count over all stops somebody who changes addresses.  It is one for a home, unless a guess says how many of all
    are free: in a hall many mistype something now and then.  Its wait is not for devices and addresses that once
    guessed right, so that nobody can keep the banker out; their own count is.  A guess is answered when it is counted,
    and processes that share a store count together.
    """

    def __init__(
        self, clock: Callable[[], float], store: Store[Guesses] | None = None, *, forgives: bool = True
    ) -> None:
        """Store where guesses are remembered (``None``: in memory), and a clock of seconds that never run backwards.

        Processes that share a store share the clock too.  ``forgives``: a right guess clears the count of its address,
        which is welcome from then on; not so where everybody knows one of several secrets, and time alone forgives.
        """
        self._clock = clock
        self._forgives = forgives
        self._guesses = StoredValue(store or InMemoryStore(Guesses()))

    def judge(
        self, is_right: Callable[[], bool], address: str, *, familiar: bool = False, free: int = FREE_TRIES_OVERALL
    ) -> bool:
        """Return whether a guess is right.  Raises ``LockedOut``, even for the right one, while a wait runs.

        ``familiar``: it comes from a device that has guessed right before.  ``free``: how many wrong ones of all cost
        no wait.  ``NotStored``: nobody knows how many guesses there were, so none is answered.
        """
        verdict = False

        def count(before: Guesses) -> Guesses:
            nonlocal verdict
            now = self._clock()
            mine = _still_counting(before.by_address.get(address, Tries()), now)
            overall = _still_counting(before.overall, now)
            if not self._forgives:
                overall = _without_old(overall, now)
            is_known = familiar or (self._forgives and address in before.welcome)
            wait = max(mine.open_again, 0.0 if is_known else overall.open_again) - now
            if wait > 0:
                raise LockedOut(math.ceil(wait))
            others = {other: tries for other, tries in before.by_address.items() if other != address}
            verdict = is_right()
            if verdict and not self._forgives:
                return before
            if verdict:
                welcome = (*(other for other in before.welcome if other != address), address)
                return Guesses(others, overall, welcome[-WELCOME_REMEMBERED:])
            wrong, wrong_overall = mine.wrong + 1, overall.wrong + 1
            by_address = [*others.items(), (address, Tries(wrong, now, now + _wait(wrong)))]
            last = now if self._forgives or not overall.wrong else overall.last
            overall = Tries(wrong_overall, last, now + _wait_overall(wrong_overall, free))
            return Guesses(dict(by_address[-ADDRESSES_REMEMBERED:]), overall, before.welcome)

        self._guesses.change(count)
        return verdict


class PinGuard(GuessGuard):
    """Compares PINs with the right one."""

    def __init__(self, pin: str, clock: Callable[[], float], store: Store[Guesses] | None = None) -> None:
        """Guard one PIN."""
        super().__init__(clock, store)
        self._pin = pin.encode()

    def right(self, pin: str, address: str, *, familiar: bool = False) -> bool:
        """Return whether this is the PIN; the rest as in ``judge``."""
        guess = pin.encode("utf-8", "surrogatepass")
        return self.judge(lambda: hmac.compare_digest(self._pin, guess), address, familiar=familiar)


def _still_counting(tries: Tries, now: float) -> Tries:
    """Return what still counts: nothing after an hour, and nothing that a clock has counted which was far ahead."""
    return tries if -LOCKED_SECONDS <= now - tries.last <= FORGET_AFTER_SECONDS else Tries()


def _wait(wrong: int) -> float:
    if wrong < FREE_TRIES:
        return 0.0
    if wrong >= LOCK_AFTER:
        return LOCKED_SECONDS
    return float(2 ** (wrong - FREE_TRIES + 1))


def _wait_overall(wrong: int, free: int) -> float:
    if wrong < free:
        return 0.0
    return float(min(LONGEST_WAIT_OVERALL, 2 ** min(wrong - free, 10)))


def _without_old(tries: Tries, now: float) -> Tries:
    """Return the wrong guesses of all that are not forgotten yet; ``last``: up to when time has forgiven some."""
    forgotten = max(0, int((now - tries.last) // LONGEST_WAIT_OVERALL))
    if forgotten >= tries.wrong:
        return Tries(open_again=tries.open_again)
    return Tries(tries.wrong - forgotten, tries.last + forgotten * LONGEST_WAIT_OVERALL, tries.open_again)


LETTERS = "BCDFHJKMNPRSTWXYZ"
"""Those of short addresses: none looks like another in either case, and without vowels they spell no word."""
LETTERS_IN_ADDRESS = 4


ADDRESSES = len(LETTERS) ** LETTERS_IN_ADDRESS
"""How many short addresses there are."""


def spell_letters(number: int) -> str:
    """Return a number as the letters of a short address; numbers beyond the last address begin anew."""
    letters = ""
    for _ in range(LETTERS_IN_ADDRESS):
        number, place = divmod(number, len(LETTERS))
        letters += LETTERS[place]
    return letters


def number_of_letters(letters: str) -> int:
    """Return the number that ``spell_letters`` spells so."""
    return sum(LETTERS.index(letter) * len(LETTERS) ** place for place, letter in enumerate(letters))


def read_letters(typed: str) -> str | None:
    """Return typed letters as they are shown, without spaces and hyphens; ``None``: no address has such letters."""
    letters = re.sub(r"[\s-]", "", typed).upper()
    return letters if len(letters) == LETTERS_IN_ADDRESS and set(letters) <= set(LETTERS) else None


ROUNDS = 6
"""Of the network that orders short addresses; fewer than four would show how numbers belong together."""
MOST_TABLES = 1_000_000
"""Tables whose letters are looked for."""
LOGIN_COOKIE, SECURE_PREFIX = "companion_login", "__Host-"
"""The cookie that holds a login token, and what stands before its name on secure pages."""
Role: TypeAlias = Literal["banker", "host", "player", "spectator"]
"""``banker`` is the organiser, who is the banker of every table; so tokens have always called them."""
SHORTEST_SECRET = 32
MOST_BYTES, BYTES_OF_A_CALLER = 1_000_000, 1_000
"""Of login tokens that are remembered, so that many devices cost no memory without end; and of one with its token."""


class WrongPin(Exception):  # noqa: N818 - an answer, not an error of the program
    """That is not the PIN."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody who has logged in.

    ``player``: whose own device it is, for role ``player``.  ``table``: the only table that a host, a player or a
    spectator was invited to; ``None`` for the organiser, who may go to all.  ``seat_generation``: how many had left
    that player's seat when they were invited; once somebody else plays on there, their device is nobody's.  ``device``
    tells logins apart, so that one can be ended alone; it is empty in tokens of versions that could not.
    ``generation`` and ``links`` say when a login or an invitation was given, so that those of earlier times can be
    ended (``GuestList``); tokens of versions that could not name no generation.
    """

    role: Role
    player: str | None = None
    table: str | None = None
    seat_generation: int = 0
    device: str = ""
    generation: int | None = None
    links: int = 0

    def __post_init__(self) -> None:
        """Refuse a player without a name and a guest without a table."""
        if (self.role == "player") != (self.player is not None):
            raise ValueError("a player, and only a player, has a player id")
        if (self.role == "banker") != (self.table is None):
            raise ValueError("everybody but the organiser is invited to one table")

    @property
    def is_organiser(self) -> bool:
        """Return whether they run the installation, and with it every table."""
        return self.role == "banker"

    @property
    def is_banker(self) -> bool:
        """Return whether they run the table that they may enter: its host, or the organiser."""
        return self.role in ("banker", "host")

    @property
    def viewer(self) -> str:
        """Through whose eyes the position is shown: ``banker``, ``spectator`` or a player id."""
        return self.player or (BANKER if self.is_banker else SPECTATOR)

    @property
    def actor(self) -> str | None:
        """In whose name commands are given; ``None``: may only look."""
        return None if self.role == "spectator" else self.viewer

    def may_enter(self, table_id: str) -> bool:
        """Return whether this table is open to the caller."""
        return self.table is None or self.table == table_id


class Logins:
    """Checks PINs and gives out tokens.

    ``pin`` is 4 to 12 digits.  ``secret`` signs the tokens and is kept beside the tables; the PIN is part of
    the key, so that a new PIN ends every login made under the old one.  Tokens carry no date: a machine
    without a clock chip would otherwise lock its own players out.  ``clock`` gives seconds that never run
    backwards, for the waits after wrong PINs.  ``letters_guard`` counts wrong letters of short addresses, apart from
    wrong PINs, so that a mistyped address keeps no banker waiting; right ones undo none, since everybody at a table
    knows some.  ``guesses`` and ``letter_guesses`` remember both where processes share them.
    """

    def __init__(
        self,
        pin: str,
        secret: str,
        clock: Callable[[], float],
        guesses: Store[Guesses] | None = None,
        letter_guesses: Store[Guesses] | None = None,
    ) -> None:
        """Raise ``ValueError`` for a PIN that is none, or a secret that is too short to sign with."""
        if not re.fullmatch(r"[0-9]{4,12}", pin):
            raise ValueError("the PIN must be 4 to 12 digits")
        if len(secret) < SHORTEST_SECRET:
            raise ValueError(f"the secret must have at least {SHORTEST_SECRET} characters")
        key = f"{secret}:{pin}"
        self._guard = PinGuard(pin, clock, guesses)
        self.letters_guard = GuessGuard(clock, letter_guesses, forgives=False)
        self._letters_key = f"companion letters:{key}".encode()
        self._logins = URLSafeSerializer(key, salt="companion login")
        self._invitations = URLSafeSerializer(key, salt="companion join")
        self._evenings = URLSafeSerializer(key, salt="companion evening")
        self._halls = URLSafeSerializer(key, salt="companion hall")
        self._devices = URLSafeSerializer(key, salt="companion device")
        self._joining = URLSafeSerializer(key, salt="companion joining")
        self._callers = BoundedCache[Caller](MOST_BYTES, lambda _: BYTES_OF_A_CALLER)

    def log_in(self, pin: str, address: str, device: str = "") -> Caller:
        """Let the organiser in.  Raises ``WrongPin``, or ``LockedOut`` after too many.

        ``device``: the ``device_token`` that this device received with an earlier login, if any.
        """
        if not self._guard.right(pin, address, familiar=self._is_known(device)):
            raise WrongPin
        return Caller("banker")

    def device_token(self) -> str:
        """Return what tells a device that once brought the right PIN; it opens nothing."""
        return str(self._devices.dumps(secrets.token_urlsafe(6)))

    def _is_known(self, device: str) -> bool:
        try:
            return isinstance(self._devices.loads(device), str)
        except BadSignature:
            return False

    def joining_token(self) -> str:
        """Return what names a device that is about to choose a seat, so that it can ask again; it opens nothing."""
        return str(self._joining.dumps(secrets.token_urlsafe(6)))

    def joining_device(self, token: str) -> str:
        """Return the device that a ``joining_token`` names; empty: it is not from this installation."""
        try:
            device = self._joining.loads(token)
        except BadSignature:
            return ""
        return device if isinstance(device, str) else ""

    def token(self, caller: Caller) -> str:
        """Return the login token of a caller, for a cookie or an ``Authorization`` header."""
        return _sealed(self._logins, caller)

    def caller(self, token: str) -> Caller | None:
        """Return whose login token this is; ``None``: nobody's.

        Screens bring theirs with every request; seals that held are not broken again.
        """
        known_caller = self._callers.get(token)
        if known_caller is None:
            known_caller = _opened(self._logins, token)
            if known_caller is not None:
                self._callers.put(token, known_caller)
        return known_caller

    def join_token(self, caller: Caller) -> str:
        """Return an invitation, for ``/join/<token>``, that lets somebody in as this caller."""
        return _sealed(self._invitations, caller)

    def banker_join_token(self, generation: int | None = None, links: int = 0) -> str:
        """Return the organiser's own invitation, a QR code in the terminal; the numbers are of ``Guests``."""
        return self.join_token(Caller("banker", generation=generation, links=links))

    def join(self, token: str) -> Caller | None:
        """Return whom an invitation lets in; ``None``: nobody."""
        return _opened(self._invitations, token)

    def open_invitation_token(self, epoch: int, table: str | None) -> str:
        """Return the join code of the evening (``/join/<token>``); ``table`` shows it, ``None`` means the lobby."""
        return str(self._evenings.dumps([epoch, table]))

    def open_invitation_letters(self, epoch: int, table: int) -> str:
        """Return the letters of the short address that leads where ``open_invitation_token`` does.

        ``table`` is the number of the table, 0 the lobby.  No two tables have the same letters in an evening, unless as
        many others were begun between them as there are addresses.
        """
        return spell_letters(self._shuffled(epoch, (table - 1) % (ADDRESSES - 1) + 1 if table else 0))

    def tables_of_letters(self, epoch: int, letters: str) -> tuple[int, ...]:
        """Return the numbers of tables to which letters may lead, of which the latest counts; 0 alone: the lobby."""
        number = self._shuffled(epoch, number_of_letters(letters), back=True)
        return tuple(range(number, MOST_TABLES, ADDRESSES - 1)) if number else (0,)

    def _shuffled(self, epoch: int, number: int, *, back: bool = False) -> int:
        """Return a number below ``ADDRESSES`` for another: each for exactly one, in an order that only the key tells.

        A Feistel network: each round adds to one half a figure that depends on the other.
        """
        half = math.isqrt(ADDRESSES)
        left, right = divmod(number, half)
        for count in reversed(range(ROUNDS)) if back else range(ROUNDS):
            by = right if not back else left
            digest = hmac.digest(self._letters_key, f"{epoch}:{count}:{by}".encode(), "sha256")
            figure = int.from_bytes(digest) % half
            left, right = ((right - figure) % half, left) if back else (right, (left + figure) % half)
        return left * half + right

    def hall_token(self, epoch: int, event: str) -> str:
        """Return what shows who plays where at an event, and its results (``/hall/<token>``), to whoever has it."""
        return str(self._halls.dumps([epoch, event]))

    def read_hall_token(self, token: str) -> tuple[int, str] | None:
        """Return invitation epoch and event of a hall token; ``None``: it is not from this installation."""
        try:
            epoch, event = self._halls.loads(token)
        except (BadSignature, TypeError, ValueError):
            return None
        return (epoch, event) if isinstance(epoch, int) and isinstance(event, str) else None

    def read_open_invitation(self, token: str) -> tuple[int, str | None] | None:
        """Return invitation epoch and table of an invitation code; ``None``: it is not from this installation."""
        try:
            epoch, table = self._evenings.loads(token)
        except (BadSignature, TypeError, ValueError):
            return None
        return (epoch, table) if isinstance(epoch, int) and isinstance(table, str | None) else None


def _sealed(serializer: URLSafeSerializer, caller: Caller) -> str:
    seat = [caller.seat_generation, caller.device] if caller.device else [caller.seat_generation]
    if caller.generation is not None:
        seat = [caller.seat_generation, caller.device, caller.generation, caller.links]
    return serializer.dumps([caller.role, caller.player, caller.table, *seat])


def _opened(serializer: URLSafeSerializer, token: str) -> Caller | None:
    """Open what was sealed; a seal of ours from another version may hold anything, and is nobody's."""
    try:
        role, player, table, *rest = serializer.loads(token)
        if role not in get_args(Role):
            return None
        # seals from before seats could be left, logins be told apart or invitations end are shorter
        seat: list[Any] = [*rest, *(0, "", None, 0)[len(rest) :]]
        seat_generation, device, generation, links = seat
        since = None if generation is None else int(generation)
        return Caller(cast("Role", role), player, table, int(seat_generation), str(device), since, int(links))
    except (BadSignature, TypeError, ValueError):
        return None
