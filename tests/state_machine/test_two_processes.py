"""Whatever is asked of two processes over one database, in whatever order, while connections break, processes start
anew and nobody hears of the other: nothing is lost or counted twice, and both show the same."""

from functools import partial
from itertools import count
from typing import Any, cast

import psycopg
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from werkzeug.test import TestResponse

from companion.adapters import shared
from companion.adapters.journal import bell
from tests.extent import of_all
from tests.postgres import new_database
from tests.two_apps import HallApp, json_of, two_apps
from tests.waiting import until
from tests.web.conftest import HIRE, START

NUMBER = st.integers(0, 1)
WHICH = st.integers(0, 59)
"""Picks one of what there is: its names are others in each run."""
_games = count(1)


class TwoProcesses(RuleBasedStateMachine):
    """One table, asked for at two processes by turns, and what has to be true of it."""

    def __init__(self, apps: tuple[HallApp, HallApp]) -> None:
        super().__init__()
        self.apps = apps
        self.version = 1
        self.acknowledged: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {}
        self.answered: dict[str, tuple[str, dict[str, Any], Any]] = {}
        self.phones: dict[str, tuple[str, bool]] = {}
        self.binned = False
        self.seconds = 0
        self.numbers = 0

    def fresh_key(self) -> str:
        self.numbers += 1
        return f"{self.table}-{self.numbers}".replace("/", ".")

    def give(
        self, number: int, command: dict[str, Any], key: str | None = None, seen: int | None = None
    ) -> TestResponse:
        return self.apps[number].post(f"{self.table}/commands", command, key, seen or self.version)

    @initialize(number=NUMBER)
    def start(self, number: int) -> None:
        key = f"start-{next(_games)}"
        begun = [self.apps[process].post("/api/v1/tables", START, key) for process in (number, 1 - number)]
        self.table = str(begun[0].headers["Location"])
        assert begun[1].headers["Location"] == self.table

    # --------------------------------------------------------------------------------------------- commands

    @precondition(lambda self: not self.binned)
    @rule(number=NUMBER, amount=st.integers(1, 3))
    def play(self, number: int, amount: int) -> None:
        key = self.fresh_key()
        command = {"do": "correct_money", "from": "bank", "to": "blue", "amount": 1000 * amount, "reason": key}
        entry = json_of(lambda: self.give(number, command, key))
        self.version += 1
        assert entry["seq"] == self.version
        self.acknowledged[key] = command, entry

    @precondition(lambda self: self.acknowledged and not self.binned)
    @rule(number=NUMBER, which=WHICH)
    def send_again(self, number: int, which: int) -> None:
        key = list(self.acknowledged)[which % len(self.acknowledged)]
        command, entry = self.acknowledged[key]
        assert json_of(lambda: self.give(number, command, key)) == entry
        other = self.give(number, {**command, "amount": 9000}, key)
        assert (other.status_code, other.get_json()["type"].rpartition("/")[2]) == (422, "key_reused")

    @precondition(lambda self: not self.binned)
    @rule(number=NUMBER)
    def be_refused(self, number: int) -> None:
        key = self.fresh_key()
        refused = [self.give(process, {**HIRE, "worker": "W99"}, key) for process in (number, 1 - number)]
        assert [answer.status_code for answer in refused] == [422, 422]
        assert refused[0].get_json()["rule"] == refused[1].get_json()["rule"]

    @precondition(lambda self: self.version > 1 and not self.binned)
    @rule(number=NUMBER)
    def take_back(self, number: int) -> None:
        before = self.apps[1 - number].banker.get(self.table, headers={"If-Match": str(self.version)}).get_json()
        key = self.fresh_key()
        undone = self.give(number, {"do": "undo"}, key)
        if undone.status_code == 422:
            assert undone.get_json()["rule"] == "nothing_to_undo"
            return
        self.version += 1
        assert undone.get_json()["seq"] == self.version
        assert json_of(lambda: self.give(1 - number, {"do": "undo"}, key)) == undone.get_json()
        assert json_of(lambda: self.give(1 - number, {"do": "redo"}))["seq"] == self.version + 1
        self.version += 1
        now = self.apps[number].banker.get(self.table, headers={"If-Match": str(self.version)}).get_json()
        assert now["position"] == before["position"]

    # --------------------------------------------------------------------------------- requests of other kinds

    def ask(self, number: int, path: str, body: dict[str, Any]) -> None:
        key = self.fresh_key()
        answer = json_of(lambda: self.apps[number].post(path, body, key))
        self.answered[key] = path, body, answer

    @rule(number=NUMBER)
    def move(self, number: int) -> None:
        self.ask(number, f"{self.table}/bin", {"in": not self.binned})
        self.binned = not self.binned
        until(lambda: all((app.banker.get(self.table).status_code == 404) == self.binned for app in self.apps))

    @precondition(lambda self: not self.binned)
    @rule(number=NUMBER, seconds=st.sampled_from([0, 15, 30]))
    def hurry(self, number: int, seconds: int) -> None:
        self.ask(number, f"{self.table}/hammer", {"seconds": seconds})
        self.seconds = seconds

    @precondition(lambda self: self.answered)
    @rule(number=NUMBER, which=WHICH)
    def ask_again(self, number: int, which: int) -> None:
        """A repeated request is answered as it was, and changes nothing."""
        key = list(self.answered)[which % len(self.answered)]
        path, body, answer = self.answered[key]
        assert json_of(lambda: self.apps[number].post(path, body, key)) == answer

    # ------------------------------------------------------------------------------------------------ phones

    @precondition(lambda self: not self.binned and sum(inside for _, inside in self.phones.values()) < 3)
    @rule(number=NUMBER, player=st.sampled_from(["blue", "yellow"]))
    def join(self, number: int, player: str) -> None:
        first, second = self.apps[number], self.apps[1 - number]
        invitation = json_of(lambda: first.post(f"{self.table}/invitations", {"player": player}))["token"]
        token = json_of(lambda: second.client().post("/api/v1/logins", json={"join": invitation}))["token"]
        self.phones[token] = player, True
        assert first.client(token).get(self.table).status_code == 200, "at once"

    @precondition(lambda self: not self.binned and any(inside for _, inside in self.phones.values()))
    @rule(number=NUMBER, which=WHICH)
    def log_out(self, number: int, which: int) -> None:
        joined = [token for token, (_, inside) in self.phones.items() if inside]
        token = joined[which % len(joined)]
        caller = self.apps[number].access.logins.caller(token)
        assert caller is not None
        assert self.apps[number].banker.delete(f"{self.table}/guests/{caller.device}").status_code == 200
        self.phones[token] = self.phones[token][0], False
        assert self.apps[number].client(token).get(self.table).status_code == 401, "at once"

    # ------------------------------------------------------------------------------------- what goes wrong

    @rule(number=NUMBER)
    def start_anew(self, number: int) -> None:
        self.apps[number].restart()

    @rule(number=NUMBER)
    def hear_nothing(self, number: int) -> None:
        """From now on a look now and then is all that it has."""
        self.apps[number].mute()

    @rule()
    def cut(self) -> None:
        """Every connection breaks: those of the journal, and those on which processes hear of each other."""
        with psycopg.connect(self.apps[0].address, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )

    # ---------------------------------------------------------------------------------------- what is true

    @invariant()
    def both_show_the_same(self) -> None:
        if self.binned or not hasattr(self, "table"):
            return
        headers = {"If-Match": str(self.version)}
        shown = [json_of(partial(app.banker.get, self.table, headers=headers)) for app in self.apps]
        assert shown[0] == shown[1]
        assert shown[0]["version"] == self.version
        until(lambda: all(app.access.preferences.chosen.hammers.get(self.id, 0) == self.seconds for app in self.apps))
        until(lambda: all(self.lets_in_who_is_inside(app) for app in self.apps))

    @property
    def id(self) -> str:
        return self.table.rpartition("/")[2]

    def lets_in_who_is_inside(self, app: HallApp) -> bool:
        statuses = {token: app.client(token).get(self.table).status_code for token in self.phones}
        return statuses == {token: 200 if inside else 401 for token, (_, inside) in self.phones.items()}

    def teardown(self) -> None:
        if not hasattr(self, "table"):
            return
        entries = self.apps[0].journal.entries(self.id)
        assert [entry.seq for entry in entries] == list(range(1, self.version + 1))
        stored = {entry.command["reason"]: entry.seq for entry in entries if entry.command["do"] == "correct_money"}
        assert stored == {key: entry["seq"] for key, (_, entry) in self.acknowledged.items()}


def test_two_processes_are_as_good_as_one(postgres_server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bell, "LOOK_S", 0.1)
    monkeypatch.setattr(shared, "LOOK_S", 0.1)
    with new_database(postgres_server) as address, two_apps(address) as apps:
        run_state_machine_as_test(
            cast("type[TwoProcesses]", partial(TwoProcesses, apps)),
            settings=settings(
                max_examples=of_all(2, 60),
                stateful_step_count=of_all(12, 60),
                deadline=None,
                suppress_health_check=list(HealthCheck),
            ),
        )
