import time

import pytest
from flask.testing import FlaskClient

from tests.web.conftest import START


@pytest.mark.parametrize(
    ("body", "because"),
    [
        (b"", "empty"),
        (b"  \n", "empty"),
        (b"{", "no JSON"),
        (b"[]", "not a list"),
        (b'"text"', "bare value"),
        (b"null", "bare value"),
        (b'{"do": "undo", "do": "redo"}', "twice"),
        (b'{"a": {"b": 1, "b": 2}}', "twice"),
        (b'{"a": NaN}', "NaN"),
        (b'{"a": -Infinity}', "Infinity"),
        (b'{"a": 1e999}', "too large"),
        (b'{"a": "\\ud800"}', "no JSON"),
        (b'{"a\\ud800": 1, "a\\ud800": 1}', "twice"),
        (b'{"a": "\xff"}', "no JSON"),
        (b"\xef\xbb\xbf{}", "no JSON"),
        (b'{"a": ' + b"9" * 5_000 + b"}", "no JSON"),
        (b'{"a":' * 100_000, "no JSON"),
        (b"[" * 200_000, "no JSON"),
        (b"pin=1234", "no JSON"),
    ],
)
def test_what_is_no_json_object_is_malformed_and_says_why(
    banker: FlaskClient, table: str, body: bytes, because: str
) -> None:
    for path in ("/api/v1/tables", "/api/v1/logins", f"{table}/commands", f"{table}/proposals/1"):
        answer = banker.post(path, data=body, headers={"If-Match": "1"})
        assert answer.status_code == 400, path
        assert answer.mimetype == "application/problem+json"
        assert answer.json is not None
        assert because in answer.json["detail"]


def test_a_body_is_json_whatever_it_calls_itself(banker: FlaskClient) -> None:
    answer = banker.post("/api/v1/tables", json=START, content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 201


def test_a_command_of_more_than_a_megabyte_is_too_large(banker: FlaskClient, table: str) -> None:
    body = b'{"do": "' + b"x" * 1_000_000 + b'"}'
    answer = banker.post(f"{table}/commands", data=body, headers={"If-Match": "1"})
    assert (answer.status_code, answer.mimetype) == (413, "application/problem+json")


def repeated_keys(count: int) -> bytes:
    """Return a body of distinct keys, of which the last comes twice."""
    return b"{" + b"".join(b'"a%d":1,' % number for number in range(count)) + b'"a%d":1}' % (count - 1)


@pytest.mark.parametrize(
    "body",
    [
        repeated_keys(85_000),
        b'{"a":[' + b",".join([b'{"b":1,"b":2}'] * 70_000) + b"]}",
        b'{"' + b"k" * 490_000 + b'":1,"' + b"k" * 490_000 + b'":2}',
        b'{"a":' + b"1" * 900_000 + b".5}",
        b'{"a":1.' + b"1" * 900_000 + b"e999}",
        b'{"a":' + b"[" * 490_000 + b"]" * 490_000 + b"}",
        b'{"a":"' + b"\\ud800" * 160_000 + b'"}',
    ],
    ids=["many keys", "many objects", "long keys", "figures", "decimals", "brackets", "half characters"],
)
def test_the_largest_body_is_refused_within_seconds_and_in_few_words(banker: FlaskClient, body: bytes) -> None:
    assert 700_000 < len(body) <= 1_000_000
    begun = time.process_time()

    answer = banker.post("/api/v1/tables", data=body)

    assert time.process_time() - begun < 5
    assert answer.status_code in {400, 422}
    assert len(answer.data) < 1_000


@pytest.mark.parametrize("text", ["{x}", "{", "{0}"])
def test_braces_in_an_id_are_refused_as_any_other_unknown_id_is(banker: FlaskClient, table: str, text: str) -> None:
    hire = {"do": "hire_worker", "player": "blue", "worker": "W01"}
    bodies = [
        *(("/api/v1/tables", {**START, name: text}) for name in START),
        ("/api/v1/tables", {**START, "players": [{"id": text, "name": "Ada"}, {"id": "yellow", "name": "Ben"}]}),
        *((f"{table}/commands", {**hire, name: text}) for name in hire),
        (f"{table}/invitations", {"player": text}),
    ]
    for path, body in bodies:
        answer = banker.post(path, json=body, headers={"If-Match": "1"})
        assert 400 <= answer.status_code < 500, (path, body, answer.text)
