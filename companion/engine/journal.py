"""Journal entries (who asked for what, and the events), and the persistent sequence that holds them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, TypeAlias, TypeVar, cast, overload

# Sequence of entries

T = TypeVar("T")


class Log(Sequence[T], Generic[T]):
    """An immutable sequence with constant-time append.

    Logs derived from one another share one growing list, each sees its own length of it.
    """

    __slots__ = ("_items", "_length")

    def __init__(self, items: list[T] | None = None, length: int = 0) -> None:
        """Create an empty log; the arguments are for ``with_next`` only."""
        self._items: list[T] = [] if items is None else items
        self._length = length

    def with_next(self, item: T) -> "Log[T]":
        """Return the log with one more item, in constant time; this one is unchanged.

        If this log was extended before, the new log works on its own copy.
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
            return tuple(self._items[index] for index in range(*at.indices(self._length)))
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


def _same(item: object, other: object) -> bool:
    return item == other


Json: TypeAlias = Mapping[str, Any]
"""A JSON object, read or to be written; not validated."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A numbered entry of a journal, as stored.

    ``at`` is UTC in ISO 8601, for display only: the order is that of ``seq``.  ``actor`` is ``banker`` or a player id;
    ``source`` is the origin (``tap``, ``camera``, ``play``).  ``key`` is the idempotency key of the request: an entry
    with the same key is not stored twice.
    """

    seq: int
    at: str
    actor: str
    source: str
    command: Json
    events: tuple[Json, ...]
    key: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the entry as the API shows it."""
        return {
            "seq": self.seq,
            "at": self.at,
            "actor": self.actor,
            "source": self.source,
            "command": dict(self.command),
            "events": [dict(event) for event in self.events],
        }


def copy_json(json: Any) -> Any:
    """Return a deep copy of a JSON value, so that later changes by the caller do not reach the journal."""
    if isinstance(json, Mapping):
        members = cast("Json", json)
        return {key: copy_json(member) for key, member in members.items()}
    if isinstance(json, list | tuple):
        return [copy_json(item) for item in cast("Sequence[Any]", json)]
    return json
