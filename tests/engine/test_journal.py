"""A list that only grows, and those who hold it at one length."""

import pytest

from companion.engine.journal import Log


@pytest.fixture
def log() -> Log[str]:
    return Log[str]().with_next("a").with_next("b").with_next("c")


def test_who_holds_a_log_is_not_disturbed_by_what_comes_later(log: Log[str]) -> None:
    later = log.with_next("d")

    assert (list(log), len(log)) == (["a", "b", "c"], 3)
    assert (list(later), len(later)) == (["a", "b", "c", "d"], 4)


def test_two_futures_of_one_log_do_not_meet(log: Log[str]) -> None:
    first, other = log.with_next("d"), log.with_next("e")

    assert (first[-1], other[-1], list(log)) == ("d", "e", ["a", "b", "c"])


def test_items_are_found_from_either_end_and_nothing_beyond(log: Log[str]) -> None:
    longer = log.with_next("d")

    assert [log[at] for at in (0, 2, -1, -3)] == ["a", "c", "c", "a"]
    for at in (3, -4):
        with pytest.raises(IndexError):
            log[at]
    assert longer[3] == "d"


def test_a_part_is_cut_out_as_of_any_sequence(log: Log[str]) -> None:
    log.with_next("d")

    assert (log[1:], log[:-1], log[::-1], log[5:]) == (("b", "c"), ("a", "b"), ("c", "b", "a"), ())


def test_a_log_equals_whatever_holds_the_same_in_the_same_order(log: Log[str]) -> None:
    again = Log[str]().with_next("a").with_next("b").with_next("c")

    assert log == again
    assert hash(log) == hash(again)
    assert log == ["a", "b", "c"]
    assert log != log.with_next("d")
    assert log != ["a", "b", "x"]
    assert log != 3
