"""The plug is pulled while the whole program answers: nothing that was acknowledged is lost, nothing counts twice."""

import random
from pathlib import Path

import pytest

from tests.cli.plug import SAVED_ENTRIES, Plug
from tests.cli.running import companion

NIGHTLY = pytest.mark.nightly


@pytest.fixture(autouse=True)
def _programs_count_no_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that is killed writes no coverage: counting its lines would only make each of 280 starts slower."""
    monkeypatch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)


@NIGHTLY
@pytest.mark.parametrize("times", [200])
def test_commands_that_were_acknowledged_are_kept_and_those_sent_again_count_once(tmp_path: Path, times: int) -> None:
    # given a program that is ended at any moment while commands come
    plug = Plug(tmp_path / "data", random.Random(11))
    plug.begin()
    plug.pulled_during_commands(times)

    # then every acknowledged command is the entry that was told, and no other command is there twice
    entries, _ = plug.kept()
    assert [entry["seq"] for entry in entries] == list(range(1, len(entries) + 1))
    assert sorted(plug.commands.values()) == list(range(2, len(plug.commands) + 2))
    assert len(entries) - 1 - len(plug.commands) in {0, 1}, "the last one may be kept that was never answered"


@NIGHTLY
@pytest.mark.parametrize("times", [40])
def test_games_are_taken_in_whole_or_not_at_all_and_once(tmp_path: Path, times: int) -> None:
    plug = Plug(tmp_path / "data", random.Random(12))
    plug.begin()
    plug.pulled_during_imports(times)

    _, tables = plug.kept()
    taken_in = {table: version for table, version in tables.items() if table != plug.table}
    assert set(taken_in.values()) <= {SAVED_ENTRIES}
    assert set(plug.games.values()) <= set(taken_in)
    assert len(set(plug.games.values())) == len(plug.games)
    assert len(taken_in) - len(plug.games) in {0, 1}


@NIGHTLY
@pytest.mark.parametrize("times", [40])
def test_a_restore_that_is_ended_leaves_the_old_tables_or_the_new_ones(tmp_path: Path, times: int) -> None:
    # given a backup with one table, after which another was begun
    plug = Plug(tmp_path / "data", random.Random(13))
    plug.begin()
    assert companion("backup", tmp_path / "kept.zip", "--data", plug.data).code == 0
    old = plug.table
    plug.begin()
    both = sorted([old, plug.table])

    # when it is restored and ended at any moment, then there is one of both, whole
    for tables in plug.pulled_during_restores(times, tmp_path / "kept.zip"):
        assert sorted(tables) in ([old], both)
