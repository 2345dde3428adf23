"""The server compiles its templates and reads its words at the start, not when a page first needs them."""

import threading
from pathlib import Path

import pytest
from flask import Flask
from jinja2 import ChoiceLoader, FileSystemLoader

from companion.web.pages.templates import TemplatePrecompiler
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.own_app


def compiled(app: Flask) -> set[str]:
    assert app.jinja_env.cache is not None
    return {name for _, name in app.jinja_env.cache}


def warmed(app: Flask) -> None:
    """Let it be compiled to the end, and leave the collector as it was."""
    precompiler = TemplatePrecompiler(app)
    precompiler.start()
    until(lambda: not any(thread.name == "warming" for thread in threading.enumerate()))
    precompiler.stop()


def test_every_template_is_compiled_beside_the_first_requests(app: Flask) -> None:
    warmed(app)

    there = set(app.jinja_env.list_templates(extensions=["html"]))
    assert len(there) > 100
    assert compiled(app) == there


@pytest.mark.nightly
def test_a_template_of_a_games_that_is_broken_keeps_the_others_from_nothing(app: Flask, tmp_path: Path) -> None:
    # given a game whose first template is torn
    (tmp_path / "aaa.html").write_text("{% if", encoding="utf-8")
    assert app.jinja_env.loader is not None
    app.jinja_env.loader = ChoiceLoader([FileSystemLoader(tmp_path), app.jinja_env.loader])

    warmed(app)

    assert compiled(app) == set(app.jinja_env.list_templates(extensions=["html"])) - {"aaa.html"}


def test_a_server_that_is_stopped_meanwhile_does_not_wait_for_the_rest(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a template that is being compiled when the server is stopped
    precompiler, get = TemplatePrecompiler(app), app.jinja_env.get_template

    def slow(name: str) -> object:
        precompiler._stopping.wait(PATIENCE_S)
        return get(name)

    monkeypatch.setattr(app.jinja_env, "get_template", slow)

    # when it has stopped, then others were left
    precompiler.start()
    precompiler.stop()

    assert compiled(app) < set(app.jinja_env.list_templates(extensions=["html"]))
