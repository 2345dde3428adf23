import re
from collections.abc import Iterator
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from tests.golden.stored import golden_games


def test_the_description_has_every_call_and_no_other(app: Flask, stranger: FlaskClient) -> None:
    described = described_by(stranger)
    described_calls = {(path, method.upper()) for path, calls in described["paths"].items() for method in calls}
    there = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method)
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.rule.startswith("/api/")
    }
    assert there == described_calls


def test_every_pointer_leads_somewhere(stranger: FlaskClient) -> None:
    described = described_by(stranger)
    pointers = set(pointers_in(described))
    assert len(pointers) > 15
    for pointer in pointers:
        part = described
        for key in pointer.removeprefix("#/").split("/"):
            part = part[key]


def test_every_place_in_an_address_is_described(stranger: FlaskClient) -> None:
    for path, calls in described_by(stranger)["paths"].items():
        for call in calls.values():
            places = {place["name"] for place in call.get("parameters", []) if place["in"] == "path"}
            assert places == set(re.findall(r"{(\w+)}", path))


def test_every_call_has_a_name_of_its_own(stranger: FlaskClient) -> None:
    names = [call["operationId"] for calls in described_by(stranger)["paths"].values() for call in calls.values()]
    assert len(names) == len(set(names))


def test_every_command_of_every_game_is_described_as_it_is_read(stranger: FlaskClient) -> None:
    # given every command of all golden games that was taken
    taken = [
        command
        for game in golden_games()
        for line, command in game.commands.items()
        if "rule" not in game.answers[line] and command["do"] not in ("undo", "redo")
    ]
    schemas = described_by(stranger)["components"]["schemas"]
    described = {schemas[name]["properties"]["do"]["const"]: schemas[name] for name in commands_in(schemas)}
    assert len(taken) > 1000

    # then its members are those that its description has, and what that asks for is there
    for command in taken:
        schema = described[command["do"]]
        assert schema["additionalProperties"] is False
        assert set(command) <= set(schema["properties"]), command
        assert set(schema["required"]) <= set(command), command


def test_a_commands_fields_are_told_by_what_they_hold(stranger: FlaskClient) -> None:
    schemas = described_by(stranger)["components"]["schemas"]

    assert schemas["master_builder.CorrectMoney"]["required"] == ["do", "from", "to", "amount", "reason"]
    assert schemas["master_builder.Borrow"]["properties"]["loan"]["enum"] == ["small", "large"]
    assert schemas["master_builder.HireWorker"]["properties"]["worker"]["description"] == "The id of a card."
    assert schemas["house.Amend"]["required"] == ["do", "seq", "with"]


def commands_in(schemas: dict[str, Any]) -> list[str]:
    return [str(schema["$ref"]).rsplit("/", 1)[-1] for schema in schemas["Command"]["anyOf"]]


def described_by(client: FlaskClient) -> dict[str, Any]:
    description = client.get("/api/v1/openapi.json").json
    assert description is not None
    assert description["openapi"] == "3.1.0"
    return dict(description)


def pointers_in(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if "$ref" in part:
            yield part["$ref"]
        for inner in part.values():
            yield from pointers_in(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from pointers_in(inner)
