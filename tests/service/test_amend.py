"""Amending a table: preview, confirm, undo, and what everybody is shown of it."""

import json
from typing import Any

import pytest

from companion.engine.game import Refused
from companion.service.ports import Forbidden, KeyReused, Stale, TornJournal
from companion.service.table.amend import in_words
from companion.service.table.play_files import ledger_rows, play_file
from companion.service.table.table import Request, Table
from tests.engine.tiny_game import nut_game
from tests.fakes import FakeClock, FakeJournal
from tests.service.house_tables import NUTS, OPEN, REDO, UNDO, give, nut_table, position

Json = dict[str, Any]
GIVE: Json = {"do": "give", "from": "bank", "to": "ada", "amount": 5}
LOW: Json = {"do": "bid", "player": "ben", "amount": 4}
HIGH: Json = {"do": "bid", "player": "ada", "amount": 12}


def amend(seq: int, instead: Json | None = None, **more: Any) -> Json:
    return {"do": "amend", "seq": seq, "with": instead, **more}


def confirmed(seq: int, instead: Json | None = None, **more: Any) -> Json:
    return amend(seq, instead, confirm=True, **more)


@pytest.fixture
def sold() -> Table:
    """Ada was given 5 in entry 2, and could bid 12 for them in entry 5; she has the nut."""
    return nut_table(None, GIVE, OPEN, LOW, HIGH)


def previewed(table: Table, command: Json) -> Json:
    before = table.show("banker"), table.entries, table.journal("banker")
    preview = table.preview(Request(command, "banker", "tap", table.version))
    assert (table.show("banker"), table.entries, table.journal("banker")) == before
    assert json.loads(json.dumps(preview)) == preview
    return preview


def refuses(table: Table, command: Json) -> str:
    before = table.entries
    with pytest.raises(Refused) as previewing:
        table.preview(Request(command, "banker", "tap"))
    with pytest.raises(Refused) as amending:
        table.submit(Request(command, "banker", "test"))
    assert previewing.value.rule == amending.value.rule
    assert table.entries == before
    return amending.value.rule


# ------------------------------------------------------------------------------------------------ preview
def test_a_preview_says_what_changes_what_is_refused_and_whose_money_it_touches(sold: Table) -> None:
    preview = previewed(sold, amend(2))
    assert (preview["seq"], preview["with"], preview["version"]) == (2, None, 5)
    assert preview["changes"] == [
        {
            "seq": 2,
            "command": GIVE,
            "becomes": None,
            "before": [{"event": "Given", "from": "bank", "to": "ada", "amount": 5}],
            "after": [],
        }
    ]
    (refused,) = preview["refused"]
    assert (refused["seq"], refused["command"], refused["rule"]) == (5, HIGH, "bad_bid")
    assert refused["details"] == {"amount": 12, "least": 5, "most": 10}
    assert [event["event"] for event in refused["before"]] == ["BidRaised", "BidderLeft", "NutSold", "RoundBegan"]
    assert preview["money"] == {"ada": {"before": 3, "after": 10}, "ben": {"before": 10, "after": 10}}
    assert preview["position"]["auction"] == {"nut": "hazel", "bid": 4, "leader": "ben"}


def test_a_preview_of_a_replacement_says_what_the_entry_becomes(sold: Table) -> None:
    more = {**GIVE, "amount": 9}
    preview = previewed(sold, amend(2, more))
    (change,) = preview["changes"]
    assert (change["command"], change["becomes"]) == (GIVE, more)
    assert change["after"] == [{"event": "Given", "from": "bank", "to": "ada", "amount": 9}]
    assert preview["refused"] == []
    assert preview["money"]["ada"] == {"before": 3, "after": 7}


def test_later_entries_that_lead_to_something_else_are_changes_too(sold: Table) -> None:
    preview = previewed(sold, amend(2, {**GIVE, "amount": 20}))
    assert [change["seq"] for change in preview["changes"]] == [2]
    preview = previewed(sold, amend(4, {**LOW, "amount": 10}))
    assert [change["seq"] for change in preview["changes"]] == [4]
    assert preview["changes"][0]["becomes"]["amount"] == 10
    give(sold, {"do": "open_auction", "player": "ben", "nut": "acorn", "bid": 5})
    preview = previewed(sold, amend(5, {**HIGH, "amount": 5}))
    assert [entry["seq"] for entry in preview["refused"]] == [6]


def test_a_refusal_is_said_in_words(sold: Table) -> None:
    said = in_words(previewed(sold, amend(2)), lambda rule, details: f"{rule}: {details['most']}")
    assert [entry["refused"] for entry in said["refused"]] == ["bad_bid: 10"]


