"""The journal as a pulled plug may leave it: every beginning of what was written to its write-ahead file."""

import shutil
from pathlib import Path

from companion.adapters.journal.sqlite import SqliteJournal
from tests.adapters.kept import entry

FRAME = 4096 + 24
"""Bytes: a page, and what SQLite says of it."""


def test_every_beginning_of_what_was_written_is_a_journal_of_the_first_entries(tmp_path: Path) -> None:
    # given a journal of whose entries none has left the write-ahead file yet
    written = SqliteJournal(tmp_path / "journal.sqlite")
    written.open_table("t", "master_builder", entry(1))
    for number in range(2, 13):
        written.append("t", entry(number))
    log = (tmp_path / "journal.sqlite-wal").read_bytes()
    file = (tmp_path / "journal.sqlite").read_bytes()
    written.close()

    # when it ends anywhere: between two pages, within one, within what is said of one
    ends = sorted(
        {0, len(log), *(32 + at for number in range(0, len(log), FRAME) for at in (number, number + 11, number + 2000))}
    )
    counts = []
    for end in ends:
        folder = tmp_path / "cut"
        folder.mkdir()
        (folder / "journal.sqlite").write_bytes(file)
        (folder / "journal.sqlite-wal").write_bytes(log[:end])
        opened = SqliteJournal(folder / "journal.sqlite")
        entries = opened.entries("t") if "t" in dict(opened.tables()) else ()
        opened.close()
        shutil.rmtree(folder)

        # then it opens with the first entries, whole and in order
        assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1)), end
        assert all(each_entry == entry(each_entry.seq) for each_entry in entries), end
        counts.append(len(entries))

    # and the more of it there is, the more entries, from none to all
    assert counts == sorted(counts)
    assert set(counts) == set(range(13))
