"""The name on the network: answered by multicast DNS on this machine's own loop, and another one where it is taken."""

import logging
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

import pytest
from zeroconf import IPVersion, ServiceInfo, Zeroconf

from companion.adapters import network as announcing
from companion.adapters.network import SERVICE_TYPE, MdnsAnnouncement
from tests.own_log import own_lines

Answer = TypeVar("Answer")


SINGLE, FLEETING = f"one-{os.getpid()}", f"fleeting-{os.getpid()}"
"""Names of this process alone: another run of the tests may announce some on this machine."""


@contextmanager
def announced(wish: str, *numbers: str) -> Iterator[MdnsAnnouncement]:
    announcement = MdnsAnnouncement(8123, lambda: numbers, preferred_name=wish)
    apart(announcement.update)
    try:
        yield announcement
    finally:
        apart(announcement.stop)


def apart(work: Callable[[], Answer]) -> Answer:
    """Do something in a thread of its own, as the program does: a browser's loop may run in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


def name_of(announcement: MdnsAnnouncement) -> str | None:
    return announcement.name


def resolved(name: str, patience_ms: int = 60_000) -> list[str]:
    return apart(partial(_resolved, name, patience_ms))


def _resolved(name: str, patience_ms: int) -> list[str]:
    """Return what another machine resolves: the addresses of the companion of this name."""
    client = Zeroconf(interfaces=["127.0.0.1"], ip_version=IPVersion.V4Only)
    try:
        asked = ServiceInfo(SERVICE_TYPE, f"{name.removesuffix('.local')}.{SERVICE_TYPE}")
        if not asked.request(client, patience_ms):
            return []
        assert (asked.server, asked.port) == (f"{name}.", 8123)
        return asked.parsed_addresses()
    finally:
        client.close()


def test_whoever_asks_for_the_name_is_given_the_number() -> None:
    with announced(SINGLE, "127.0.0.1") as announcement:
        assert name_of(announcement) == f"{SINGLE}.local"
        assert resolved(f"{SINGLE}.local") == ["127.0.0.1"]
    assert name_of(announcement) is None
    assert resolved(f"{SINGLE}.local", 400) == []


@pytest.mark.nightly
def test_a_second_companion_on_the_network_has_a_name_of_its_own() -> None:
    with announced("both", "127.0.0.1"), announced("both", "127.0.0.2") as second:
        assert second.name == "both-2.local"
        assert resolved("both.local") == ["127.0.0.1"]


@pytest.mark.nightly
def test_a_name_that_a_machine_bears_which_is_no_companion_is_left_to_it() -> None:
    # given a printer whose name is the one that is wished
    with announced("printer", "127.0.0.2") as other:
        apart(partial(_renamed, other))

        # then the companion takes another, though nobody serves pages under that one
        with announced("taken", "127.0.0.1") as announcement:
            assert name_of(announcement) == "taken-2.local"


def _renamed(announcement: MdnsAnnouncement) -> None:
    """Let a machine bear the name ``taken`` for something else than pages."""
    assert announcement._zeroconf
    kind = "_ipp._tcp.local."
    info = ServiceInfo(kind, f"ink.{kind}", port=631, addresses=[b"\x7f\0\0\x02"], server="taken.local.")
    announcement._zeroconf.register_service(info)


def test_a_network_that_comes_and_goes_is_announced_and_left() -> None:
    numbers: list[str] = []
    announcement = MdnsAnnouncement(8123, lambda: numbers, preferred_name=FLEETING)
    apart(announcement.update)
    assert name_of(announcement) is None

    numbers.append("127.0.0.1")
    apart(announcement.update)
    assert name_of(announcement) == f"{FLEETING}.local"
    before = announcement.name
    apart(announcement.update)
    assert announcement.name is before

    numbers.clear()
    apart(announcement.update)
    assert name_of(announcement) is None


@pytest.mark.nightly
def test_where_no_name_can_be_said_it_is_told_once_and_tried_again(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a machine on which another program holds the port
    def taken(**_: object) -> Zeroconf:
        raise OSError("Address already in use")

    monkeypatch.setattr(announcing, "Zeroconf", taken)
    announcement = MdnsAnnouncement(8123, lambda: ["127.0.0.1"], preferred_name="later")
    caplog.set_level(logging.WARNING)

    for _ in range(3):
        apart(announcement.update)

    assert name_of(announcement) is None
    assert own_lines(caplog) == ["no name on the network: Address already in use"]
    monkeypatch.undo()
    apart(announcement.update)
    assert name_of(announcement) == "later.local"
    apart(announcement.stop)


def test_its_thread_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = threading.Event()
    announcement = MdnsAnnouncement(8123, list, pause_s=0.01)
    mark_updated: Callable[[], None] = looked.set
    monkeypatch.setattr(announcement, "update", mark_updated)

    announcement.start()
    assert looked.wait(5)
    apart(announcement.stop)
