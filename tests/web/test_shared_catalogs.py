"""Catalogs as files over the HTTP interface: saved, taken in, copied, compared; for the banker alone."""

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.bootstrap.catalog_sharing import CatalogFiles
from companion.games.master_builder.cards.reading import MasterBuilderCards
from companion.service.access.logins import Caller
from companion.service.services import Services
from companion.web import create_app
from tests.opened import installed_games
from tests.waiting import PATIENCE_S

CATALOGS = "/api/v1/catalogs"
HOUSE = f"{CATALOGS}/master_builder/house"
TOML = {"Content-Type": "application/toml"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "catalogs"


@pytest.fixture
def app(services: Services, folder: Path) -> Flask:
    return create_app(replace(services, shared_catalogs=CatalogFiles(installed_games(), folder)))


def named(banker: FlaskClient) -> dict[str, dict[str, object]]:
    listed = banker.get(CATALOGS).json
    assert listed is not None
    return {f"{catalog['game']}/{catalog['name']}": catalog for catalog in listed["catalogs"]}


def test_a_catalog_that_was_saved_is_taken_in_elsewhere_and_is_the_same(banker: FlaskClient, folder: Path) -> None:
    # given the file of a catalog
    saved = banker.get(f"{HOUSE}.toml")
    assert saved.mimetype == "application/toml"
    assert 'filename="house.toml"' in saved.headers["Content-Disposition"]

    # when it is taken in under a name
    kept = banker.post(f"{CATALOGS}/from-a-friend", data=saved.data, headers=TOML)

    # then it is there, somebody's own, and equals the other
    assert kept.status_code == 201
    assert named(banker)["master_builder/from-a-friend"] == kept.json
    assert kept.json == {**named(banker)["master_builder/house"], "name": "from-a-friend", "own": True}
    assert (folder / "from-a-friend.toml").read_bytes() == saved.data
    assert banker.get(f"{HOUSE}/differences?from=from-a-friend").json == {"differences": []}


def test_a_copy_that_was_changed_says_where_it_differs(banker: FlaskClient, folder: Path) -> None:
    assert banker.post(f"{HOUSE}/copy", json={"name": "mine"}).status_code == 201
    text = (folder / "mine.toml").read_text(encoding="utf-8")
    wage = text.index("wage = ", text.index("W07"))
    (folder / "mine.toml").write_text(f"{text[:wage]}wage = 4000{text[text.index(chr(10), wage) :]}", encoding="utf-8")

    comparison = banker.get(f"{CATALOGS}/master_builder/mine/differences?from=house").json

    assert comparison is not None
    (difference,) = comparison["differences"]
    assert "W07" in difference["place"]
    assert "wage" in difference["place"]
    assert (difference["a"], difference["b"]) == (4000, 5000)


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("mine", b'game = "master_builder"\nnot = [toml', "mine.toml:2: no TOML"),
        ("mine", b'game = "chess"\n', "it does not say for which game it is"),
        ("mine", b'game = "Men at Work"\n', "'Men at Work' is no game here; write game ="),
        ("mine", b"game = 7\n", "7 is no game here; write game ="),
        ("mine", b'game = "master_builder"\rname = "x"\r', "mine.toml:1: no TOML: "),
        ("mine", b'"game" = "master_builder"\nname = "x"\n', "12 [[contract]] tables belong in the box"),
        ("mine", b'game = """master_builder"""\nname = "x"\n', "12 [[contract]] tables belong in the box"),
        ("mine", b'game = "master_builder"\nname = "x"\n', ""),
        ("mine", b'game = "master_builder"\n' + b"a." * 40 + b"a = 1\n", "dots in a key"),
        ("mine", b'game = "master_builder"\n' + b"#" * 200_001, "larger than 200000 bytes"),
        ("mine", b"\xff\xfe\x00", ""),
        ("mine", b'game = "master_builder"\nname = "Zo\xeb"\n', "mine.toml:2: not UTF-8"),
        ("mine", 'game = "master_builder"\nname = "Zo\ufffd"\n'.encode(), "mine.toml:2: letters were lost here"),
        ("My Box", b'game = "master_builder"\n', "no name for a catalog"),
        ("house", b'game = "master_builder"\n', "is called house already"),
    ],
)
def test_a_file_that_does_not_do_is_refused_with_its_faults_and_nothing_is_kept(
    banker: FlaskClient, folder: Path, name: str, text: bytes, sentence: str
) -> None:
    answer = banker.post(f"{CATALOGS}/{name}", data=text, headers=TOML)

    assert answer.status_code == 422
    assert answer.json is not None
    words = " ".join(fault["detail"] for fault in answer.json["faults"])
    assert sentence in words
    assert answer.json["faults"]
    assert str(folder.parent) not in words
    assert "shared.toml" not in words
    assert not folder.exists() or not list(folder.iterdir())


