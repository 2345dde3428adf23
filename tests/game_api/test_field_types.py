"""Field types: said once where a field is declared, read by JSON, forms, sentences and the interface's schemas."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest

from companion.engine.game import Overview, Seat
from companion.game_api.codec import command_schemas
from companion.game_api.edit_forms import changeable, other_members
from companion.game_api.messages import Actor, Count, Holds, Messages, Person, Text, field_types
from companion.game_api.ui import TableView
from companion.games.master_builder import GAME
from companion.games.master_builder.messages import MESSAGES
from companion.words import Words

Half = Annotated[int, Holds("money", "500")]


@dataclass(frozen=True, slots=True)
class Trade:
    """Trade something for something."""

    player: Actor
    to: Person
    cards: tuple[Annotated[str, Holds("card", "nuts")], ...]
    price: Half
    reason: Text
    how: Annotated[Literal["open", "hidden"], Holds("choice", "how")] = "open"
    from_: Annotated[str, Holds("place", "bank tray")] = "bank"
    times: Count | None = None
    rest: Mapping[str, int] | None = None


TRADES = Messages(commands=(Trade,), events=())
GIVEN: dict[str, Any] = {
    "do": "trade",
    "player": "red",
    "to": "blue",
    "cards": ["N02"],
    "price": 1500,
    "reason": "late",
    "from": "tray",
    "times": 2,
}


def seen() -> TableView:
    overview = Overview(phase="p", players=(Seat("red", "Bartholomew"), Seat("blue", "Ada")), seats=("red", "blue"))
    catalog = {"nuts": {"N01": {"name": "Hazelnut"}, "N02": {"name": "Walnut"}}, "stones": {"S01": {"name": "Flint"}}}
    return TableView("t", 1, {}, overview, (), catalog, Words("en"))


def test_a_field_says_what_it_holds_how_it_is_spelled_and_whether_it_may_be_left_out() -> None:
    types = field_types(Trade)

    assert list(types) == ["player", "to", "cards", "price", "reason", "how", "from", "times", "rest"]
    assert types["cards"].many
    assert types["cards"].holds == Holds("card", "nuts")
    assert types["how"].values == ("open", "hidden")
    assert [field_type.name for field_type in types.values() if field_type.needed] == [
        "player",
        "to",
        "cards",
        "price",
        "reason",
    ]
    assert types["times"].holds == Holds("count")
    assert types["rest"].holds is None


def test_a_form_has_each_simple_field_as_it_is_with_what_may_stand_there() -> None:
    fields = {field.name: field for field in changeable(TRADES, seen(), GIVEN)}

    # whose act it was stays, what was left out is left out, and somebody's own words come last
    assert list(fields) == ["to", "cards", "price", "from", "times", "reason"]
    assert fields["to"].options == (("red", "Bartholomew"), ("blue", "Ada"))
    assert fields["cards"].control == "several"
    assert fields["cards"].options == (("N01", "N01 Hazelnut"), ("N02", "N02 Walnut"))
    assert (fields["price"].control, fields["price"].step, fields["price"].value) == ("amount", 500, 1500)
    assert [place for place, _ in fields["from"].options] == ["red", "blue", "bank", "tray"]
    assert fields["times"].control == "number"
    assert fields["reason"].control == "text"
    assert other_members(GIVEN, list(fields.values())) == {"do": "trade", "player": "red"}


def test_there_is_no_form_for_a_command_of_which_a_part_is_held_back() -> None:
    assert changeable(TRADES, seen(), {"do": "trade", "player": "red"}) == []
    assert changeable(TRADES, seen(), {"do": "undo"}) == []


def test_the_schema_is_as_strict_as_the_json_that_is_read() -> None:
    schema = command_schemas("nuts", (Trade,))["nuts.Trade"]

    assert schema["properties"]["do"] == {"const": "trade"}
    assert schema["required"] == ["do", "player", "to", "cards", "price", "reason"]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["to"] == {"description": "The id of a player.", "type": "string"}
    assert "from" in schema["properties"]
    assert "from_" not in schema["properties"]


@pytest.mark.parametrize("kind", MESSAGES.events, ids=lambda kind: kind.__name__)
def test_every_figure_and_id_in_a_sentence_of_an_event_says_what_it_holds(kind: type) -> None:
    """A value whose type the sentence does not know would be shown as an id or a bare figure."""
    words, types = Words("en", GAME), field_types(kind)
    variants = ("", ".rest", ".forced", ".premium", ".game", ".more", ".less", ".nobody", ".finished", ".plans")
    said = [words.template(kind.__name__ + variant, "event") for variant in variants]

    named_fields = {
        name for name in types if any(f"{{{name}}}" in sentence or f"{{{name}_}}" in sentence for sentence in said)
    }

    assert {name for name in named_fields if types[name].holds is None} == set()
