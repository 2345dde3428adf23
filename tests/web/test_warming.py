"""The server compiles its templates and reads its words at the start, not when a page first needs them."""

from pathlib import Path

from flask import Flask
from jinja2 import ChoiceLoader, FileSystemLoader

from companion.web.pages.warming import warm


def compiled(app: Flask) -> set[str]:
    assert app.jinja_env.cache is not None
    return {name for _, name in app.jinja_env.cache}


def test_every_template_is_compiled_beside_the_first_requests(app: Flask) -> None:
    warm(app).join()

    there = set(app.jinja_env.list_templates(extensions=["html"]))
    assert len(there) > 100
    assert compiled(app) == there


def test_a_template_of_a_games_that_is_broken_keeps_the_others_from_nothing(app: Flask, tmp_path: Path) -> None:
    # given a game whose first template is torn
    (tmp_path / "aaa.html").write_text("{% if", encoding="utf-8")
    assert app.jinja_env.loader is not None
    app.jinja_env.loader = ChoiceLoader([FileSystemLoader(tmp_path), app.jinja_env.loader])

    warm(app).join()

    assert compiled(app) == set(app.jinja_env.list_templates(extensions=["html"])) - {"aaa.html"}
