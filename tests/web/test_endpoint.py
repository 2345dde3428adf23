"""The body of an endpoint is checked by its model; its answer is compared with its description by tests."""

from typing import Any, Literal

import pytest
from flask import Flask, Response, jsonify

from companion.web.http.endpoint import Answer, Body, ClosedShape, Omittable, Shape, endpoint
from companion.web.http.problems import KINDS, Problem
from tests.described_answers import faults_of

EXPECTS = 'Send {"level": "high"}, and nothing else.'


class SetLevel(ClosedShape):
    level: Literal["low", "high"]
    quick: Omittable[bool] = None


class LevelJson(Shape):
    level: str


SET_LEVEL = Body[SetLevel](SetLevel, EXPECTS)


@endpoint("Set it.", answers=Answer("Done.", LevelJson), problems=("malformed", "key_reused"), body=SET_LEVEL)
def set_level() -> Response:
    return jsonify({})


@pytest.mark.parametrize(
    "body",
    [
        '{"level": "higher"}',
        '{"level": ["low"]}',
        '{"level": null}',
        "{}",
        '{"level": "low", "quick": null}',
        '{"level": "low", "quick": 1}',
        '{"level": "low", "quick": "true"}',
        '{"level": "low", "slow": true}',
    ],
)
def test_a_body_of_another_shape_is_answered_with_the_sentence_of_its_endpoint(app: Flask, body: str) -> None:
    with app.test_request_context(data=body), pytest.raises(Problem) as raised:
        SET_LEVEL.read()
    assert (raised.value.status, raised.value.kind, raised.value.detail) == (400, "malformed", EXPECTS)


def test_a_sentence_that_depends_on_the_table_stands_instead(app: Flask) -> None:
    with app.test_request_context(data="{}"), pytest.raises(Problem) as raised:
        SET_LEVEL.read("Send one of: low, high.")
    assert raised.value.detail == "Send one of: low, high."


def test_what_is_left_out_is_none(app: Flask) -> None:
    with app.test_request_context(data='{"level": "low"}'):
        assert SET_LEVEL.read() == SetLevel(level="low")


def problem_response(kind: str, status: int) -> Response:
    return Problem(kind, "So it is.", status=status).response()


@pytest.mark.parametrize(
    ("answer", "faults"),
    [
        (lambda: jsonify({"level": "low"}), []),
        (lambda: jsonify({"level": 3}), ['level: 3 is not of type "string"']),
        (lambda: (jsonify({"level": "low"}), 201), ["status 201 is not described"]),
        (lambda: Response("low", mimetype="text/plain"), ["text/plain is not described"]),
        (lambda: problem_response("malformed", 400), []),
        (lambda: problem_response("malformed", 422), ["malformed is answered with 422"]),
        (
            lambda: problem_response("stale", 409),
            ["the problem stale is not described", ': "version" is a required property'],
        ),
    ],
)
def test_an_answer_that_is_not_described_is_found(app: Flask, answer: Any, faults: list[str]) -> None:
    described = {"200": {"content": {"application/json": {"schema": {"properties": {"level": {"type": "string"}}}}}}}
    with app.test_request_context(data='{"level": "low"}'):
        given = app.make_response(answer())
        listed_faults = list(faults_of(set_level.described, {"responses": described}, given))  # type: ignore[attr-defined]
    assert listed_faults == faults


def test_kinds_of_problems_have_statuses_of_errors() -> None:
    assert all(400 <= kind.status < 600 for kind in KINDS.values())
