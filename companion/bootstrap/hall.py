"""Open what the gateway of a hall stands on: no games, no tables, no camera."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from companion.adapters.journal.bell import PEOPLE, SHARED, Bell
from companion.adapters.journal.postgres import PostgresJournal
from companion.adapters.stores import load_settings
from companion.bootstrap.access import open_shared_access
from companion.config import DataFolder
from companion.gateway import Gateway, Sources
from companion.service.ports import HeadQuery

log = logging.getLogger(__name__)

AT_ONCE = 500
"""Tables about which the database is asked at a time."""


@dataclass(frozen=True, slots=True)
class OpenGateway:
    """A gateway and what it listens to."""

    gateway: Gateway
    bell: Bell
    journal: PostgresJournal

    def measures(self) -> Mapping[str, float]:
        """Return the figures of bell and database, by the names of metrics."""
        return {**self.bell.measures(), **self.journal.database.measures()}

    def close(self) -> None:
        """Close all connections to the database."""
        self.bell.stop()
        self.journal.close()


def open_gateway(folder: DataFolder, database: str, processes: int = 1) -> OpenGateway:
    """Open the gateway of an installation; it hears from now on.

    ``processes``: how many a hall has; it is logged where the database has too few connections for them.

    Raises:
        JournalFileError: when the database cannot be used.
        SettingsError: when the settings cannot be used.

    """
    settings = load_settings(folder.settings)
    journal = PostgresJournal(database, None)
    _compare_connections(journal, processes)
    access, hear = open_shared_access(settings, journal.database, lambda _: None)

    def find_version(table_id: str) -> int | None:
        heads = journal.heads(HeadQuery(limit=1, ids=[table_id], binned=False))
        return heads[0].latest.seq if heads else None

    def find_binned(table_ids: Sequence[str]) -> list[str]:
        parts = (table_ids[begin : begin + AT_ONCE] for begin in range(0, len(table_ids), AT_ONCE))
        heads = (journal.heads(HeadQuery(limit=AT_ONCE, ids=part, binned=True)) for part in parts)
        return [head.table_id for part in heads for head in part]

    gateway = Gateway(Sources(access.logins.caller, access.guests.admits, find_version, find_binned))
    bell = Bell(database, gateway.versions)
    opened = OpenGateway(gateway, bell, journal)
    gateway.is_ready, gateway.measures = bell.is_ready, opened.measures
    gateway.probe = partial(bell.say, "probe")
    bell.when_heard(lambda news: hear(news.is_complete) if news.topics & {PEOPLE, SHARED} else None)
    bell.when_heard(gateway.hear)
    bell.start()
    return opened


def _compare_connections(journal: PostgresJournal, processes: int) -> None:
    """Log how many connections the processes of a hall may need, where the database has fewer."""
    needed, there = processes * journal.database.most_connections, journal.database.count_connections()
    if needed > there:
        log.warning(
            "%s processes may need %s connections, and the database has %s for them: raise max_connections in"
            " postgresql.conf by %s, or start fewer processes",
            *(processes, needed, there, needed - there),
        )
