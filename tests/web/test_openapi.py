import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NotRequired

from flask import Flask
from flask.testing import FlaskClient
from typing_extensions import TypedDict

from companion.bootstrap.games import load_game
from companion.engine.game import OFFER_ONLY, Offer
from companion.game_api.capabilities import AnswerDescription, Argument, Capabilities
from companion.service.table.history import offer_json
from companion.web.api import openapi
from tests.golden.stored import golden_games
from tests.opened import installed_games, master_builder


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


def test_every_call_tells_what_may_be_wrong_with_the_machine(stranger: FlaskClient) -> None:
    described = described_by(stranger)
    for calls in described["paths"].values():
        for call in calls.values():
            assert {"421", "500", "503", "507"} <= set(call["responses"]), call["operationId"]
    stored = described["components"]["responses"]["not_stored"]["content"]["application/problem+json"]["schema"]
    assert stored["allOf"][1]["required"] == ["why"]


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


def described_with(*capabilities: Capabilities) -> dict[str, Any]:
    """The description where a game has these capabilities; of several, each is that of another game."""
    game = master_builder({})
    games = [replace(game, can=can) for can in capabilities]
    document: dict[str, Any] = openapi.document((), {}, games)
    return document


def answer_of(document: dict[str, Any], path: str) -> dict[str, Any]:
    schema: dict[str, Any] = document["paths"][f"/api/v1/tables/{{table_id}}/{path}"]["get"]["responses"]["200"][
        "content"
    ]["application/json"]["schema"]
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


class RiverJson(TypedDict):
    """River of a player."""

    boats: NotRequired[int]
    depth: int | None


def look_ahead(*_arguments: Any) -> RiverJson:
    return {"depth": None}


RIVER = Capabilities(
    forecast=look_ahead,
    descriptions={
        "forecast": AnswerDescription(
            summary="What a player's river comes to.",
            meaning="The river.",
            shape=RiverJson,
            note="`depth` is null where it is dry.",
            arguments={"card": Argument("boat", "A boat in the harbour.", "Say which boat: ?boat=B01.")},
        )
    },
)


def test_games_without_forecasts_have_them_described_in_general_words(app: Flask) -> None:
    with app.test_request_context():
        described = described_with(Capabilities())

    forecast = described["paths"]["/api/v1/tables/{table_id}/forecast"]["get"]
    assert forecast["summary"].startswith("What a player's money comes to if they go on as they are")
    assert [place["name"] for place in forecast["parameters"]] == ["table_id", "lang", "player", "card", "amount"]
    assert answer_of(described, "forecast") == {
        "type": "object",
        "properties": {"version": {"type": "integer"}},
        "required": ["version"],
    }


def test_a_game_describes_its_capability_in_its_own_words(app: Flask) -> None:
    with app.test_request_context():
        described = described_with(Capabilities(), RIVER)

    forecast = described["paths"]["/api/v1/tables/{table_id}/forecast"]["get"]
    assert forecast["summary"] == "What a player's river comes to."
    assert forecast["responses"]["200"]["description"] == "The river."
    assert [place["name"] for place in forecast["parameters"]] == ["table_id", "lang", "player", "boat", "amount"]
    assert answer_of(described, "forecast") == {
        "type": "object",
        "description": "`depth` is null where it is dry.",
        "properties": {
            "version": {"type": "integer"},
            "boats": {"type": "integer"},
            "depth": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        },
        "required": ["version", "depth"],
    }


def test_games_that_answer_differently_are_described_beside_each_other(app: Flask) -> None:
    plain = Capabilities(forecast=look_ahead)
    with app.test_request_context():
        described = described_with(RIVER, plain)

    forecast = described["paths"]["/api/v1/tables/{table_id}/forecast"]["get"]
    assert [place["name"] for place in forecast["parameters"]][3:] == ["boat", "card", "amount"]
    of_river, of_plain = answer_of(described, "forecast")["anyOf"]
    assert set(of_river["properties"]) == {"version", "boats", "depth"}
    assert set(of_plain["properties"]) == {"version"}


def test_an_offer_is_described_by_the_members_that_it_is_written_with(stranger: FlaskClient) -> None:
    # given offers of every form: by a player whom the command names, and by one whom it does not
    written = {*offer_json(Offer("bid", "blue")), *offer_json(Offer("turn_event", "blue", addressed=False))}

    # when their description is read
    described = stranger.get("/api/v1/openapi.json").get_json()["components"]["schemas"]["Offer"]

    # then it has these members and says which of them a command leaves out
    assert set(described["properties"]) == written
    assert {
        name for name in written if re.search(rf"leave out .*\b{name}\b.*, and put", described["description"])
    } == OFFER_ONLY


def test_the_dial_is_described_with_the_kinds_of_cards_of_each_game(app: Flask) -> None:
    games = [load_game(manifest, {}) for manifest in installed_games().manifests.values()]
    with app.test_request_context():
        described = openapi.document((), {}, games)

    kinds = [set(levels["properties"]) for levels in answer_of(described, "dial")["properties"]["kinds"]["oneOf"]]
    body = described["paths"]["/api/v1/tables/{table_id}/dial"]["post"]["requestBody"]
    turned = body["content"]["application/json"]["schema"]["properties"]["kind"]["enum"]
    assert kinds == [{*(kind.name for kind in game.manifest.kinds), "command"} for game in games]
    assert set(turned) == set().union(*kinds)
