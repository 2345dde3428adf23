"""Caches compute a value once, and use no more memory than they may."""

import threading

import pytest

from companion.service.runtime import BYTES_OF_A_VALUE, BoundedCache, VersionCache

ROOM = 1_000_000


def test_a_value_is_computed_once_a_version() -> None:
    computed: list[str] = []
    cache = VersionCache(ROOM)

    def compute() -> str:
        computed.append("computed")
        return "three workers"

    assert [cache.get("needs", 1, compute) for _ in range(3)] == ["three workers"] * 3
    assert computed == ["computed"]


def test_each_key_has_a_value_of_its_own() -> None:
    cache = VersionCache(ROOM)
    assert cache.get(("needs", "blue"), 1, lambda: 1) == 1
    assert cache.get(("needs", "red"), 1, lambda: 2) == 2


def test_another_version_is_computed_anew() -> None:
    cache = VersionCache(ROOM)
    assert cache.get("needs", 1, lambda: 1) == 1
    assert cache.get("needs", 2, lambda: 2) == 2


def test_none_is_remembered_too() -> None:
    cache = VersionCache(ROOM)
    assert cache.get("forecast", 1, lambda: None) is None
    assert cache.get("forecast", 1, lambda: "late") is None


def test_of_those_who_ask_at_once_only_one_computes() -> None:
    # given a value that takes a while
    cache, slow, values = VersionCache(ROOM), threading.Event(), list[str]()
    computed: list[int] = []

    def compute() -> str:
        computed.append(1)
        slow.wait(5)
        return "text"

    # when eight ask for it
    threads = [threading.Thread(target=lambda: values.append(cache.get("tablet", 1, compute))) for _ in range(8)]
    for thread in threads:
        thread.start()
    slow.set()
    for thread in threads:
        thread.join(5)

    # then all have it, and it was computed once
    assert values == ["text"] * 8
    assert len(computed) == 1


def test_what_failed_is_computed_again() -> None:
    cache = VersionCache(ROOM)

    def fail() -> str:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        cache.get("tablet", 1, fail)

    assert cache.get("tablet", 1, lambda: "text") == "text"


def test_past_the_bound_only_what_was_asked_for_longest_ago_goes() -> None:
    # given room for three texts, all of them there
    cache = VersionCache(3 * (1_000 + BYTES_OF_A_VALUE))
    for key in "abc":
        cache.get(key, 1, lambda: "x" * 1_000)
    assert cache.get("a", 1, lambda: "asked for again") == "x" * 1_000

    # when a fourth comes
    cache.get("d", 1, lambda: "x" * 1_000)

    # then one has gone
    assert [cache.get(key, 1, lambda: "new") for key in "acd"] == ["x" * 1_000] * 3
    assert cache.get("b", 1, lambda: "new") == "new"


def test_bytes_are_counted_as_values_come_change_and_go() -> None:
    cache = BoundedCache[bytes](100, len)
    cache.put("a", b"x" * 60)
    cache.put("a", b"x" * 40)
    cache.put("b", b"x" * 50)
    assert (cache.bytes_held, len(cache)) == (90, 2)

    cache.put("c", b"x" * 50)
    assert (cache.bytes_held, cache.get("a")) == (100, None)

    cache.forget("b")
    cache.forget("b")
    assert (cache.bytes_held, len(cache)) == (50, 1)


def test_a_value_larger_than_the_bound_is_kept_alone() -> None:
    cache = BoundedCache[bytes](100, len)
    cache.put("a", b"x" * 60)
    cache.put("b", b"x" * 600)
    assert (cache.get("a"), len(cache)) == (None, 1)
    assert cache.get("b") == b"x" * 600
