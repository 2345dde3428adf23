"""Amending in a play file: without ``confirm`` a preview, with it an entry."""

from tests.cli.test_play import HIRE, START, in_process, lines

SECOND = {"do": "hire_worker", "player": "yellow", "worker": "W08"}
INSTEAD = {**HIRE, "worker": "W08"}
AMEND = {"do": "amend", "seq": 2, "with": INSTEAD}


def test_a_preview_is_printed_and_nothing_has_changed() -> None:
    code, result = in_process("--positions", "--strict", given=lines(START, HIRE, SECOND, AMEND))
    assert code == 0
    assert set(result[3]) == {"line", "preview", "position"}
    assert result[3]["position"] == result[2]["position"] == result[-1]["position"]
    preview = result[3]["preview"]
    assert preview["refused"][0]["rule"] == "worker_taken"
    assert "works for Zoë" in preview["refused"][0]["refused"]
    assert preview["position"]["players"]["blue"]["workers"] == ["W08"]


def test_confirmed_it_is_an_entry_and_undo_takes_it_back() -> None:
    confirmed = {**AMEND, "confirm": True}
    code, result = in_process(
        "--positions", "--strict", given=lines(START, HIRE, SECOND, AMEND, confirmed, {"do": "undo"})
    )
    assert code == 0
    assert (result[4]["line"], result[4]["seq"]) == (5, 4)
    assert [event["event"] for event in result[4]["events"]] == ["EntryAmended"]
    assert result[4]["position"] == result[3]["preview"]["position"]
    assert result[5]["position"] == result[2]["position"]


def test_what_cannot_be_amended_is_refused_in_words() -> None:
    wrong = [{**AMEND, "seq": 1, "with": None}, {**AMEND, "seq": 7}, {"do": "amend", "seq": 2}, {**AMEND, "confirm": 1}]
    code, result = in_process("--strict", given=lines(START, HIRE, *wrong))
    assert code == 1
    assert [item["rule"] for item in result[2:-1]] == ["start_stays", "not_standing", "missing_field", "wrong_type"]
    assert result[2]["refused"] == "The start of the game can be changed, but not removed."