# ------------------------------------------------------------------------------------------------ refusals
@pytest.mark.parametrize(
    ("command", "rule"),
    [
        ({"do": "amend"}, "missing_field"),
        ({"do": "amend", "seq": 2}, "missing_field"),
        ({"do": "amend", "with": None}, "missing_field"),
        (amend(2, extra=1), "unknown_field"),
        ({"do": "amend", "seq": "2", "with": None}, "wrong_type"),
        ({"do": "amend", "seq": True, "with": None}, "wrong_type"),
        ({"do": "amend", "seq": 2.0, "with": None}, "wrong_type"),
        ({"do": "amend", "seq": 2, "with": []}, "wrong_type"),
        (amend(2, confirm="yes"), "wrong_type"),
        (amend(2, confirm=None), "wrong_type"),
        (amend(2, reason=7), "wrong_type"),
        (confirmed(0), "not_standing"),
        (confirmed(6), "not_standing"),
        (confirmed(10**20), "not_standing"),
        (confirmed(1), "start_stays"),
        (confirmed(1, NUTS), "nothing_amended"),
        (confirmed(2, GIVE), "nothing_amended"),
        (confirmed(2, {**GIVE, "amount": 999}), "cannot_pay"),
        (confirmed(2, {"do": "dance"}), "unknown_command"),
        (confirmed(2, UNDO), "unknown_command"),
        (confirmed(2, amend(3)), "unknown_command"),
        (confirmed(2, {}), "no_command"),
        (confirmed(2, NUTS), "started_already"),
    ],
)
def test_what_cannot_be_amended_is_refused_and_changes_nothing(sold: Table, command: Json, rule: str) -> None:
    assert refuses(sold, command) == rule


def test_what_is_not_confirmed_is_not_carried_out(sold: Table) -> None:
    for command in (amend(2), amend(2, confirm=False)):
        with pytest.raises(Refused, match="unconfirmed"):
            sold.submit(Request(command, "banker", "tap"))
    assert sold.version == 5


def test_before_the_start_there_is_nothing_to_amend() -> None:
    table = Table("t", nut_game(), FakeJournal(), FakeClock())
    assert refuses(table, confirmed(1)) == "not_started"


def test_only_a_banker_amends(sold: Table) -> None:
    with pytest.raises(Forbidden):
        sold.submit(Request(confirmed(3), "ada", "phone", 5))
    with pytest.raises(Forbidden):
        sold.preview(Request(amend(3), "ada", "tap", 5))


def test_who_has_not_seen_the_latest_entry_neither_previews_nor_amends(sold: Table) -> None:
    with pytest.raises(Stale):
        sold.submit(Request(confirmed(2), "banker", "tap", 4))
    with pytest.raises(Stale):
        sold.preview(Request(amend(2), "banker", "tap", 4))


def test_the_same_request_amends_once(sold: Table) -> None:
    first = sold.submit(Request(confirmed(2), "banker", "tap", 5, "k"))
    assert sold.submit(Request(confirmed(2), "banker", "tap", 5, "k")) == first
    with pytest.raises(KeyReused):
        sold.submit(Request(confirmed(3), "banker", "tap", 6, "k"))
    with pytest.raises(KeyReused):
        sold.preview(Request(amend(3), "banker", "tap", 6, "k"))


# ------------------------------------------------------------------------------------------------ carried out
def test_the_outcome_is_one_entry_that_says_what_stands(sold: Table) -> None:
    preview = previewed(sold, amend(2))
    give(sold, confirmed(2, reason="she was not given anything"))
    assert sold.version == 6
    assert sold.entries[-1].events == ({"event": "EntryAmended", "entry": 2, "left_out": [2, 5], "decided": []},)
    assert position(sold) == preview["position"]


def test_a_replaced_entry_is_written_down_with_its_command_and_events(sold: Table) -> None:
    more = {**GIVE, "amount": 9}
    give(sold, confirmed(2, more))
    assert sold.entries[-1].events[0]["decided"] == [
        {"entry": 2, "command": more, "events": [{"event": "Given", "from": "bank", "to": "ada", "amount": 9}]}
    ]
    assert position(sold)["players"]["ada"]["cash"] == 7


def test_undo_restores_the_position_exactly_and_redo_amends_again(sold: Table) -> None:
    before = sold.position
    give(sold, confirmed(2))
    after = sold.position
    give(sold, UNDO)
    assert sold.position == before
    give(sold, REDO)
    assert sold.position == after
    give(sold, UNDO, UNDO)
    assert position(sold)["auction"]["bid"] == 4


