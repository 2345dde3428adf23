"""Where things begin in a TOML file."""

import tomllib

from companion.adapters.catalogs import find_lines
from companion.game_api.catalog_parsing import Place

TEXT = '''# a comment with [brackets] and = signs
name = "a # no comment"  # one
long = """
[[not a table]]
say \\"""" # still = here
raw = \'\'\'
[nor this]\'\'\'
"quoted key".x = 'it'

[[thing]]
id = 1
[thing.parts]
'a' = ["x", # first
  "y",
]
[[thing]]  # the second
id = 2
parts.b = {c = [1, 2], d = 1979-05-27 07:32:00}
effects = [
  {do = "p]ay"},

  {do = "raze", count = 1}, # a bracket ] in a comment
]
[last.table]
end = true'''


def test_every_place_has_its_line() -> None:
    assert tomllib.loads(TEXT)
    lines = find_lines(TEXT)
    expected: dict[Place, int] = {
        ("name",): 2,
        ("long",): 3,
        ("raw",): 6,
        ("quoted key", "x"): 8,
        ("thing",): 10,
        ("thing", 0): 10,
        ("thing", 0, "id"): 11,
        ("thing", 0, "parts"): 12,
        ("thing", 0, "parts", "a"): 13,
        ("thing", 0, "parts", "a", 0): 13,
        ("thing", 0, "parts", "a", 1): 14,
        ("thing", 1): 16,
        ("thing", 1, "parts", "b", "c", 1): 18,
        ("thing", 1, "parts", "b", "d"): 18,
        ("thing", 1, "effects"): 19,
        ("thing", 1, "effects", 0, "do"): 20,
        ("thing", 1, "effects", 1): 22,
        ("thing", 1, "effects", 1, "count"): 22,
        ("last", "table"): 24,
        ("last", "table", "end"): 25,
    }
    assert {place: lines.get(place) for place in expected} == expected


def test_windows_line_ends_count_once() -> None:
    text = "a = 1\r\n\r\n[[b]]\r\nc = 2\r\n"
    assert tomllib.loads(text) == {"a": 1, "b": [{"c": 2}]}
    assert find_lines(text)["b", 0, "c"] == 4


def test_even_what_is_no_toml_comes_to_an_end() -> None:
    assert find_lines("a = }\n]]] = [}, ,\n\x00") is not None
