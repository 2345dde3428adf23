"""The sheet by which an entry of the journal is put right, as the tablet gets it."""

import json
import re
from collections.abc import Callable
from itertools import cycle
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from companion.service.table.registry import Tables
from companion.service.table.table import Request, Table
from companion.words import LANGUAGES
from tests.web_pages.conftest import At
from tests.web_pages.markup import flat
from tests.web_pages.whole_games import house_moments, moments

Json = dict[str, Any]
NAMES = [moment.name for moment in (*moments(), *house_moments())]

WITHOUT_FORM = {"plan", "pass", "choose_sections", "take_over"}
"""Commands whose fields are no simple ones: what may stand in their place is offered otherwise."""


CANNOT_CHANGE = "disabled>Change …</button>"


def sheet(client: FlaskClient, table: str, seq: int, instead: Any = ..., **query: str) -> str:
    asked = {} if instead is ... else {"instead": json.dumps(instead)}
    answer = client.get(
        f"/tables/{table}/live", query_string={"part": "amend", "seq": seq, "lang": "en", **asked, **query}
    )
    assert answer.status_code == 200, answer.status
    return flat(answer)


def journal(client: FlaskClient, table: str) -> str:
    answer = client.get(f"/tables/{table}/live", query_string={"part": "journal", "lang": "en"})
    return flat(answer)


def first(table: Table, do: str) -> tuple[int, Json]:
    entry = next(entry for entry in table.entries if entry.command["do"] == do)
    return entry.seq, dict(entry.command)


@pytest.fixture
def hired(tables: Tables, moment: At) -> Table:
    """A table in round 2."""
    return tables.get(moment("later_hire")[0])


def test_every_standing_entry_of_the_journal_can_be_put_right(banker: FlaskClient, hired: Table) -> None:
    html = journal(banker, hired.id)
    assert [int(seq) for seq in re.findall(r'data-sheet="amend" data-seq="(\d+)"', html)] == list(
        range(hired.version, 0, -1)
    )


def test_what_is_undone_and_undoing_itself_cannot(banker: FlaskClient, hired: Table) -> None:
    version = hired.version
    hired.submit(Request({"do": "undo"}, "banker", "test"))
    html = journal(banker, hired.id)
    assert f'data-sheet="amend" data-seq="{version}"' not in html
    assert f'data-sheet="amend" data-seq="{version + 1}"' not in html
    for seq in (version, version + 1, 0, 999):
        assert "This entry is no longer in force." in sheet(banker, hired.id, seq)


def test_only_the_banker_is_offered_it(as_caller: Callable[[Caller], FlaskClient], hired: Table) -> None:
    phone = as_caller(Caller("player", "blue", hired.id))
    assert 'data-sheet="amend"' not in journal(phone, hired.id)
    assert phone.get(f"/tables/{hired.id}/live?part=amend&seq=2").status_code == 404
    guest = as_caller(Caller("spectator", table=hired.id))
    assert guest.get(f"/tables/{hired.id}/live?part=amend&seq=2").status_code == 403


def test_the_form_holds_what_the_entry_says(banker: FlaskClient, hired: Table) -> None:
    seq, command = first(hired, "hire_worker")
    html = sheet(banker, hired.id, seq)
    assert f'value="{command["worker"]}" selected' in html
    assert f'name="player" value="{command["player"]}" checked' in html
    assert """data-send='{"do":"hire_worker"}'""" in html
    assert 'data-preview="null"' in html
    assert "confirm" not in html


def test_the_start_can_be_changed_but_not_left_out(banker: FlaskClient, hired: Table) -> None:
    html = sheet(banker, hired.id, 1)
    assert 'data-preview="null"' not in html
    assert 'name="first"' in html


def test_a_preview_says_what_changes_and_why_things_are_refused(banker: FlaskClient, hired: Table) -> None:
    before = hired.show("banker"), hired.entries
    seq, command = first(hired, "hire_worker")
    taken = next(entry.command["worker"] for entry in hired.entries[seq:] if entry.command["do"] == "hire_worker")
    html = sheet(banker, hired.id, seq, {**command, "worker": taken})
    assert "no longer possible" in html
    assert f"{taken} works for" in html
    assert '"confirm":true' in html
    assert "Money" in html
    assert "Then it goes on" in html
    assert (hired.show("banker"), hired.entries) == before


def test_leaving_out_is_previewed_too(banker: FlaskClient, hired: Table) -> None:
    html = sheet(banker, hired.id, hired.version, None)
    assert "Removed" in html
    assert "Everything after it stays the same." in html
    assert f'{{"do":"amend","seq":{hired.version},"with":null,"confirm":true}}' in html


