"""Teaching a box over the HTTP interface: for the banker, kept at every answer, finished with all faults or none."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.game_api.guard import PARTS, guard
from companion.service.access.logins import Caller
from companion.service.services import Services
from tests.service.taught import printed

BOXES = "/api/v1/boxes"
W01 = {"type": "MC", "wage": 5_000, "quirks": ["S"]}


@pytest.fixture
def box(banker: FlaskClient) -> str:
    """The address of a box that was just begun."""
    answer = banker.post(BOXES, json={"game": "master_builder", "name": "Our box"})
    assert answer.status_code == 201
    return f"{BOXES}/{json_of(answer)['id']}"


def json_of(answer: Any) -> dict[str, Any]:
    assert answer.json is not None
    return dict(answer.json)


def test_a_box_is_begun_taught_and_listed(banker: FlaskClient, box: str) -> None:
    answer = json_of(banker.put(f"{box}/cards/W01", json=W01))

    assert answer["cards"] == {"W01": W01}
    assert (answer["taught"], answer["of"], answer["next"], answer["faults"]) == (1, 79, "W02", [])
    brief = {"id": "our-box", "game": "master_builder", "name": "Our box", "catalog": None, "taught": 1, "of": 79}
    assert json_of(banker.get(BOXES)) == {"boxes": [brief]}
    assert json_of(banker.delete(f"{box}/cards/W01"))["cards"] == {}


def test_a_whole_box_becomes_a_catalog_and_an_unfinished_one_says_what_is_missing(
    banker: FlaskClient, box: str, tmp_path: Path
) -> None:
    refused = banker.post(f"{box}/catalog", json={})
    assert refused.status_code == 422
    assert "40 [[worker]] tables belong in the box, here are 0: add 40" in [
        fault["detail"] for fault in json_of(refused)["faults"]
    ]

    for card, values in printed("master_builder").items():
        assert banker.put(f"{box}/cards/{card}", json=values).status_code == 200

    assert json_of(banker.post(f"{box}/catalog", json={}))["catalog"] == "our-box"
    assert (tmp_path / "catalogs" / "our-box.toml").exists()


def test_a_box_is_renamed_and_deleted(banker: FlaskClient, box: str) -> None:
    second = json_of(banker.post(BOXES, json={"game": "master_builder", "name": "Our box"}))
    assert second["name"] == "Our box 2"

    assert json_of(banker.put(f"{box}/name", json={"name": "Grandma's"}))["name"] == "Grandma's"
    refused = banker.put(f"{box}/name", json={"name": " "})
    assert (refused.status_code, json_of(refused)["field"]) == (422, "name")
    assert banker.put(f"{BOXES}/none/name", json={"name": "Box"}).status_code == 404

    assert banker.delete(f"{BOXES}/{second['id']}").status_code == 204
    assert [kept["name"] for kept in json_of(banker.get(BOXES))["boxes"]] == ["Grandma's"]


@pytest.mark.game_mistakes
def test_a_box_about_which_its_game_cannot_ask_is_listed_and_its_page_says_so(
    banker: FlaskClient, box: str, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a box with a card, and a game that makes a mistake where it is asked about cards
    assert banker.put(f"{box}/cards/W01", json=W01).status_code == 200
    assert services.boxes is not None
    teaching = services.boxes.teaches(services.boxes.get("our-box"))
    monkeypatch.setattr(teaching, "fields", guard("nuts", "fields", mistake, PARTS["teaching"]["fields"]))

    # when it is listed and opened, then nothing is lost and the page says what to do
    assert [kept["taught"] for kept in json_of(banker.get(BOXES))["boxes"]] == [1]
    assert "Our box" in banker.get("/boxes").text
    page = banker.get("/boxes/our-box?lang=en", headers={"Accept": "text/html"})
    assert page.status_code == 422
    assert "<h1>The game itself has made a mistake here</h1>" in page.text
    assert "Nothing was recorded" in page.text
    answer = banker.put(f"{box}/cards/W02", json=W01)
    assert (answer.status_code, json_of(answer)["rule"]) == (422, "game_mistake")


@pytest.mark.game_mistakes
def test_a_card_that_its_game_cannot_draw_is_previewed_in_words(
    banker: FlaskClient, box: str, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a card that is drawn while it is taught
    assert box
    address = "/boxes/our-box/cards/W01/preview"
    assert "<svg" in banker.post(address, json=W01).text

    # when its game makes a mistake in drawing it, then what is said of it stands alone
    assert services.boxes is not None
    game = services.boxes.games["master_builder"]
    drawings = SimpleNamespace(front=mistake)
    monkeypatch.setattr(services.boxes, "games", {game.name: replace(game, drawings=lambda: drawings)})
    answer = banker.post(address, json=W01)
    assert (answer.status_code, "<svg" in answer.text) == (200, False)


def mistake(*_: Any) -> Any:
    raise ZeroDivisionError("no nuts")


def test_a_box_that_was_begun_twice_by_a_lost_answer_is_one(banker: FlaskClient) -> None:
    begin = {"game": "men_at_work", "name": "Site"}
    first, second = (banker.post(BOXES, json=begin, headers={"Idempotency-Key": "k1"}) for _ in range(2))
    assert json_of(first) == json_of(second)
    assert len(json_of(banker.get(BOXES))["boxes"]) == 1


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "kind"),
    [
        ("post", "", {"game": "chess", "name": "x"}, 422, "unteachable"),
        ("post", "", {"game": "master_builder"}, 400, "malformed"),
        ("post", "", {"game": "master_builder", "name": 7}, 400, "malformed"),
        ("post", "", {"game": "master_builder", "name": "x" * 99}, 422, "unteachable"),
        ("get", "/nowhere", None, 404, "not_found"),
        ("delete", "/nowhere", None, 404, "not_found"),
        ("put", "/our-box/cards/W99", W01, 404, "not_found"),
        ("put", "/nowhere/cards/W01", W01, 404, "not_found"),
        ("delete", "/our-box/cards/X", None, 404, "not_found"),
        ("put", "/our-box/cards/W01", {**W01, "wage": 5_500}, 422, "unteachable"),
        ("put", "/our-box/cards/W01", {**W01, "name": "<b>Ada</b>"}, 422, "unteachable"),
        ("put", "/our-box/cards/W01", [], 400, "malformed"),
        ("post", "/nowhere/catalog", {}, 404, "not_found"),
    ],
)
@pytest.mark.usefixtures("box")
def test_what_cannot_be_is_a_problem_and_changes_nothing(
    banker: FlaskClient, method: str, path: str, body: Any, status: int, kind: str
) -> None:
    answer = banker.open(BOXES + path, method=method.upper(), json=body)

    assert answer.status_code == status
    assert json_of(answer)["type"].endswith(kind)
    assert json_of(banker.get(f"{BOXES}/our-box"))["taught"] == 0


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        ("en", "There are 20 boxes already, and no more fit. Delete one first."),
        ("de", "Es gibt schon 20 Schachteln, und mehr passen nicht. Lösch zuerst eine."),
        ("fr", "Il y a déjà 20 boîtes, et il n\u2019y a pas de place pour une autre. Supprimes-en d\u2019abord une."),
    ],
)
def test_one_box_too_many_is_refused_in_words(banker: FlaskClient, wish: str, sentence: str) -> None:
    begin = {"game": "men_at_work", "name": "Site"}
    assert {banker.post(BOXES, json=begin).status_code for _ in range(20)} == {201}

    refused = banker.post(f"{BOXES}?lang={wish}", json=begin)

    assert refused.status_code == 422
    assert (json_of(refused)["field"], json_of(refused)["detail"]) == ("boxes", sentence)


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        ("en", "A box needs a name of at most 40 letters that can be read."),
        ("fr", "Une boîte a besoin d’un nom lisible de 40 caractères au plus."),  # noqa: RUF001
        ("de", "Eine Schachtel braucht einen lesbaren Namen mit höchstens 40 Zeichen."),
    ],
)
def test_a_name_that_is_none_is_refused_in_words(banker: FlaskClient, box: str, wish: str, sentence: str) -> None:
    begun = banker.post(f"/api/v1/boxes?lang={wish}", json={"game": "master_builder", "name": " "})
    renamed = banker.put(f"{box}/name?lang={wish}", json={"name": "x" * 41})

    assert begun.get_json()["detail"] == renamed.get_json()["detail"] == sentence


def test_players_and_strangers_teach_nothing(
    as_caller: Callable[[Caller], FlaskClient], stranger: FlaskClient, table: str
) -> None:
    player = as_caller(Caller("player", "blue", table.rsplit("/", 1)[-1]))
    assert player.get(BOXES).status_code == 403
    assert player.post(BOXES, json={"game": "master_builder", "name": "x"}).status_code == 403
    assert player.get("/boxes").status_code == 302
    assert stranger.get(BOXES).status_code == 401


def test_the_pages_show_boxes_cards_and_what_a_card_does(banker: FlaskClient, box: str) -> None:
    page = banker.get("/boxes").get_data(as_text=True)
    assert "Our box" in page

    page = banker.get("/boxes/our-box?card=E05").get_data(as_text=True)
    assert 'data-card="E05"' in page

    effects = [{"do": "wage_change", "type": ["A", "T"], "amount": -1_000, "lasting": "game"}]
    values = {"effects": effects, "name": "<b>Fair</b>", "text": "..."}
    shown = banker.post("/boxes/our-box/cards/E05/preview", json=values).get_data(as_text=True)
    said = "$1,000 less in wages until the end for all of each player\u2019s Apprentices and Tradesmen."
    assert said in shown
    assert "&lt;b&gt;Fair&lt;/b&gt;" in shown
    assert banker.get("/boxes/our-box/cards/E99").status_code == 404
    assert banker.post("/boxes/nowhere/cards/E05/preview", json=values).status_code == 404
    assert banker.get("/boxes/nowhere").headers["Location"] == "/boxes"
    assert banker.post(f"{box.replace('/api/v1', '')}/cards/E05/preview", json={}).get_data(as_text=True).strip() == ""


@pytest.mark.parametrize("language", ["en", "fr", "de"])
@pytest.mark.parametrize("game", ["master_builder", "men_at_work"])
def test_every_card_of_every_game_is_asked_in_every_language(banker: FlaskClient, game: str, language: str) -> None:
    banker.post(BOXES, json={"game": game, "name": "Box"})
    for card in list(printed(game))[::7]:
        page = banker.get(f"/boxes/box/cards/{card}?lang={language}")
        assert page.status_code == 200
        assert f'data-card="{card}"' in page.get_data(as_text=True)
