"""Backups over the HTTP interface and on their page: for the banker alone."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from companion.service.backups import BackupFault, Backups

BACKUPS = "/api/v1/backups"


@pytest.fixture(autouse=True)
def data(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()


def test_a_backup_is_made_listed_and_saved(banker: FlaskClient) -> None:
    assert banker.get(BACKUPS).json["backups"] == []  # type: ignore[index]

    made = banker.post(BACKUPS, json={})

    assert made.status_code == 201
    listed = banker.get(BACKUPS).json
    assert listed is not None
    assert (listed["backups"], listed["fault"]) == ([made.json], None)
    assert Path(listed["place"]).is_dir()
    with banker.get(f"{BACKUPS}/{made.json['name']}") as file:  # type: ignore[index]
        assert "journal.sqlite" in zipfile.ZipFile(io.BytesIO(file.data)).namelist()
        assert file.headers["Cache-Control"] == "no-store"
    page = banker.get("/backups").text
    assert made.json["name"] in page  # type: ignore[index]
    assert f"companion restore {listed['place']}" in page
    assert 'href="/backups"' in banker.get("/").text


def test_a_backup_that_is_none_is_not_found(banker: FlaskClient) -> None:
    for name in ("settings.toml", "companion-20261123T201505Z.backup", "..%2Fsettings.toml"):
        assert banker.get(f"{BACKUPS}/{name}").status_code == 404


def test_trouble_is_said_in_one_line(banker: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: Backups) -> None:
        raise BackupFault("the stick is full")

    monkeypatch.setattr(Backups, "make", full)

    answer = banker.post(BACKUPS, json={})

    assert (answer.status_code, answer.json["type"].rpartition("/")[2]) == (507, "not_stored")  # type: ignore[index]
    assert answer.json["detail"] == "No backup could be made: the stick is full."  # type: ignore[index]


@pytest.mark.parametrize("method", ["get", "post"])
def test_backups_are_for_the_banker_alone(
    stranger: FlaskClient, as_caller: Callable[[Caller], FlaskClient], method: str
) -> None:
    player = as_caller(Caller("player", "blue", "t1"))
    assert getattr(stranger, method)(BACKUPS, json={}).status_code == 401
    assert getattr(player, method)(BACKUPS, json={}).status_code == 403
    assert player.get(f"{BACKUPS}/companion-20261123T201505Z.backup").status_code == 403
    assert player.get("/backups").status_code == 302