def test_a_replacement_that_the_rules_refuse_is_said_and_can_be_changed(banker: FlaskClient, hired: Table) -> None:
    seq, command = first(hired, "hire_worker")
    html = sheet(banker, hired.id, seq, {**command, "player": "red" if command["player"] == "blue" else "blue"})
    assert "It is not" in html
    assert "data-preview-form" in html
    assert "Nothing would change." in sheet(banker, hired.id, seq, command)


def test_a_replacement_that_reads_the_same_says_so(banker: FlaskClient, hired: Table) -> None:
    wrong = {"do": "correct_money", "from": "bank", "to": "blue", "amount": 1_000, "reason": "paid twice"}
    hired.submit(Request({"do": "count_cash", "player": "blue", "amount": 0}, "banker", "test"))
    seq, command = first(hired, "count_cash")
    hired.submit(Request(wrong, "banker", "test"))
    html = sheet(banker, hired.id, seq, {"do": "pass", "player": "nobody"})
    assert "data-preview-form" in html
    assert 'name="amount" value="0"' in html
    again = sheet(banker, hired.id, seq, {**command, "amount": 5_000})
    assert "counts $5,000" in again


def test_what_was_tried_is_kept_when_one_goes_back(banker: FlaskClient, hired: Table) -> None:
    seq, command = first(hired, "hire_worker")
    draft = json.dumps({**command, "worker": "W39"})
    assert 'value="W39" selected' in sheet(banker, hired.id, seq, instead="", draft=draft)
    for broken in ("{", "7", "[]", '"x"'):
        assert "data-preview-form" in sheet(banker, hired.id, seq, draft=broken)


def test_the_journal_tells_what_was_put_right(banker: FlaskClient, hired: Table) -> None:
    seq, command = first(hired, "hire_worker")
    taken = next(entry for entry in hired.entries[seq:] if entry.command["do"] == "hire_worker")
    instead = {**command, "worker": taken.command["worker"]}
    amend = {"do": "amend", "seq": seq, "with": instead, "confirm": True}
    hired.submit(Request(amend, "banker", "test"))
    html = journal(banker, hired.id)
    assert "Corrected: " in html
    assert "later entries removed" in html
    assert '<span class="tag">corrected</span>' in html
    assert '<span class="tag">removed</span>' in html
    assert f'data-sheet="amend" data-seq="{taken.seq}"' not in html
    assert f'value="{taken.command["worker"]}" selected' in sheet(banker, hired.id, seq)
    hired.submit(Request({"do": "undo"}, "banker", "test"))
    html = journal(banker, hired.id)
    assert "Undone: Corrected: " in html
    assert '<span class="tag">corrected</span>' not in html


def test_an_amend_that_left_out_alone_is_told(banker: FlaskClient, hired: Table) -> None:
    amend = {"do": "amend", "seq": hired.version, "with": None, "confirm": True}
    hired.submit(Request(amend, "banker", "test"))
    assert '<p class="after">Removed</p>' in journal(banker, hired.id)


@pytest.mark.parametrize("name", NAMES)
def test_every_entry_of_every_game_has_its_sheet_in_every_language(
    banker: FlaskClient, tables: Tables, seen: At, name: str
) -> None:
    banker.set_cookie("banker", "1")  # where money is hidden, who puts things right is the banker
    table = tables.get(seen(name)[0])
    kinds: dict[str, int] = {entry.command["do"]: entry.seq for entry in table.entries}
    for language, (do, seq) in zip(cycle(LANGUAGES), kinds.items(), strict=False):
        html = sheet(banker, table.id, seq, lang=language)
        assert ('class="stepper"' in html or "people-choice" in html or "<select" in html) or do in WITHOUT_FORM
        assert 'id="sheet-title"' in sheet(banker, table.id, seq, None, lang=language)


def planned(tables: Tables, moment: At) -> Table:
    """A table at which the best plans that there were have been carried out."""
    table = tables.get(moment("build")[0])
    for player in table.show("banker")["position"]["waiting_for"]:
        table.submit(Request(table.advice.suggestion("banker", player)["command"], "banker", "test"))
    return table


def plans(table: Table) -> list[tuple[int, Json]]:
    return [
        (entry.seq, dict(entry.command))
        for entry in table.entries
        if entry.command["do"] == "plan" and entry.command["work"]
    ]


