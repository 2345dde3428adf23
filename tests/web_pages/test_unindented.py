"""Pages travel without the indentation of their templates."""

from jinja2 import Environment

from companion.web.pages.templates import Unindented

TEMPLATE = """\
<ul>
  {% for one in (1, 2) %}
    <li id="{{ one }}"
        {% if one == 1 %} hidden{% endif %}
        class="item">{{ one }}
      <b>more</b></li>
  {% endfor %}
</ul>
"""


def test_no_line_is_indented_and_nothing_is_joined_that_was_apart() -> None:
    page = Environment(extensions=[Unindented], trim_blocks=True, lstrip_blocks=True, autoescape=True).from_string(
        TEMPLATE
    )

    said = page.render()

    assert "  " not in said
    assert '<li id="1"\nhidden class="item">1\n<b>more</b></li>' in said.replace(" hidden", "hidden")
    assert '<li id="2"\n class="item">2\n<b>more</b></li>' in said
