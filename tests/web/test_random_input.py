"""Whatever is sent, the answer is one of those that the interface promises, and never an error of ours."""

from typing import Any

from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.web.http.problems import KINDS

WORDS = st.sampled_from(
    ["blue", "yellow", "W07", "C03", "wall-1", "small", "bank", "undo", "redo", "amend", "house", "master_builder"]
)
VERBS = st.sampled_from(
    ["start_game", "hire_worker", "fire_worker", "pass", "bid", "plan", "borrow", "repay", "count_cash", "undo", "redo"]
) | st.sampled_from(
    ["correct_money", "correct_card", "rename_player", "turn_event", "reveal_contracts", "choose_sections", "amend"]
)
FIELDS = st.sampled_from(
    ["player", "worker", "amount", "work", "loan", "from", "to", "reason", "card", "name", "contracts", "sections"]
) | st.sampled_from(
    ["seq", "with", "rest", "players", "first", "rules", "variants", "catalog", "game", "bid", "contract"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3) | WORDS, inner, max_size=3),
    max_leaves=5,
)
COMMANDS = st.builds(
    lambda verb, rest: {**rest, "do": verb}, VERBS | VALUES, st.dictionaries(FIELDS, VALUES, max_size=5)
)
PROMISED = {200, 201} | {kind.status for kind in KINDS.values()} - {500, 503}

quick = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@quick
@given(command=COMMANDS)
def test_commands_of_all_kinds_get_a_promised_answer(banker: FlaskClient, command: dict[str, Any]) -> None:
    address = "/api/v1/tables/t1"
    if banker.get(address).status_code == 404:
        start = {"do": "start_game", "game": "master_builder", "first": "blue"}
        start["players"] = [{"id": "blue", "name": "Ada"}, {"id": "yellow", "name": "Ben"}]  # type: ignore[assignment]
        assert banker.post("/api/v1/tables", json=start).status_code == 201
    shown = banker.get(address)
    answer = banker.post(f"{address}/commands", json=command, headers={"If-Match": shown.headers["ETag"]})
    assert answer.status_code in PROMISED, answer.text
    assert answer.json is not None
    if answer.status_code != 200:
        assert answer.json["detail"]
        assert banker.get(address).data == shown.data


@quick
@given(body=st.binary(max_size=200), version=st.text(max_size=5), key=st.text(max_size=5))
def test_bytes_of_all_kinds_get_a_promised_answer(banker: FlaskClient, body: bytes, version: str, key: str) -> None:
    headers = {"If-Match": header(version), "Idempotency-Key": header(key), "Last-Event-ID": header(version)}
    for path in (
        "/logins",
        "/tables",
        "/tables/t1/commands",
        "/tables/t1/proposals/1",
        "/tables/t1/frames",
        "/tables/t1/scans",
        "/read",
    ):
        assert banker.post(f"/api/v1{path}", data=body, headers=headers).status_code in PROMISED


@quick
@given(path=st.text(max_size=20), query=st.text(max_size=10))
def test_addresses_of_all_kinds_get_a_promised_answer(banker: FlaskClient, path: str, query: str) -> None:
    for folder in ("/api/v1/", "/api/v1/tables/", "/join/", "/static/"):
        answer = banker.get(folder + path.replace("?", ""), query_string={"format": query, "lang": query})
        assert answer.status_code in PROMISED | {303, 308}


def header(text: str) -> str:
    """Return those characters of a text that HTTP can carry."""
    return text.encode("utf-8", "ignore").decode("latin-1").translate(dict.fromkeys([*range(32), 127], "?"))
