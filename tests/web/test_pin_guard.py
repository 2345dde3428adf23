import pytest

from companion.service.access.logins import ADDRESSES_REMEMBERED, LockedOut, PinGuard
from tests.web.conftest import ManualClock


def wrong(guard: PinGuard, times: int, address: str = "a") -> None:
    for _ in range(times):
        assert not guard.right("0000", address)


def test_the_right_pin_is_right_at_once_and_after_two_slips() -> None:
    guard = PinGuard("2468", ManualClock())
    assert guard.right("2468", "a")
    wrong(guard, 2)
    assert guard.right("2468", "a")


def test_after_three_wrong_pins_each_one_costs_a_longer_wait() -> None:
    clock = ManualClock()
    guard = PinGuard("2468", clock)
    wrong(guard, 3)
    for wait in (2, 4, 8, 16):
        with pytest.raises(LockedOut) as locked:
            guard.right("0000", "a")
        assert locked.value.retry_after == wait
        clock.now += wait
        wrong(guard, 1)


def test_while_a_wait_runs_even_the_right_pin_is_not_looked_at() -> None:
    clock = ManualClock()
    guard = PinGuard("2468", clock)
    wrong(guard, 3)
    with pytest.raises(LockedOut):
        guard.right("2468", "a")
    clock.now += 2
    assert guard.right("2468", "a")


def test_after_ten_wrong_pins_an_address_is_locked_out_for_a_quarter_of_an_hour() -> None:
    clock = ManualClock()
    guard = PinGuard("2468", clock)
    for _ in range(10):
        wrong(guard, 1)
        clock.now += 128 if _ < 9 else 0
    with pytest.raises(LockedOut) as locked:
        guard.right("2468", "a")
    assert locked.value.retry_after == 900


def test_one_address_does_not_lock_out_another() -> None:
    guard = PinGuard("2468", ManualClock())
    wrong(guard, 3, "a")
    assert guard.right("2468", "b")


def test_many_addresses_together_are_slowed_down_and_never_for_more_than_a_minute() -> None:
    clock = ManualClock()
    guard = PinGuard("2468", clock)
    for number in range(20):
        wrong(guard, 1, f"address {number}")
    with pytest.raises(LockedOut):
        guard.right("0000", "a new one")
    for number in range(30):
        clock.now += 60
        wrong(guard, 1, f"another {number}")
    clock.now += 60
    assert guard.right("2468", "the banker")


def test_a_right_pin_forgives_the_slips_before_it() -> None:
    guard = PinGuard("2468", ManualClock())
    wrong(guard, 2)
    assert guard.right("2468", "a")
    wrong(guard, 2)
    assert guard.right("2468", "a")


def test_slips_are_forgotten_after_an_hour() -> None:
    clock = ManualClock()
    guard = PinGuard("2468", clock)
    wrong(guard, 2)
    clock.now += 3_601
    wrong(guard, 2)
    assert guard.right("2468", "a")


def test_a_clock_that_is_put_back_locks_nobody_out_for_as_long() -> None:
    # given ten wrong PINs while the clock was a day ahead
    clock = ManualClock()
    guard = PinGuard("2468", clock)
    clock.now += 86_400
    for _ in range(10):
        wrong(guard, 1)
        clock.now += 128

    # when it is put right
    clock.now -= 86_400

    # then what it counted does not count any more
    assert guard.right("2468", "a")


def test_what_is_remembered_does_not_grow_without_end() -> None:
    clock = ManualClock()
    guard = PinGuard("2468", clock)
    for number in range(ADDRESSES_REMEMBERED + 50):
        clock.now += 60
        wrong(guard, 1, f"address {number}")
    assert len(guard._guesses.now.by_address) == ADDRESSES_REMEMBERED


@pytest.mark.parametrize("nonsense", ["", "\uff12\uff14\uff16\uff18", "\ud800", "2468 ", "x" * 10_000])
def test_nonsense_is_only_a_wrong_pin(nonsense: str) -> None:
    assert not PinGuard("2468", ManualClock()).right(nonsense, "a")


def beset(guard: PinGuard) -> None:
    """Thirty addresses, each with a wrong PIN."""
    for number in range(30):
        try:
            guard.right("0000", f"10.0.0.{number}")
        except LockedOut:
            continue


def test_a_device_or_address_that_once_brought_the_right_pin_does_not_wait_for_others() -> None:
    # given an address from which the banker logged in once, and thirty that guess
    guard = PinGuard("2468", ManualClock())
    assert guard.right("2468", "home")
    beset(guard)

    # then strangers wait, and neither they nor a device of theirs at another address does
    with pytest.raises(LockedOut):
        guard.right("2468", "elsewhere")
    assert guard.right("2468", "home")
    assert guard.right("2468", "elsewhere", familiar=True)


def test_a_known_device_that_guesses_is_locked_out_all_the_same() -> None:
    guard = PinGuard("2468", ManualClock())
    for _ in range(3):
        assert not guard.right("0000", "home", familiar=True)
    with pytest.raises(LockedOut):
        guard.right("2468", "home", familiar=True)
