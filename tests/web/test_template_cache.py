"""Compiled templates outlast the program, and nothing else does."""

from pathlib import Path

import pytest
from flask import Flask
from jinja2 import ChoiceLoader, Environment, FileSystemLoader

from companion.resources import templates_folder
from companion.web.pages.templates import TemplateCache


def environment(folder: Path, cache: Path) -> Environment:
    """An environment as the pages have one, as after a new start."""
    return Environment(loader=FileSystemLoader(folder), bytecode_cache=TemplateCache(cache), autoescape=True)


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of templates that is taken for the program's own."""
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "hut.html").write_text("a hut of {{ 1 + 1 }} rooms")
    monkeypatch.setattr("companion.web.pages.templates.templates_folder", lambda: folder)
    return folder


def test_a_template_is_compiled_once_for_all_starts(own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # given a template that was compiled at an earlier start
    assert environment(own, tmp_path / "cache").get_template("hut.html").render() == "a hut of 2 rooms"

    # when the program starts again, then it compiles nothing
    again = environment(own, tmp_path / "cache")
    monkeypatch.setattr(again, "compile", None)
    assert again.get_template("hut.html").render() == "a hut of 2 rooms"


def test_a_template_that_has_changed_is_compiled_anew(own: Path, tmp_path: Path) -> None:
    environment(own, tmp_path / "cache").get_template("hut.html")
    (own / "hut.html").write_text("a house")

    assert environment(own, tmp_path / "cache").get_template("hut.html").render() == "a house"


@pytest.mark.usefixtures("own")
def test_templates_from_elsewhere_are_not_kept(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "tent.html").write_text("a tent")

    assert environment(elsewhere, tmp_path / "cache").get_template("tent.html").render() == "a tent"
    assert list((tmp_path / "cache").iterdir()) == []


@pytest.mark.parametrize(("whole", "after"), [(-7, b""), (0, b""), (20, b"?" * 40)])
def test_what_is_kept_and_spoilt_is_compiled_anew(own: Path, tmp_path: Path, whole: int, after: bytes) -> None:
    environment(own, tmp_path / "cache").get_template("hut.html")
    (kept,) = (tmp_path / "cache").iterdir()
    kept.write_bytes(kept.read_bytes()[:whole] + after)

    assert environment(own, tmp_path / "cache").get_template("hut.html").render() == "a hut of 2 rooms"


def test_where_nothing_can_be_kept_pages_are_shown_all_the_same(own: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")

    assert environment(own, tmp_path / "file" / "cache").get_template("hut.html").render() == "a hut of 2 rooms"


def test_the_pages_have_it(app: Flask) -> None:
    assert isinstance(app.jinja_env.bytecode_cache, TemplateCache)
    assert not isinstance(app.jinja_env.loader, ChoiceLoader)
    assert templates_folder().is_dir()
