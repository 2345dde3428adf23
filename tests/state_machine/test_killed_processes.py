"""Two real processes over one database, killed at any step: what was acknowledged is there once, and both show it."""

import http.client
import json
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tests.cli.running import START
from tests.cli.test_database_race import PASSING, PAUSE_S, Hall
from tests.extent import of_all
from tests.postgres import running_cluster
from tests.waiting import PATIENCE_S

NUMBER = st.integers(0, 1)
AMOUNT = st.integers(1, 3)
WHICH = st.integers(0, 59)
"""Picks one of what there is: its names are others in each run."""
SOON_S = st.sampled_from([0.0, 0.001, 0.003, 0.01, 0.03])
"""After which a process or the database is killed once a command was sent."""
WAS_KILLED = (OSError, http.client.HTTPException, ValueError)
"""Errors of a process that is not there, that ended while it answered, or whose answer is not whole."""
_games = count(1)


class KilledProcesses(RuleBasedStateMachine):
    """One table, asked for at two processes by turns, and what has to be true of it."""

    def __init__(self, hall: Hall) -> None:
        super().__init__()
        self.hall = hall
        self.table = ""
        self.version = 1
        self.sent: dict[str, tuple[dict[str, Any], int]] = {}
        """The command of each key, and the number of its entry."""
        self.gifts: list[int] = []
        self.taken_back: list[int] = []
        self.cash = 0

    def ask_once(self, number: int, path: str, body: object = None, **headers: str) -> str:
        """Ask a process, and return its answer."""
        process = self.hall.processes[number]
        request = urllib.request.Request(f"http://127.0.0.1:{process.port}{path}")
        request.add_header("Authorization", f"Bearer {process.token}")
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        for name, value in headers.items():
            request.add_header(name.replace("_", "-"), value)
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return str(answer.read().decode())

    def ask(self, number: int, path: str, body: object = None, **headers: str) -> Any:
        """Return the JSON of an answer."""
        return json.loads(self.ask_again(number, path, body, **headers))

    def ask_again(self, number: int, path: str, body: object = None, **headers: str) -> str:
        """Ask a process until it answers, as a page does."""
        give_up = time.monotonic() + PATIENCE_S
        while True:
            try:
                return self.ask_once(number, path, body, **headers)
            except urllib.error.HTTPError as problem:
                with problem:
                    if problem.code not in PASSING:
                        pytest.fail(f"{problem.code} {problem.read()!r}")
            except WAS_KILLED:
                pass
            assert time.monotonic() < give_up
            time.sleep(PAUSE_S)

    def send(self, number: int, command: dict[str, Any], key: str, seen: int) -> int:
        """Send a command until it is acknowledged; return the number of its entry."""
        headers = {"If_Match": str(seen), "Idempotency_Key": key}
        return int(self.ask(number, f"{self.table}/commands", command, **headers)["seq"])

    @property
    def next_key(self) -> str:
        return f"{self.table}-{len(self.sent)}".replace("/", ".")

    def gift(self, amount: int) -> dict[str, Any]:
        amount *= 1000
        return {"do": "correct_money", "from": "bank", "to": "blue", "amount": amount, "reason": self.next_key}

    def note(self, key: str, command: dict[str, Any], number: int) -> None:
        self.version += 1
        assert number == self.version
        self.sent[key] = command, number

    def give(self, number: int, amount: int) -> None:
        command, key = self.gift(amount), self.next_key
        self.note(key, command, self.send(number, command, key, self.version))
        self.gifts.append(amount)
        self.taken_back.clear()

    @initialize(number=NUMBER)
    def start(self, number: int) -> None:
        key = f"start-{next(_games)}"
        begun = [self.ask(each, "/api/v1/tables", START, Idempotency_Key=key)["id"] for each in (number, 1 - number)]
        assert begun[0] == begun[1]
        self.table = f"/api/v1/tables/{begun[0]}"
        self.cash = self.ask(number, self.table)["position"]["players"]["blue"]["cash"]

    @rule(number=NUMBER, amount=AMOUNT)
    def play(self, number: int, amount: int) -> None:
        self.give(number, amount)

    @precondition(lambda self: self.gifts)
    @rule(number=NUMBER)
    def take_back(self, number: int) -> None:
        command, key = {"do": "undo"}, self.next_key
        self.note(key, command, self.send(number, command, key, self.version))
        self.taken_back.append(self.gifts.pop())

    @precondition(lambda self: self.taken_back)
    @rule(number=NUMBER)
    def put_back(self, number: int) -> None:
        command, key = {"do": "redo"}, self.next_key
        self.note(key, command, self.send(number, command, key, self.version))
        self.gifts.append(self.taken_back.pop())

    @precondition(lambda self: self.sent)
    @rule(number=NUMBER, which=WHICH)
    def send_again(self, number: int, which: int) -> None:
        key = list(self.sent)[which % len(self.sent)]
        command, entry = self.sent[key]
        assert self.send(number, command, key, self.version) == entry

    @rule(number=NUMBER)
    def kill(self, number: int) -> None:
        self.hall.kill(number)

    @rule(
        number=NUMBER, again=NUMBER, amount=AMOUNT, soon=SOON_S, which=st.sampled_from(["process", "other", "database"])
    )
    def kill_while_it_decides(self, number: int, again: int, amount: int, soon: float, which: str) -> None:
        """A command is sent, something is killed, and its answer is lost if there was one: it is sent again."""

        def lose_answer() -> None:
            headers = {"If_Match": str(self.version), "Idempotency_Key": self.next_key}
            with suppress(*WAS_KILLED):
                self.ask_once(number, f"{self.table}/commands", self.gift(amount), **headers)

        with ThreadPoolExecutor(1) as sender:
            lost = sender.submit(lose_answer)
            time.sleep(soon)
            if which == "database":
                self.hall.restart_database()
            else:
                self.hall.kill(number if which == "process" else 1 - number)
            lost.result()
        self.give(again, amount)

    @rule()
    def restart_database(self) -> None:
        self.hall.restart_database()

    @invariant()
    def both_show_the_same(self) -> None:
        if not self.table:
            return
        seen = str(self.version)
        shown = [self.ask(number, self.table, If_Match=seen) for number in range(2)]
        assert shown[0] == shown[1]
        assert shown[0]["version"] == self.version
        assert shown[0]["position"]["players"]["blue"]["cash"] == self.cash + 1000 * sum(self.gifts)
        part = f"{self.table.removeprefix('/api/v1')}/live?part=tablet&at={seen}"
        pages = [self.ask_again(number, part) for number in range(2)]
        assert pages[0] == pages[1]

    def teardown(self) -> None:
        if not self.table:
            return
        for number in range(2):
            entries = self.ask(number, f"{self.table}/journal?at={self.version}")["entries"]
            assert [entry["seq"] for entry in entries] == list(range(1, self.version + 1))
            expected = {seq: command for command, seq in self.sent.values()}
            assert {entry["seq"]: entry["command"] for entry in entries[1:]} == expected


@pytest.mark.nightly
def test_whatever_is_killed_at_whatever_step_what_was_acknowledged_is_there_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_SECRET_FILE", str(tmp_path / "secret.toml"))
    with running_cluster() as cluster, ExitStack() as stack:
        hall = Hall(cluster, tmp_path, stack)
        hall.begin()
        run_state_machine_as_test(
            cast("type[KilledProcesses]", partial(KilledProcesses, hall)),
            settings=settings(
                max_examples=of_all(2, 5),
                stateful_step_count=of_all(6, 12),
                deadline=None,
                phases=[Phase.generate],  # what real processes did cannot be made smaller by doing it again
                suppress_health_check=list(HealthCheck),
            ),
        )
