import pytest
from itsdangerous import URLSafeSerializer

from companion.service.access.logins import Caller, Logins, WrongPin
from tests.web.conftest import PIN, SECRET, ManualClock

CALLERS = [Caller("banker"), Caller("player", "blue", "t1"), Caller("spectator", table="t1")]


def logins(pin: str = PIN, secret: str = SECRET) -> Logins:
    return Logins(pin, secret, ManualClock())


@pytest.mark.parametrize("caller", CALLERS)
def test_a_token_is_good_after_a_restart(caller: Caller) -> None:
    assert logins().caller(logins().token(caller)) == caller
    assert logins().join(logins().join_token(caller)) == caller


def test_the_pin_makes_a_banker() -> None:
    assert logins().log_in(PIN, "here") == Caller("banker")
    with pytest.raises(WrongPin):
        logins().log_in("0000", "here")


def test_the_bankers_invitation_makes_a_banker() -> None:
    assert logins().join(logins().banker_join_token()) == Caller("banker")


def test_a_new_pin_or_another_secret_ends_every_login() -> None:
    token = logins().token(Caller("banker"))
    assert logins(pin="2468").caller(token) is None
    assert logins(secret=SECRET.upper()).caller(token) is None


def test_an_invitation_is_no_login_and_a_login_no_invitation() -> None:
    assert logins().caller(logins().banker_join_token()) is None
    assert logins().join(logins().token(Caller("banker"))) is None


@pytest.mark.parametrize("token", ["", ".", "x", "a.b", "\u00e9.\u00e9", "x" * 10_000])
def test_nonsense_is_nobodys_token(token: str) -> None:
    assert logins().caller(token) is None
    assert logins().join(token) is None


@pytest.mark.parametrize("payload", [["queen", None, None], ["player", None, None], ["banker"], 7, {"a": 1}])
def test_a_well_signed_token_of_another_version_is_nobodys(payload: object) -> None:
    sealed = URLSafeSerializer(f"{SECRET}:{PIN}", salt="companion login").dumps(payload)
    assert logins().caller(str(sealed)) is None


@pytest.mark.parametrize("pin", ["", "123", "12a4", "1" * 13, "\uff11\uff12\uff13\uff14", "1234\n"])
def test_a_pin_is_four_to_twelve_digits(pin: str) -> None:
    with pytest.raises(ValueError, match="digits"):
        logins(pin=pin)


def test_a_secret_is_long() -> None:
    with pytest.raises(ValueError, match="secret"):
        logins(secret=SECRET[:31])


def test_players_and_spectators_are_bound_to_one_table() -> None:
    banker, player, spectator = CALLERS
    assert banker.may_enter("t2")
    assert not player.may_enter("t2")
    assert not spectator.may_enter("t2")
    assert [caller.viewer for caller in CALLERS] == ["banker", "blue", "spectator"]
    assert [caller.actor for caller in CALLERS] == ["banker", "blue", None]
    with pytest.raises(ValueError, match="table"):
        Caller("spectator")