def test_after_a_restart_everything_is_as_it_was(sold: Table) -> None:
    give(sold, confirmed(2), UNDO, REDO, confirmed(4, {**LOW, "amount": 6}), UNDO)
    again = Table("again", nut_game(), FakeJournal(), FakeClock())
    again.load(sold.entries)
    assert (again.position, again.show("banker")) == (sold.position, sold.show("banker"))
    assert again.journal("banker") == sold.journal("banker")


def test_the_game_goes_on_from_what_stands(sold: Table) -> None:
    give(sold, confirmed(2), {"do": "bid", "player": "ada", "amount": 5})
    assert position(sold)["auction"]["leader"] == "ada"
    give(sold, confirmed(4, {**LOW, "amount": 5}))
    assert [entry["seq"] for entry in sold.journal("banker") if entry["undone"]] == [2, 5, 7]


def test_the_start_can_be_replaced(sold: Table) -> None:
    preview = previewed(sold, amend(1, {**NUTS, "players": ["ada", "ben", "cleo"]}))
    assert preview["money"]["cleo"] == {"before": None, "after": 10}
    give(sold, confirmed(1, {**NUTS, "players": ["ada", "ben", "cleo"]}))
    assert set(position(sold)["players"]) == {"ada", "ben", "cleo"}


@pytest.mark.parametrize(
    "event",
    [
        {"event": "EntryAmended"},
        {"event": "EntryAmended", "entry": 9, "left_out": [], "decided": []},
        {"event": "EntryAmended", "entry": 2, "left_out": [1], "decided": []},
        {"event": "EntryAmended", "entry": 1, "left_out": [1, 2, 3, 4, 5], "decided": []},
        {"event": "EntryAmended", "entry": 2, "left_out": [], "decided": [{"entry": 2}]},
        {"event": "EntryAmended", "entry": 2, "left_out": [], "decided": [{"entry": 2, "events": [{"event": "x"}]}]},
    ],
)
def test_a_torn_amend_is_told_by_its_number(sold: Table, event: Json) -> None:
    give(sold, confirmed(2))
    *entries, last = sold.entries
    torn = type(last)(last.seq, last.at, last.actor, last.source, last.command, (event,))
    with pytest.raises(TornJournal, match="entry 6 cannot be read"):
        Table("again", nut_game(), FakeJournal(), FakeClock()).load([*entries, torn])


# ------------------------------------------------------------------------------------------------ journal, exports
def test_the_journal_says_of_each_entry_what_has_become_of_it(sold: Table) -> None:
    give(sold, confirmed(2, {**GIVE, "amount": 1}))
    entries = sold.journal("banker")
    assert entries[1]["command"] == GIVE
    assert entries[1]["amended"] == {
        "by": 6,
        "command": {**GIVE, "amount": 1},
        "events": [{"event": "Given", "from": "bank", "to": "ada", "amount": 1}],
    }
    assert entries[4]["amended"] == {"by": 6, "command": None, "events": None}
    assert [entry["seq"] for entry in entries if "amended" in entry] == [2, 5]
    assert [entry["seq"] for entry in entries if entry["undone"]] == [5]
    give(sold, UNDO)
    entries = sold.journal("banker")
    assert [entry["seq"] for entry in entries if entry["undone"]] == [6]
    assert not any("amended" in entry for entry in entries)


def test_a_play_file_of_an_amended_game_holds_what_stands_and_decides_to_the_same_position(sold: Table) -> None:
    give(sold, confirmed(2), {"do": "bid", "player": "ada", "amount": 5}, UNDO)
    lines = [json.loads(line) for line in play_file(sold)]
    assert lines == [NUTS, OPEN, LOW]
    again = Table("again", nut_game(), FakeJournal(), FakeClock())
    give(again, *lines)
    assert again.position is not None
    assert again.show("banker")["position"] == sold.show("banker")["position"]


def test_the_ledger_takes_back_what_no_longer_stands_and_makes_what_does(sold: Table) -> None:
    give(sold, confirmed(2, {**GIVE, "amount": 1}))
    rows = [row for row in ledger_rows(sold) if row["seq"] == 6]
    assert [(row["event"], row["account"], row["amount"]) for row in rows] == [
        ("EntryAmended NutSold", "bank", -12),
        ("EntryAmended NutSold", "player:ada", 12),
        ("EntryAmended Given", "player:ada", -5),
        ("EntryAmended Given", "bank", 5),
        ("Given", "bank", -1),
        ("Given", "player:ada", 1),
    ]
    give(sold, UNDO, REDO)
    last = {row["account"]: row["balance"] for row in ledger_rows(sold)}
    assert last["player:ada"] == position(sold)["players"]["ada"]["cash"] == 11
    assert last["bank"] == position(sold)["bank"]
