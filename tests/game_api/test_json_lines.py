"""A line of JSON Lines is one line to every reader."""

import json

import pytest

from companion.game_api.codec import json_line


@pytest.mark.parametrize("end", ["\u2028", "\u2029", "\x85", "\n", "\r", "\x0b", "\x0c"])
def test_what_some_readers_take_for_the_end_of_a_line_is_escaped_and_comes_back(end: str) -> None:
    value = {"name": f"Ada{end}Ben"}

    line = json_line(value)

    assert len(line.splitlines()) == 1
    assert json.loads(line) == value
