"""Every answer to a command follows the moment at which its entry is on the disk: a trace of the system calls."""

import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from tests.cli.running import START, serving

COMMANDS = 12
CALLS = "fsync,fdatasync,recvfrom,recvmsg,read,sendto,sendmsg,write,writev,pwrite64"
ASKED, SYNCED, ANSWERED = "asked", "synced", "answered"


def may_trace() -> bool:
    """Return whether this machine lets a process be looked at."""
    strace = shutil.which("strace")
    return strace is not None and subprocess.run([strace, "-o", "/dev/null", "true"], check=False).returncode == 0


def story(trace: str) -> list[str]:
    """Return what matters in a trace, in order: a command has come, the journal is synced, an answer begins to go.

    Calls that others' come in between are told in two lines, ``<unfinished ...>`` and ``<... resumed>``.
    """
    result: list[str] = []
    syncing = set[str]()
    for line in trace.splitlines():
        thread, _, call = line.partition(" ")
        if re.search(r'recv\w*(\(| resumed>).*"POST /api/v1/tables/\w+/commands ', call):
            result.append(ASKED)
        elif re.search(r"f(data)?sync\(\d+<[^>]*/journal\.sqlite-wal>", call):
            if "unfinished" in call:
                syncing.add(thread)
            elif call.endswith("= 0"):
                result.append(SYNCED)
        elif thread in syncing and re.search(r"f(data)?sync resumed>\) += 0", call):
            syncing.discard(thread)
            result.append(SYNCED)
        elif re.search(r'send\w*\(.*"HTTP/1\.1 200 OK', call):
            result.append(ANSWERED)
    return result


@pytest.mark.skipif(not may_trace(), reason="strace is missing, or processes may not be looked at")
def test_no_command_is_answered_before_its_entry_is_on_the_disk(tmp_path: Path) -> None:
    # given a server whose system calls are written down, each when it has returned
    trace = tmp_path / "calls"
    strace = ("strace", "-D", "-f", "-y", "-s", "120", "-e", f"trace={CALLS}", "-e", "signal=none", "-o", str(trace))
    with serving(tmp_path / "data", "--camera", "none", wrapped=strace) as running:
        running.log_in()
        table = f"/api/v1/tables/{running.ask('/api/v1/tables', START)['id']}/commands"
        before = len(story(trace.read_text(errors="replace")))

        # when commands are given one after the other
        for version in range(1, COMMANDS + 1):
            command = {"do": "hire_worker", "player": "blue", "worker": "W07"} if version % 2 else {"do": "undo"}
            running.ask(table, command, If_Match=str(version))
        result = story(trace.read_text(errors="replace"))[before:]

    # then between each command and its answer the journal was synced
    asked = [at for at, what in enumerate(result) if what == ASKED]
    assert len(asked) == COMMANDS
    for begun, following in pairwise([*asked, len(result)]):
        of_it = result[begun:following]
        assert ANSWERED in of_it
        assert SYNCED in of_it[: of_it.index(ANSWERED)], result
