"""Phones and screens that came in by a code: who sits where with which one, who was logged out, where they go next."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from companion.service.ports import Store

MOST_GUESTS = 64
MOST_OUT = 4_096
MOST_NEXT = 64
"""Beyond these the oldest is forgotten."""


@dataclass(frozen=True, slots=True)
class Guest:
    """A device at a table; ``player`` is ``None`` for one that only looks on, ``name`` is what he was called there.

    ``sitter``: how many had left his seat when he came, as in ``Caller``.
    """

    device: str
    table: str
    player: str | None = None
    name: str = ""
    seat_generation: int = 0


@dataclass(frozen=True, slots=True)
class GuestList:
    """What is kept: the number of the evening, which codes name; the guests; devices that were logged ``out``.

    ``current``: the table where the banker is; ``next``: the table that followed a table.
    """

    evening: int = 1
    current: str | None = None
    guests: tuple[Guest, ...] = ()
    out: tuple[str, ...] = ()
    next: Mapping[str, str] = field(default_factory=dict[str, str])


class Guests:
    """The guests now.  Every call may come from any thread."""

    def __init__(self, store: Store[GuestList]) -> None:
        """Read the stored list."""
        self._store = store
        self._lock = threading.Lock()
        self._list = store.read()
        self._out = frozenset(self._list.out)

    @property
    def evening(self) -> int:
        """The number that a code must name to let anybody in."""
        return self._list.evening

    @property
    def current(self) -> str | None:
        """The table where the banker is, or was last."""
        return self._list.current

    def at(self, table_id: str) -> tuple[Guest, ...]:
        """Return the guests of a table in the order in which they came."""
        return tuple(one for one in self._list.guests if one.table == table_id)

    def is_out(self, device: str) -> bool:
        """Return whether a device was logged out.  One without a name cannot be told apart and never is."""
        return bool(device) and device in self._out

    def after(self, table_id: str) -> str | None:
        """Return the table to which the guests of a table go on, the last of several; ``None``: they stay."""
        found, passed = table_id, {table_id}
        while (then := self._list.next.get(found)) is not None and then not in passed:
            found = then
            passed.add(then)
        return None if found == table_id else found

    def came(self, guest: Guest) -> None:
        """Register a device at a table; it is removed from any other.  ``OSError``; then nothing has changed."""

        def with_him(now: GuestList) -> GuestList:
            others = [one for one in now.guests if one.device != guest.device]
            return replace(now, guests=(*others, guest)[-MOST_GUESTS:])

        self._change(with_him)

    def log_out(self, device: str) -> None:
        """End a device's login.  ``OSError``; then nothing has changed."""

        def without_it(now: GuestList) -> GuestList:
            left = tuple(one for one in now.guests if one.device != device)
            out = [one for one in now.out if one != device]
            return replace(now, guests=left, out=(*out, device)[-MOST_OUT:])

        self._change(without_it)

    def go_on(self, table_id: str, then: str) -> None:
        """Let the guests of a table follow to another one.  ``OSError``; then nothing has changed."""
        if table_id != then:
            self._change(lambda now: replace(now, next=dict([*now.next.items(), (table_id, then)][-MOST_NEXT:])))

    def banker_is_at(self, table_id: str) -> None:
        """Remember where the banker is.  ``OSError``; then nothing has changed."""
        if self._list.current != table_id:
            self._change(lambda now: replace(now, current=table_id))

    def new_evening(self) -> None:
        """Log every device out, and let no code in that was shown before.  ``OSError``; then nothing has changed."""

        def without_guests(now: GuestList) -> GuestList:
            gone = tuple(one.device for one in now.guests)
            return replace(now, evening=now.evening + 1, guests=(), out=(*now.out, *gone)[-MOST_OUT:])

        self._change(without_guests)

    def _change(self, changed: Callable[[GuestList], GuestList]) -> None:
        with self._lock:
            then = changed(self._list)
            if then != self._list:
                self._store.write(then)
                self._list, self._out = then, frozenset(then.out)
