import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from companion.adapters.journal.sqlite import SqliteJournal
from companion.service.ports import Stale
from companion.service.runtime import Counter as Signal
from companion.service.table.table import Request, Table
from tests.engine.tiny_game import nut_game
from tests.fakes import FakeClock
from tests.service.house_tables import NUTS, give
from tests.waiting import PATIENCE_S

THREADS = 8
GIFT = {"do": "ponder"}


def together(act: Callable[[int], None]) -> None:
    """Do something from eight threads that begin at the same moment."""
    ready = threading.Barrier(THREADS)
    failed: list[BaseException] = []

    def run(number: int) -> None:
        ready.wait()
        try:
            act(number)
        except BaseException as error:  # noqa: BLE001 - told below, in the test's own thread
            failed.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert failed == []


def test_of_eight_who_saw_the_same_version_exactly_one_wins(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path / "journal.sqlite")
    table = Table("t", nut_game(), journal, FakeClock())
    give(table, NUTS)
    for seen in range(1, 21):
        outcomes: list[str] = []

        def submit_gift(number: int, seen: int = seen, outcomes: list[str] = outcomes) -> None:
            try:
                table.submit(Request(GIFT, "banker", f"thread {number}", seen))
            except Stale as stale:
                outcomes.append(f"behind version {stale.version}")
            else:
                outcomes.append("won")

        together(submit_gift)
        assert Counter(outcomes) == {"won": 1, f"behind version {seen + 1}": THREADS - 1}
    assert [entry.seq for entry in journal.entries("t")] == list(range(1, 22))
    journal.close()


def test_the_same_key_from_eight_threads_counts_once(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path / "journal.sqlite")
    table = Table("t", nut_game(), journal, FakeClock())
    give(table, NUTS)
    answers: list[int] = []
    together(lambda _: answers.append(table.submit(Request(GIFT, "banker", "tap", 1, "k"))["seq"]))
    assert answers == [2] * THREADS
    journal.close()


def test_readers_see_whole_versions_while_others_write(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path / "journal.sqlite")
    table = Table("t", nut_game(), journal, FakeClock())
    give(table, NUTS)
    gift = {"do": "give", "from": "bank", "to": "ada", "amount": 1}

    def read_or_write(number: int) -> None:
        for _ in range(20):
            if number < 3:
                table.submit(Request(gift, "banker", "tap"))
            else:
                shown = table.show("banker")
                assert shown["position"]["players"]["ada"]["cash"] == 9 + shown["version"]
                assert table.journal("ada")[0]["seq"] == 1

    together(read_or_write)
    assert table.version == 61
    journal.close()


def test_a_waiter_is_woken_long_before_his_patience_ends() -> None:
    signal = Signal()
    woken: list[int] = []
    waiter = threading.Thread(target=lambda: woken.append(signal.wait_beyond(0, 3_600)))
    waiter.start()
    signal.bump()
    waiter.join(PATIENCE_S)
    assert woken == [1]