def test_a_plan_is_replaced_on_the_planning_page_as_the_table_stood_then(
    banker: FlaskClient, tables: Tables, moment: At
) -> None:
    # given a plan of the round before, under which something was built
    built = planned(tables, moment)
    seq, command = plans(built)[-1]
    html = sheet(banker, built.id, seq)
    assert 'id="plan"' in html
    assert f"data-work='{json.dumps(command['work'], separators=(',', ':'))}'" in html
    workers = [worker for sections in command["work"].values() for team in sections.values() for worker in team]
    assert all(f'data-worker="{worker}"' in html for worker in workers)

    # when one worker is taken off it, the sheet says what stands against that, or what it would be
    contract, sections = next(iter(command["work"].items()))
    fewer = {contract: dict(list(sections.items())[1:])} if len(sections) > 1 else {}
    draft = sheet(banker, built.id, seq, work=json.dumps(fewer), chosen=workers[0])
    assert f'data-chosen="{workers[0]}"' in draft

    # and a plan that cannot be carried out is not offered, one that can is
    section, team = next(iter(sections.items()))
    torn = {contract: {**sections, section: [*team, *team]}}
    assert CANNOT_CHANGE not in sheet(banker, built.id, seq)
    assert CANNOT_CHANGE in sheet(banker, built.id, seq, work=json.dumps(torn))

    # when nothing is to be built, the preview tells both plans and what becomes of the money
    nothing = sheet(banker, built.id, seq, {**command, "work": {}})
    assert '<p class="was">' in nothing
    assert "builds nothing" in nothing
    assert f'"seq":{seq},"with":{{"do":"plan"' in nothing


def test_a_plan_that_is_still_secret_is_its_players_to_replace(banker: FlaskClient, tables: Tables, moment: At) -> None:
    table = tables.get(moment("build")[0])
    player = next(offer["player"] for offer in table.show("banker")["offers"] if offer["do"] == "plan")
    table.submit(Request({"do": "plan", "player": player, "work": {}}, "banker", "test"))
    html = sheet(banker, table.id, table.version)
    assert "This plan is secret until everyone has planned." in html
    assert 'id="plan"' not in html


def test_whoever_passed_could_have_done_something_else(banker: FlaskClient, hired: Table) -> None:
    seq, command = first(hired, "pass")
    html = sheet(banker, hired.id, seq)
    assert "Replace it" in html
    sent = re.findall(r"data-send='(\{[^']*\})' data-preview-form aria-label", html)
    assert sent
    assert all(json.loads(text)["do"] != "pass" for text in sent)

    # and what is chosen there is previewed like any other change
    other = json.loads(sent[0])
    amount = int(re.findall(r'name="amount" value="(\d+)"', html)[0]) if other["do"] == "bid" else 0
    assert (other["do"], other["player"]) == ("bid", command["player"])
    assert f"bids ${amount:,}" in sheet(banker, hired.id, seq, {**other, "amount": amount})


def test_a_correction_of_the_turn_can_be_changed_in_what_it_says(banker: FlaskClient, hired: Table) -> None:
    turn = {"do": "correct_turn", "phase": "build", "round": 2, "waiting_for": "blue", "reason": "as it was"}
    hired.submit(Request(turn, "banker", "test"))
    html = sheet(banker, hired.id, hired.version)
    assert '<option value="build" selected>' in html
    assert '<select name="round" data-kind="amount">' in html
    assert '<option value="2" selected>' in html
    assert 'name="waiting_for" value="blue" checked' in html
    assert 'name="start_player"' not in html
    hired.submit(Request({"do": "undo"}, "banker", "test"))
    hired.submit(Request({**turn, "waiting_for": ["blue", "red"]}, "banker", "test"))
    several = sheet(banker, hired.id, hired.version)
    assert 'type="checkbox" name="waiting_for" value="red" data-kind="list" checked' in several


@pytest.mark.parametrize("name", NAMES)
def test_no_kind_of_entry_is_without_a_form_or_an_honest_sentence(
    banker: FlaskClient, tables: Tables, seen: At, name: str
) -> None:
    banker.set_cookie("banker", "1")  # where money is hidden, who puts things right is the banker
    table = tables.get(seen(name)[0])
    kinds: dict[str, int] = {entry.command["do"]: entry.seq for entry in table.entries}
    for seq in kinds.values():
        html = sheet(banker, table.id, seq)
        replaced = 'class="field"' in html or "people-choice" in html or 'id="plan"' in html or "pick-list" in html
        assert replaced or "nothing simple to change" in html or "is secret until" in html or "others-then" in html
