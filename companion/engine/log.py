"""A list that only grows, seen at one length: who holds one is not disturbed by what is appended later."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Generic, TypeVar, cast, overload

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
