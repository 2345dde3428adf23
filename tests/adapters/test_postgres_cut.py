"""A line to a database on another machine that carries nothing more, and tells neither end."""

import socket
from collections.abc import Iterator

import pytest

from companion.adapters.journal import bell as bells
from companion.adapters.journal import database
from companion.adapters.journal.bell import Bell
from companion.adapters.journal.postgres import PostgresJournal
from companion.service.ports import News, NotStored
from companion.service.table.table import Request
from tests.adapters.kept import is_stored
from tests.browser.cable import Cable, laid
from tests.postgres import Cluster, running_cluster
from tests.service.house_tables import NUTS, OPEN, PASS, all_tables
from tests.waiting import until

pytestmark = pytest.mark.slow


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """A server that is reached by network."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with running_cluster(port) as running:
        yield running


@pytest.fixture
def cable(cluster: Cluster) -> Iterator[Cable]:
    assert cluster.port is not None
    with laid(cluster.port) as line:
        yield line


def test_a_cut_line_to_the_database_holds_nobody_and_what_was_refused_is_stored_once_when_it_is_back(
    cluster: Cluster, cable: Cable, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a process that reaches its database by a cable, and one beside the database
    monkeypatch.setattr(database, "ANSWER_S", 0.5)
    monkeypatch.setattr(bells, "ANSWER_S", 0.5)
    monkeypatch.setattr(bells, "LOOK_S", 0.2)
    far = f"postgresql://admin@127.0.0.1:{cable.port}/postgres"
    heard: list[News] = []
    bell, journal = Bell(far), PostgresJournal(far, "1.0")
    bell.when_heard(heard.append)
    bell.start()
    near_bell = Bell(cluster.address("postgres", "admin"))
    near = PostgresJournal(cluster.address("postgres", "admin"), "1.0", near_bell.ring)
    near_bell.start()
    until(lambda: bell.connected and near_bell.connected)
    table = all_tables(journal).start(Request(NUTS, "banker", "tap"))

    # when the cable is pulled, then whoever plays on is told so
    cable.pull()
    with pytest.raises(NotStored):
        table.submit(Request(OPEN, "banker", "tap", 1, "k"))

    # when it is plugged in again, then the same request is stored, once
    cable.plug_in()
    stored: list[int] = []
    until(lambda: is_stored(table, stored))
    assert stored == [2]
    assert [kept.seq for kept in near.entries(table.id)] == [1, 2]

    # and what others store is heard of again
    bell.watched_versions = lambda: {table.id: table.version}
    all_tables(near).get(table.id).submit(Request(PASS, "banker", "tap", 2))
    until(lambda: any(news.versions.get(table.id) == 3 for news in heard))
    for each in (bell, near_bell):
        each.stop()
    for each_journal in (journal, near):
        each_journal.close()
