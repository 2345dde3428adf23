"""Who is calling: the banker by PIN, everybody by signed tokens that survive a restart."""

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast, get_args

from itsdangerous import BadSignature, URLSafeSerializer

from companion.engine.game import BANKER, SPECTATOR
from companion.service.people.pin_guard import PinGuard

Role: TypeAlias = Literal["banker", "player", "spectator"]
SHORTEST_SECRET = 32
MOST_KNOWN = 1024
"""Login tokens that are remembered, so that many devices cost no memory without end."""


class WrongPin(Exception):  # noqa: N818 - an answer, not an error of the program
    """That is not the PIN."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody who has logged in.

    ``player``: whose own device it is, for role ``player``.  ``table``: the only table that a player or a
    spectator was invited to; ``None`` for the banker, who may go to all.  ``sitter``: how many had left that
    player's seat when he was invited; once somebody else plays on there, his device is nobody's.  ``device`` tells
    logins apart, so that one can be ended alone; it is empty in tokens of versions that could not.
    """

    role: Role
    player: str | None = None
    table: str | None = None
    sitter: int = 0
    device: str = ""

    def __post_init__(self) -> None:
        """Refuse a player without a name and a guest without a table."""
        if (self.role == "player") != (self.player is not None):
            raise ValueError("a player, and only a player, has a player id")
        if (self.role == "banker") != (self.table is None):
            raise ValueError("everybody but the banker is invited to one table")

    @property
    def viewer(self) -> str:
        """Through whose eyes the position is shown: ``banker``, ``spectator`` or a player id."""
        return self.player or (BANKER if self.role == "banker" else SPECTATOR)

    @property
    def actor(self) -> str | None:
        """In whose name commands are given; ``None``: may only look."""
        return None if self.role == "spectator" else self.viewer

    def may_enter(self, table_id: str) -> bool:
        """Whether this table is open to the caller."""
        return self.table is None or self.table == table_id


class Logins:
    """Checks PINs and gives out tokens.

    ``pin`` is 4 to 12 digits.  ``secret`` signs the tokens and is kept beside the tables; the PIN is part of
    the key, so that a new PIN ends every login made under the old one.  Tokens carry no date: a machine
    without a clock chip would otherwise lock its own players out.  ``clock`` gives seconds that never run
    backwards, for the waits after wrong PINs.
    """

    def __init__(self, pin: str, secret: str, clock: Callable[[], float]) -> None:
        """Raise ``ValueError`` for a PIN that is none, or a secret that is too short to sign with."""
        if not re.fullmatch(r"[0-9]{4,12}", pin):
            raise ValueError("the PIN must be 4 to 12 digits")
        if len(secret) < SHORTEST_SECRET:
            raise ValueError(f"the secret must have at least {SHORTEST_SECRET} characters")
        key = f"{secret}:{pin}"
        self._guard = PinGuard(pin, clock)
        self._logins = URLSafeSerializer(key, salt="companion login")
        self._invitations = URLSafeSerializer(key, salt="companion join")
        self._evenings = URLSafeSerializer(key, salt="companion evening")
        self._devices = URLSafeSerializer(key, salt="companion device")
        self._callers: dict[str, Caller] = {}

    def log_in(self, pin: str, address: str, device: str = "") -> Caller:
        """Let the banker in.  Raises ``WrongPin``, or ``LockedOut`` after too many.

        ``device``: what ``device_token`` gave to this device when it brought the right PIN, if it ever did.
        """
        if not self._guard.right(pin, address, known=self._is_known(device)):
            raise WrongPin
        return Caller("banker")

    def device_token(self) -> str:
        """Give what tells a device that once brought the right PIN; it opens nothing."""
        return str(self._devices.dumps(secrets.token_urlsafe(6)))

    def _is_known(self, device: str) -> bool:
        try:
            return isinstance(self._devices.loads(device), str)
        except BadSignature:
            return False

    def token(self, caller: Caller) -> str:
        """Give the login token of a caller, for a cookie or an ``Authorization`` header."""
        return _sealed(self._logins, caller)

    def caller(self, token: str) -> Caller | None:
        """Say whose login token this is; ``None``: nobody's.

        Screens bring theirs with every request; seals that held are not broken again.
        """
        known = self._callers.get(token)
        if known is None:
            known = _opened(self._logins, token)
            if known is not None:
                if len(self._callers) >= MOST_KNOWN:
                    self._callers.clear()
                self._callers[token] = known
        return known

    def join_token(self, caller: Caller) -> str:
        """Give an invitation, for ``/join/<token>``, that lets somebody in as this caller."""
        return _sealed(self._invitations, caller)

    def banker_join_token(self) -> str:
        """Give the banker's own invitation, which the terminal shows as a QR code."""
        return self.join_token(Caller("banker"))

    def join(self, token: str) -> Caller | None:
        """Say whom an invitation lets in; ``None``: nobody."""
        return _opened(self._invitations, token)

    def evening_token(self, evening: int, table: str | None) -> str:
        """Give the one code for everybody, for ``/join/<token>``; ``table``: where it is shown, ``None``: the lobby."""
        return str(self._evenings.dumps([evening, table]))

    def evening(self, token: str) -> tuple[int, str | None] | None:
        """Say of which evening and which table a code is; ``None``: it is none of ours."""
        try:
            evening, table = self._evenings.loads(token)
        except (BadSignature, TypeError, ValueError):
            return None
        return (evening, table) if isinstance(evening, int) and isinstance(table, str | None) else None


def _sealed(serializer: URLSafeSerializer, caller: Caller) -> str:
    seat = [caller.sitter, caller.device] if caller.device else [caller.sitter]
    return serializer.dumps([caller.role, caller.player, caller.table, *seat])


def _opened(serializer: URLSafeSerializer, token: str) -> Caller | None:
    """Open what was sealed; a seal of ours from another version may hold anything, and is nobody's."""
    try:
        role, player, table, *seat = serializer.loads(token)
        sitter = int(seat[0]) if seat else 0  # seals from before seats could be left have none
        device = str(seat[1]) if len(seat) > 1 else ""
        return Caller(cast("Role", role), player, table, sitter, device) if role in get_args(Role) else None
    except (BadSignature, TypeError, ValueError):
        return None