def test_what_is_not_there_or_for_others_is_refused(
    banker: FlaskClient, as_caller: Callable[[Caller], FlaskClient]
) -> None:
    for path in ("/chess/house.toml", "/master_builder/nothing.toml", "/master_builder/..%2fhouse.toml"):
        assert banker.get(f"{CATALOGS}{path}").status_code == 404
    assert banker.get(f"{HOUSE}/differences?from=nothing").status_code == 404
    assert banker.post(f"{CATALOGS}/master_builder/nothing/copy", json={"name": "mine"}).status_code == 404
    assert banker.post(f"{HOUSE}/copy", json={"name": 7}).status_code == 400
    assert banker.post(f"{CATALOGS}/mine", data=b"x", headers={"Content-Type": "text/plain"}).status_code == 415
    guest = as_caller(Caller("player", "blue", "t1"))
    assert guest.get(CATALOGS).status_code == 403
    assert guest.get(f"{HOUSE}.toml").status_code == 403


def test_the_page_lists_them_and_says_why_a_file_cannot_be_played_with(banker: FlaskClient, folder: Path) -> None:
    folder.mkdir()
    (folder / "torn.toml").write_text('game = "master_builder"\nname = "Torn"\n', encoding="utf-8")

    page = banker.get("/catalogs").text

    assert "Master Builder" in page
    assert f'href="{HOUSE}.toml"' in page
    assert "torn" in page
    assert named(banker)["master_builder/torn"]["fault"]


def test_of_two_files_that_are_taken_in_under_one_name_at_one_moment_one_is_accepted(
    app: Flask, banker: FlaskClient, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given two catalogs, both of which are found to be free of faults before either is stored
    saved = banker.get(f"{HOUSE}.toml").data
    texts = [saved.replace(b'name = "', b'name = "%d ' % number, 1) for number in (1, 2)]
    both_checked, parse, checked = threading.Barrier(2), MasterBuilderCards.parse, set[int]()

    def parse_together(cards: MasterBuilderCards, data: Mapping[str, Any]) -> Any:
        parsed = parse(cards, data)
        if threading.get_ident() not in checked:  # the file that is kept is read once more
            checked.add(threading.get_ident())
            both_checked.wait(PATIENCE_S)
        return parsed

    def take_in(text: bytes) -> TestResponse:
        client = app.test_client()
        client.environ_base.update(banker.environ_base)
        return client.post(f"{CATALOGS}/mine", data=text, headers=TOML)

    # when they are sent at one moment
    with monkeypatch.context() as patched, ThreadPoolExecutor(2) as pool:
        patched.setattr(MasterBuilderCards, "parse", parse_together)
        answers = list(pool.map(take_in, texts))

    # then the one that is answered so is kept, and the other is told that the name is taken
    assert sorted(answer.status_code for answer in answers) == [201, 422]
    kept = next(text for text, answer in zip(texts, answers, strict=True) if answer.status_code == 201)
    refused = next(answer for answer in answers if answer.status_code == 422)
    assert (folder / "mine.toml").read_bytes() == kept
    assert refused.json is not None
    assert "is called mine already" in refused.json["faults"][0]["detail"]
    assert [path.name for path in folder.iterdir()] == ["mine.toml"]
