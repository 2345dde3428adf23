# ruff: noqa: RUF001
"""Names of players in every game, by whatever way they come: the start, a change, a play file."""

import json
import unicodedata
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from companion.adapters.journal.memory import InMemoryJournal
from companion.bootstrap import load_bundled_catalog
from companion.bootstrap.games import load_game
from companion.engine import readable
from companion.engine.game import Refused
from companion.engine.readable import LONGEST_NORMALIZED
from companion.service.table.registry import Tables
from companion.service.table.table import Request
from companion.web.http.endpoint import MOST_COMMAND_BYTES
from companion.words import LANGUAGES, Words
from tests.cli.running import companion
from tests.extent import in_check
from tests.opened import installed_games
from tests.scenario import StoppedClock

Json = dict[str, Any]
SEATS = {"master_builder": ("blue", "yellow"), "men_at_work": ("blue", "yellow"), "monopoly_builder": ("red", "yellow")}
PERSIAN = "علی\u200cرضا"
each_game = pytest.mark.parametrize("game", SEATS)
each_wrong = pytest.mark.parametrize(
    ("taken", "wish", "rule"),
    [
        ("Ada", "Ada", "names_alike"),
        ("Ada", "\u0410d\u0430", "names_alike"),
        ("Zoë", "Zoe\u0308", "names_alike"),
        ("Ada", "Ada\u3164", "names_alike"),
        ("Ada", "\u3164", "name_unseen"),
        ("Ada", "\u200d", "name_unseen"),
        ("Ada", "A\u200bda", "name_unseen"),
        ("Ada", " ", "name_length"),
    ],
)


@pytest.fixture(scope="module")
def tables() -> Tables:
    numbers = count(1)
    manifests = (installed_games().manifest(name) for name in SEATS)
    games = {each.name: load_game(each, {"house": load_bundled_catalog(each)}) for each in manifests}
    return Tables(games, InMemoryJournal(), StoppedClock(), lambda: f"t{next(numbers)}", list)


def start(game: str, first: str, second: str | None) -> Json:
    first_seat, second_seat = SEATS[game]
    named = {} if second is None else {"name": second}
    players = [{"id": first_seat, "name": first}, {"id": second_seat, **named}]
    return {"do": "start_game", "game": game, "first": first_seat, "players": players}


def ask(command: Json) -> Request:
    return Request(command, "banker", "tap")


@each_game
@each_wrong
def test_a_game_does_not_begin_with_such_a_name(tables: Tables, game: str, taken: str, wish: str, rule: str) -> None:
    with pytest.raises(Refused) as refused:
        tables.start(ask(start(game, taken, wish)))

    assert refused.value.rule == rule


@each_game
def test_names_as_long_as_a_body_may_be_are_refused_at_once(
    tables: Tables, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a name of half a million marks, whose normal form would take minutes
    def counting(form: Any, text: str) -> str:
        assert len(text) <= LONGEST_NORMALIZED
        return unicodedata.normalize(form, text)

    monkeypatch.setattr(readable, "normalize", counting)
    endless = "A" + "\u0301\u0316" * 240_000
    assert len(json.dumps(start(game, endless, None), ensure_ascii=False).encode()) < MOST_COMMAND_BYTES

    # then no start, no renaming and no position taken over normalises it
    with pytest.raises(Refused, match="name_length"):
        tables.start(ask(start(game, endless, None)))
    table = tables.start(ask(start(game, "Ada", "Ben")))
    with pytest.raises(Refused):
        table.submit(ask({"do": "rename_player", "player": SEATS[game][1], "name": endless}))
    assert table.position is not None
    position = json.loads(json.dumps(table.game.rules.view(table.position, "banker")))
    position["players"][SEATS[game][1]]["name"] = endless
    with pytest.raises(Refused) as refused:
        tables.start(ask({"do": "take_over", "position": position, "reason": "begun without"}))
    assert "name_length" in str((refused.value.rule, refused.value.details))


@each_game
@each_wrong
def test_nobody_is_renamed_so(tables: Tables, game: str, taken: str, wish: str, rule: str) -> None:
    table = tables.start(ask(start(game, taken, "Ben")))

    with pytest.raises(Refused) as refused:
        table.submit(ask({"do": "rename_player", "player": SEATS[game][1], "name": wish}))

    assert refused.value.rule == rule
    assert table.names()[SEATS[game][1]] == "Ben"


@each_game
@each_wrong
def test_no_game_is_taken_over_with_such_a_name(tables: Tables, game: str, taken: str, wish: str, rule: str) -> None:
    # given a position as it is shown, in which somebody is called so
    position = tables.start(ask(start(game, "Ada", "Ben"))).position_json("banker")
    assert position is not None
    for seat, name in zip(SEATS[game], (taken, wish), strict=True):
        position["players"][seat]["name"] = name

    # when it is taken over, then that is among its faults
    with pytest.raises(Refused) as refused:
        tables.start(ask({"do": "take_over", "position": position}))
    faults = refused.value.details.get("faults", ())
    assert rule in {refused.value.rule, *(fault["rule"] for fault in faults)}  # type: ignore[union-attr, index]


@each_game
def test_joiners_are_letters_and_ones_own_name_may_be_written_anew(tables: Tables, game: str) -> None:
    table = tables.start(ask(start(game, PERSIAN, "👩\u200d💻")))
    assert list(table.names().values()) == [PERSIAN, "👩\u200d💻"]

    table.submit(ask({"do": "rename_player", "player": SEATS[game][0], "name": PERSIAN.replace("\u200c", "")}))

    assert table.names()[SEATS[game][0]] == PERSIAN.replace("\u200c", "")


@each_game
def test_who_was_not_named_has_a_name_that_nobody_else_takes(tables: Tables, game: str) -> None:
    unnamed = list(tables.start(ask(start(game, "Ada", None))).names().values())[1]

    with pytest.raises(Refused, match="names_alike"):
        tables.start(ask(start(game, unnamed, None)))


def test_a_seat_is_not_handed_to_somebody_of_the_same_name(tables: Tables) -> None:
    table = tables.start(ask(start("master_builder", "Ada", "Ben")))

    with pytest.raises(Refused, match="names_alike"):
        table.submit(ask({"do": "replace_player", "player": "yellow", "name": "Ada"}))


@pytest.mark.slow
@pytest.mark.parametrize("game", in_check(SEATS, "monopoly_builder"))
def test_a_play_file_is_refused_in_words(game: str, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    rename = {"do": "rename_player", "player": SEATS[game][1], "name": "\u3164"}
    lines = [start(game, "Ada", "Ada"), start(game, "Ada", "Ben"), rename]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")

    answers = companion("play", file).json

    assert "Ada looks like a name already" in answers[0]["refused"]
    assert answers[1]["seq"] == 1
    assert "visible letters" in answers[2]["refused"]


@each_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_refusal_has_its_sentence(game: str, language: str) -> None:
    words = Words(language, installed_games().manifest(game))

    assert "Zoë" in words.refusal("names_alike", {"name": "Zoë"}, {})
    assert words.refusal("name_unseen", {}, {}) != "name unseen"
