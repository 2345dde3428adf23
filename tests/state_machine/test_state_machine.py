"""Whatever is asked of a table, in whatever order: money is conserved, a refusal changes nothing, undo and redo
undo each other, a restart changes nothing, and everything offered is accepted."""

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.adapters.journal.sqlite import SqliteJournal
from companion.engine.game import Refused
from companion.games.master_builder.bots.dealer import Piles
from companion.service.ports import KeyReused, Stale
from companion.service.table.registry import Tables
from companion.service.table.table import Request, Table
from tests.extent import of_all
from tests.fakes import readable_tables
from tests.opened import house_deck, shuffled, start_command
from tests.service.house_tables import all_tables, bot_command, position
from tests.strategies import filled, json_values, spoilt

MONEY = 695_000


class ATableInUse(RuleBasedStateMachine):
    """One table of Master Builder over a real journal file."""

    tables: Tables
    table: Table
    piles: Piles

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.journal = SqliteJournal(self.path)

    @property
    def path(self) -> Path:
        return Path(self.folder.name) / "journal.sqlite"

    def teardown(self) -> None:
        self.journal.close()
        self.folder.cleanup()

    # ------------------------------------------------------------------------------------ what is seen
    def seen(self) -> tuple[Any, ...]:
        """Everything that anybody sees of the table."""
        return tuple(self.table.show(viewer) for viewer in ("banker", "blue", "spectator"))

    def give(self, command: Any, seen: int | None = None, key: str | None = None) -> dict[str, Any]:
        return self.table.submit(Request(command, "banker", "test", seen, key))

    def refused(self, command: Any) -> bool:
        """Submit a command that may be refused; then nothing has changed."""
        before = self.seen(), self.table.entries, self.table.position
        try:
            self.give(command)
        except Refused:
            assert (self.seen(), self.table.entries, self.table.position) == before
            return True
        return False

    def can(self, verb: str) -> bool:
        return verb in [offer["do"] for offer in self.table.show("banker")["offers"]]

    # ------------------------------------------------------------------------------------ what is done
    @initialize(players=st.integers(2, 4), seed=st.integers(0, 99))
    def start(self, players: int, seed: int) -> None:
        self.tables = all_tables(self.journal)
        self.table = self.tables.start(Request(start_command(players, seed), "banker", "test"))
        deck = house_deck()
        self.piles = shuffled(deck, seed)

    @rule(moves=st.integers(1, 40))
    def play_on(self, moves: int) -> None:
        """Let the bots play, so that every phase comes up."""
        for _ in range(moves):
            command = bot_command(self.table, self.piles)
            if command is None:
                return
            self.give(command)

    @rule(data=st.data())
    def take_an_offer(self, data: st.DataObject) -> None:
        offers = [offer for offer in self.table.show("banker")["offers"] if offer["do"] not in {"undo", "redo"}]
        if not offers:
            assert position(self.table)["finished"]
            return
        command = data.draw(filled(data.draw(st.sampled_from(offers))))
        # An assignment offers places and workers; which of them suit each other the rules say.
        assert not self.refused(command) or (command["do"] == "plan" and command["work"])

    @rule(data=st.data())
    def spoil_an_offer(self, data: st.DataObject) -> None:
        offer = data.draw(st.sampled_from(self.table.show("banker")["offers"] or [{"do": "undo", "fields": {}}]))
        self.refused(data.draw(spoilt(data.draw(filled(offer)))))

    @rule(command=st.dictionaries(st.sampled_from(["do", "player", "amount", "x"]), json_values, max_size=3))
    def talk_nonsense(self, command: dict[str, Any]) -> None:
        assert self.refused(command)

    @rule(player=st.sampled_from(["bank", "blue", "yellow", "green"]), thousands=st.integers(0, 60))
    def correct(self, player: str, thousands: int) -> None:
        move = {"from": player, "to": "blue", "amount": thousands * 1_000, "reason": "counted again"}
        self.refused({"do": "correct_money", **move})
        self.refused({"do": "count_cash", "player": player, "amount": thousands * 1_000})

    @precondition(lambda self: self.can("undo"))
    @rule()
    def undo(self) -> None:
        self.give({"do": "undo"})
        assert self.can("redo")

    @precondition(lambda self: self.can("redo"))
    @rule()
    def redo(self) -> None:
        self.give({"do": "redo"})
        assert self.can("undo")

    @precondition(lambda self: self.can("undo"))
    @rule(steps=st.integers(1, 30))
    def undo_then_redo_is_the_identity(self, steps: int) -> None:
        before = self.table.position
        taken = 0
        while taken < steps and self.can("undo"):
            self.give({"do": "undo"})
            taken += 1
        for _ in range(taken):
            self.give({"do": "redo"})
        assert self.table.position == before

    @precondition(lambda self: self.can("undo"))
    @rule(data=st.data())
    def amend_then_undo_is_the_identity(self, data: st.DataObject) -> None:
        """Leave any entry out, agree to what the preview says, and take it back."""
        command = self.an_amend(data)
        before, entries = self.table.position, self.table.entries
        try:
            preview = self.table.preview(Request(command, "banker", "tap"))
        except Refused as refused:
            assert refused.rule in {"start_stays", "amend_reveals"}  # noqa: PT017 - mostly it is not refused
            assert self.refused({**command, "confirm": True})
            return
        assert (self.table.position, self.table.entries) == (before, entries)
        self.give({**command, "confirm": True})
        assert position(self.table) == preview["position"]
        assert self.table.entries[:-1] == entries
        self.give({"do": "undo"})
        assert self.table.position == before

    @precondition(lambda self: self.can("undo"))
    @rule(data=st.data())
    def amend(self, data: st.DataObject) -> None:
        """Leave an entry out and play on from there."""
        self.refused({**self.an_amend(data), "confirm": True})

    def an_amend(self, data: st.DataObject) -> dict[str, Any]:
        effective = [entry.seq for entry in self.table.history.effective_entries()]
        return {"do": "amend", "seq": data.draw(st.sampled_from(effective)), "with": None}

    @rule()
    def come_too_late(self) -> None:
        before = self.seen()
        with pytest.raises(Stale):
            self.give({"do": "undo"}, seen=self.table.version - 1)
        assert self.seen() == before

    @rule()
    def tap_twice(self) -> None:
        command = bot_command(self.table, self.piles) or {"do": "undo"}
        key = f"at {self.table.version}"
        first = self.give(command, key=key)
        after = self.seen()
        assert self.give(command, key=key) == first
        with pytest.raises(KeyReused):
            self.give({**command, "x": 1}, key=key)
        assert self.seen() == after

    @rule()
    def restart(self) -> None:
        before, position_before, entries = self.seen(), self.table.position, self.table.entries
        journals = [self.table.journal(viewer) for viewer in ("banker", "blue")]
        self.journal.close()
        self.journal = SqliteJournal(self.path)
        self.tables = all_tables(self.journal, "u")
        self.table = readable_tables(self.tables)[0]
        assert self.tables.torn == {}
        assert (self.seen(), self.table.position, self.table.entries) == (before, position_before, entries)
        assert [self.table.journal(viewer) for viewer in ("banker", "blue")] == journals

    # ------------------------------------------------------------------------------------ what always holds
    @invariant()
    def money_is_neither_made_nor_lost(self) -> None:
        shown = position(self.table)
        cash = [player["cash"] for player in shown["players"].values()]
        assert sum(cash) + shown["bank"] + shown["on_contracts"] == shown["money_in_play"] == MONEY
        assert min(cash) >= 0
        assert self.table.position is not None
        assert sum(amount for _, amount in self.table.position.ledger.balances) == 0

    @invariant()
    def versions_count_entries_and_positions_are_json(self) -> None:
        assert self.table.version == len(self.table.entries)
        shown = self.table.show("banker")
        assert json.loads(json.dumps(shown)) == shown


# By rule, not by chance: the same on every machine, and short enough to run with every check.
ATableInUse.TestCase.settings = settings(
    max_examples=of_all(6, 20),
    stateful_step_count=30,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
TestATableInUse = ATableInUse.TestCase
