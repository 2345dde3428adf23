"""Entries: what was asked, by whom, and what it led to."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, TypeAlias, TypeVar, cast, overload

# --- log
# A list that only grows, seen at one length: who holds one is not disturbed by what is appended later.

T = TypeVar("T")


class Log(Sequence[T], Generic[T]):
    """The first so many items of a growing list, which all logs that came from one another share."""

    __slots__ = ("_items", "_length")

    def __init__(self, items: list[T] | None = None, length: int = 0) -> None:
        """Begin empty; the arguments are for ``with_next`` alone."""
        self._items: list[T] = [] if items is None else items
        self._length = length

    def with_next(self, item: T) -> "Log[T]":
        """Give the log with one more item, in constant time; this one stays as it is.

        Where another item was appended here already, the new log goes on a copy of its own.
        """
        items = self._items if len(self._items) == self._length else self._items[: self._length]
        items.append(item)
        return Log(items, self._length + 1)

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[T]:
        return islice(self._items, self._length)

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[T]: ...
    def __getitem__(self, at: int | slice) -> T | Sequence[T]:
        if isinstance(at, slice):
            return tuple(self._items[one] for one in range(*at.indices(self._length)))
        if not -self._length <= at < self._length:
            raise IndexError(at)
        return self._items[at if at >= 0 else self._length + at]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return False
        others = cast("Sequence[object]", other)
        return len(others) == self._length and all(map(_same, self, others))

    def __hash__(self) -> int:
        return hash(tuple(self))


def _same(one: object, other: object) -> bool:
    return one == other


# --- json_values
# JSON as the whole house passes it on: an object read from it, or to be written as it.

Json: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Entry:
    """One numbered line of a journal, in the form in which it is stored.

    ``at`` is UTC in ISO 8601, for people only: the order is that of ``seq``.  ``actor`` is ``banker`` or a
    player id; ``source`` says from where it came (``tap``, ``camera``, ``play``).  ``key`` is the sender's
    own name for this request, so that the same tap never counts twice.
    """

    seq: int
    at: str
    actor: str
    source: str
    command: Json
    events: tuple[Json, ...]
    key: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Give the entry as interfaces show it."""
        return {
            "seq": self.seq,
            "at": self.at,
            "actor": self.actor,
            "source": self.source,
            "command": dict(self.command),
            "events": [dict(event) for event in self.events],
        }


def own_copy(json: Any) -> Any:
    """Copy what a sender gave: he may change his own afterwards, but not the journal."""
    if isinstance(json, Mapping):
        held = cast("Json", json)
        return {key: own_copy(one) for key, one in held.items()}
    if isinstance(json, list | tuple):
        return [own_copy(one) for one in cast("Sequence[Any]", json)]
    return json
