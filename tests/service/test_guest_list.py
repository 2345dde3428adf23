"""The list of guests: a login ends once, and nobody else's with it."""

import pytest

from companion.service.access.guests import Guest, GuestList, Guests
from companion.service.access.logins import Caller
from companion.service.ports import InMemoryStore


@pytest.fixture
def guests() -> Guests:
    return Guests(InMemoryStore(GuestList()))


def test_a_guest_who_leaves_twice_at_one_moment_ends_nobody_elses_login_or_link(guests: Guests) -> None:
    # given the link of the terminal, and a phone that only looks on
    link = guests.link(Caller("banker"))
    guests.came(Guest("phone", "t", listed=True))
    phone = Caller("spectator", table="t", device="phone", generation=guests.generation)
    assert guests.admits(phone)

    # when two requests of it to leave are carried out, both of which were let in
    for _ in range(2):
        guests.log_out("phone", phone)

    # then it alone has left
    assert not guests.admits(phone)
    assert guests.out == ()
    assert guests.honours(link)


@pytest.mark.parametrize("caller", [Caller("banker", device="d"), Caller("player", "blue", "t", device="d")])
def test_a_login_that_is_in_no_list_is_remembered_as_ended_once(guests: Guests, caller: Caller) -> None:
    # given an organiser's login, and a guest's of an earlier version
    link = guests.link(Caller("banker"))

    # when it is ended again and again
    for _ in range(3):
        guests.log_out("d", caller)

    # then it is remembered once, and the link of the terminal ends with an organiser's alone
    assert guests.out == ("d",)
    assert not guests.admits(caller)
    assert guests.honours(link) == (not caller.is_organiser)
