"""Workers that are drawn on a building lie on the section on which they work."""

import itertools
from typing import Literal

import pytest
from flask import Flask
from playwright.sync_api import Browser

from companion.games.master_builder.rules.building import section_names
from tests.extent import in_check

pytestmark = pytest.mark.browser

DRAWN = """
{% from "games/master_builder/drawing.html" import building with context %}
{{ building({"kind": kind, "number": 1}, states, size, "", {section: crew}) }}
"""
OVERHANGS = """() => {
  const boxes = [...document.querySelectorAll(".mark")].map((mark) => mark.getBoundingClientRect());
  const section = document.querySelector(".planned").getBoundingClientRect();
  return boxes.map((box) => [
    section.left - box.left, section.top - box.top, box.right - section.right, box.bottom - section.bottom,
  ]);
}"""


@pytest.mark.parametrize("kind", ["house", "city_wall"])
@pytest.mark.parametrize("size", in_check(["large", "large close", "small"], "small"))
def test_up_to_three_workers_lie_within_their_section(
    app: Flask, browser: Browser, kind: Literal["house", "city_wall"], size: str
) -> None:
    page = browser.new_page()
    with app.test_request_context():
        template = app.jinja_env.from_string(DRAWN)
        for section, crew in itertools.product(section_names(kind), (["A"], ["A", "MC"], ["A", "T", "F"])):
            drawn = template.render(kind=kind, size=size, section=section, crew=crew, states={section: "planned"})
            page.set_content(f'<div style="width: 400px">{drawn}</div>')
            over = page.evaluate(OVERHANGS)
            assert len(over) == len(crew)
            assert max(max(overhang) for overhang in over) <= 1, (section, crew, over)
    page.close()
