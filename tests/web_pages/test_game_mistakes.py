"""A mistake of a game ends no evening: commands are refused, and every page is drawn, with *Undo*."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion import bootstrap
from companion.adapters.journal.memory import InMemoryJournal
from companion.engine.explanation import Addend, Change, Explainer, Source
from companion.engine.ledger import transfer
from companion.game_api.capabilities import Advisor, Capabilities
from companion.game_api.guard import MISTAKE
from companion.game_api.manifest import Manifest
from companion.game_api.notes import notes_of
from companion.service.access.logins import Caller
from companion.service.runtime import SystemClock
from companion.service.services import Services
from companion.service.table.registry import Tables
from companion.web import create_app
from companion.web.default_ui.ui import DefaultUI
from companion.words import Words
from tests.every_game import services_over
from tests.games.acorns import acorns, original, with_rules
from tests.web.shared_app import client_of

__all__ = ["acorns"]  # fixture

pytestmark = pytest.mark.game_mistakes

START = {
    "do": "start_game",
    "game": "acorns",
    "first": "red",
    "players": [{"id": "red", "name": "Ada"}, {"id": "blue"}],
}
PARTS = ("tablet", "glance", "proposal", "menu", "journal", "offer", "amend&seq=2")
MISTAKEN = "The game itself has made a mistake here"


class MistakeError(Exception):
    """Stands for any exception of a game."""


def raises(*_: Any, **__: Any) -> Any:
    raise MistakeError("a mistake in a test")


def late(name: str) -> Callable[..., Any]:
    """Return a function of the rules that raises once a card was taken."""

    def function(rules: Any, *arguments: Any) -> Any:
        late = any(_is_taken(at) or hasattr(at, "card") for at in arguments)
        return raises() if late else original(rules, name)(*arguments)

    return function


def _is_taken(at: Any) -> bool:
    """Return whether a card was taken, in a position or a state."""
    hands = getattr(getattr(at, "state", at), "hands", None)
    return hands is not None and bool(hands.pairs)


@dataclass
class House:
    """An application with one game that makes mistakes, and its table."""

    app: Flask
    services: Services
    tables: Tables
    table: str = ""

    def client(self, role: str = "banker", player: str | None = None) -> FlaskClient:
        return client_of(self.app, self.services, Caller(role, player, None if role == "banker" else self.table))  # type: ignore[arg-type]

    def give(self, **command: Any) -> Any:
        version = self.tables.get(self.table).version
        return self.client().post(
            f"/api/v1/tables/{self.table}/commands", json=command, headers={"If-Match": f'"{version}"'}
        )

    def pages(self) -> Iterator[tuple[str, Any]]:
        """Open every page and every part of one for everybody."""
        page = f"/tables/{self.table}"
        yield from ((part, self.client().get(f"{page}/live?part={part}")) for part in PARTS)
        yield "tablet", self.client().get(page)
        yield "seat", self.client("player", "red").get(f"{page}/seats/red")
        yield "seat part", self.client("player", "red").get(f"{page}/live?part=seat")
        yield "display", self.client("spectator").get(f"{page}/display")
        yield "display part", self.client("spectator").get(f"{page}/live?part=display")
        yield "lobby", self.client().get("/")


def begun(manifest: Manifest) -> House:
    """Begin a table of a game and take a card."""
    numbers = iter(range(100))
    games = {manifest.name: bootstrap.games.load_game(manifest, {"house": bootstrap.load_bundled_catalog(manifest)})}
    tables = Tables(games, InMemoryJournal(), SystemClock(), lambda: f"t{next(numbers)}", list)
    services = services_over(tables)
    house = House(create_app(services), services, tables)
    house.table = house.client().post("/api/v1/tables", json=START).get_json()["id"]
    return house


def undone_everywhere(house: House, game_mistakes: list[str]) -> None:
    """Check that all pages are drawn, that *Undo* is among them and works, and that the log has the mistake."""
    answers = dict(house.pages())
    assert {name: answer.status_code for name, answer in answers.items() if answer.status_code != 200} == {}
    assert '{"do":"undo"}' in answers["tablet"].text
    assert any("a mistake in a test" in message for message in game_mistakes)
    api = house.client().get(f"/api/v1/tables/{house.table}")
    assert api.status_code == 200
    assert house.client().get(f"/api/v1/tables/{house.table}/journal").status_code == 200
    assert house.give(do="undo").status_code in (200, 201)


@pytest.mark.parametrize("function", ["offers", "view", "overview", "players", "read", "secret_of", "overtakes"])
def test_a_function_that_shows_a_position_leaves_pages_and_undo(
    acorns: Manifest, function: str, game_mistakes: list[str]
) -> None:
    # given a game that makes a mistake as soon as a card is taken
    house = begun(with_rules(acorns, **{function: late(function)}))
    taken = house.give(do="take", player="red", card="A01")
    assert taken.status_code in (200, 201), taken.text

    # when everybody looks, then all pages are there, and the entry can be undone
    if function in ("secret_of", "overtakes", "read"):
        assert house.client().get(f"/tables/{house.table}").status_code == 200
        return
    undone_everywhere(house, game_mistakes)
    assert MISTAKEN not in house.client().get(f"/tables/{house.table}").text


def test_a_view_that_is_no_json_leaves_bare_figures_to_pages_and_programs(
    acorns: Manifest, game_mistakes: list[str]
) -> None:
    # given a game that shows a set once a card is taken
    def figures(rules: Any, position: Any, *of: Any) -> Any:
        shown = original(rules, "figures")(position, *of)
        return {**shown, "odd": {1, 2}} if _is_taken(position) else shown

    house = begun(with_rules(acorns, figures=figures))
    house.give(do="take", player="red", card="A01")

    # then programs are answered as pages are, and the log has the mistake
    answer = house.client().get(f"/api/v1/tables/{house.table}")
    assert (answer.status_code, answer.get_json()["version"]) == (200, 2)
    assert {page.status_code for _, page in house.pages()} == {200}
    assert [message for message in game_mistakes if "set is not JSON serializable" in message]


@pytest.mark.parametrize("function", ["decide", "follow_up", "evolve", "account_for", "author"])
def test_a_function_that_decides_refuses_and_nothing_is_recorded(
    acorns: Manifest, function: str, game_mistakes: list[str]
) -> None:
    # given a game that makes a mistake by a command
    mistake = late(function)
    if function in ("decide", "author"):

        def mistake(rules: Any, position: Any, command: Any) -> Any:
            return original(rules, function)(position, command) if hasattr(command, "game") else raises()

    house = begun(with_rules(acorns, **{function: mistake}))

    # when it is given, then it is refused in words, and the journal is as it was
    answer = house.give(do="take", player="red", card="A01")
    assert (answer.status_code, answer.get_json()["rule"]) == (422, MISTAKE)
    assert answer.get_json()["detail"].startswith("The game itself has made a mistake here. Nothing was recorded")
    assert house.tables.get(house.table).version == 1
    assert [message for message in game_mistakes if "a mistake in a test" in message]
    assert {answer.status_code for _, answer in house.pages()} == {200}


def test_rules_that_never_come_to_rest_refuse(acorns: Manifest, game_mistakes: list[str]) -> None:
    def again(_rules: Any, position: Any) -> Any:
        return [_taken(position)] if position.state.hands.pairs else []

    house = begun(with_rules(acorns, follow_up=again))

    answer = house.give(do="take", player="red", card="A01")
    assert (answer.status_code, answer.get_json()["rule"]) == (422, MISTAKE)
    assert "does not come to rest" in "".join(game_mistakes)


def _taken(position: Any) -> Any:
    from acorns.messages import CardTaken  # type: ignore[import-not-found]

    return CardTaken(position.state.step.player, "A02")


class Raising:
    """A part of a game each of whose functions raises."""

    def __getattr__(self, name: str) -> Any:
        return raises


PARTS_OF_GAMES = ("event_texts", "position_texts", "offer_texts", "drawings", "flights", "stage", "story")


@pytest.mark.parametrize(
    ("part", "when"), [("ui", "loaded"), *((part, when) for part in PARTS_OF_GAMES for when in ("loaded", "asked"))]
)
def test_a_part_that_describes_leaves_pages_and_undo(acorns: Manifest, part: str, when: str) -> None:
    make = raises if when == "loaded" else Raising
    parts: Mapping[str, Any] = {part: make}
    house = begun(replace(acorns, **parts))
    assert house.give(do="take", player="red", card="A01").status_code in (200, 201)

    answers = dict(house.pages())
    assert {name: answer.status_code for name, answer in answers.items() if answer.status_code != 200} == {}
    assert '{"do":"undo"}' in answers["tablet"].text


@pytest.mark.parametrize("when", ["loaded", "asked"])
@pytest.mark.parametrize("part", ["story", "corrections", "glossary"])
def test_a_part_that_tells_or_explains_leaves_a_game_that_is_over(
    acorns: Manifest, part: str, when: str, game_mistakes: list[str]
) -> None:
    # given a game that makes a mistake where its story, its figures or its words are asked for
    parts: Mapping[str, Any] = {part: raises if when == "loaded" else Raising}
    house = begun(replace(acorns, **parts))
    for number in range(6):
        assert house.give(do="take", player=("red", "blue")[number % 2], card=f"A0{number + 1}").status_code == 200

    # when it is over, then all that is looked at then is there
    table = f"/tables/{house.table}"
    asked = [*dict(house.pages()).values(), *map(house.client().get, (f"{table}/report", f"{table}/story"))]
    asked += map(house.client().get, (f"{table}/live?part=correct&player=red", "/words?game=acorns"))
    asked.append(house.client().get(f"{table}/story.svg"))
    assert [(answer.request.path, answer.status_code) for answer in asked if answer.status_code != 200] == []
    assert any("a mistake in a test" in message for message in game_mistakes)


@pytest.mark.parametrize("capability", ["scores", "hidden_money", "as_known", "consent", "differences", "forecast"])
def test_a_capability_that_raises_leaves_pages(acorns: Manifest, capability: str) -> None:
    can: Mapping[str, Any] = {capability: raises}
    house = begun(replace(acorns, capabilities=lambda: Capabilities(**can)))

    assert {name: answer.status_code for name, answer in house.pages() if answer.status_code != 200} == {}


def shows_a_list(rules: Any, position: Any, viewer: str) -> Any:
    shown = original(rules, "view")(position, viewer)
    return {**shown, "players": ["red"]} if _is_taken(position) else shown


def offers_without_a_comma(rules: Any, position: Any, player: str) -> Any:
    offers = original(rules, "offers")(position, player)
    return [replace(offer, fields=("card", None)) for offer in offers] if _is_taken(position) else offers


def decides_one_event(rules: Any, position: Any, command: Any) -> Any:
    events = original(rules, "decide")(position, command)
    return events[0] if _is_taken(position) else events


@pytest.mark.parametrize("wrong", [{"view": shows_a_list}, {"offers": offers_without_a_comma}, {"hidden_money": None}])
def test_what_is_of_another_type_than_is_read_leaves_pages_and_undo(
    acorns: Manifest, wrong: dict[str, Any], game_mistakes: list[str]
) -> None:
    # given a game that shows something else as soon as a card is taken
    def hides(position: Any) -> Any:
        return None if "hidden_money" in wrong and _is_taken(position) else ()

    functions = {name: function for name, function in wrong.items() if function is not None}
    house = begun(replace(with_rules(acorns, **functions), capabilities=lambda: Capabilities(hidden_money=hides)))
    assert house.give(do="take", player="red", card="A01").status_code == 200

    # when everybody looks, then all pages are there, and the entry can be undone
    answers = dict(house.pages())
    assert {name: answer.status_code for name, answer in answers.items() if answer.status_code != 200} == {}
    assert '{"do":"undo"}' in answers["tablet"].text
    assert game_mistakes
    assert house.give(do="undo").status_code == 200


def test_a_single_event_that_is_no_tuple_refuses_and_nothing_is_recorded(acorns: Manifest) -> None:
    house = begun(with_rules(acorns, decide=decides_one_event))
    assert house.give(do="take", player="red", card="A01").status_code == 200

    answer = house.give(do="take", player="blue", card="A02")
    assert (answer.status_code, answer.get_json()["rule"]) == (422, MISTAKE)


@pytest.mark.parametrize("when", ["loaded", "asked"])
def test_a_handbook_that_cannot_be_read_leaves_its_page_and_those_of_the_table(
    acorns: Manifest, when: str, game_mistakes: list[str]
) -> None:
    parts: Mapping[str, Any] = {"handbook": raises if when == "loaded" else Raising}
    house = begun(replace(acorns, **parts))

    asked = [*dict(house.pages()).values()]
    asked += map(house.client().get, ("/rules?game=acorns", "/rules/card_not_offered?game=acorns"))
    assert [(answer.request.path, answer.status_code) for answer in asked if answer.status_code not in (200, 404)] == []
    assert any("a mistake in a test" in message for message in game_mistakes)


@pytest.mark.parametrize("when", ["loaded", "asked"])
def test_a_form_for_a_game_under_way_that_cannot_be_made_is_left_out(
    acorns: Manifest, when: str, game_mistakes: list[str]
) -> None:
    parts: Mapping[str, Any] = {"take_over": raises if when == "loaded" else Raising}
    pages = DefaultUI(replace(acorns, **parts)).pages

    if when == "asked":
        assert pages["take-over"](Words("en", acorns), [{"title": "Acorns", "cards": {}}])["form"] is None
    assert ("take-over" in pages) == (when == "asked")
    assert any("a mistake in a test" in message for message in game_mistakes)


ASKED: Mapping[str, tuple[Capabilities, str]] = {
    "needs": (Capabilities(needs=raises), "needs?player=red"),
    "advice": (Capabilities(advice=Advisor("take", raises)), "suggestion?player=red"),
}
"""Capabilities that are asked for by themselves, each with a mistake, and where."""


@pytest.mark.parametrize("capability", sorted(ASKED))
def test_a_capability_that_is_asked_for_refuses_and_leaves_pages(
    acorns: Manifest, capability: str, game_mistakes: list[str]
) -> None:
    can, address = ASKED[capability]
    house = begun(replace(acorns, capabilities=lambda: can))
    assert house.give(do="take", player="red", card="A01").status_code == 200

    answer = house.client().get(f"/api/v1/tables/{house.table}/{address}")
    assert (answer.status_code, answer.get_json().get("rule")) == (422, MISTAKE), answer.text
    assert {name: answer.status_code for name, answer in house.pages() if answer.status_code != 200} == {}
    assert any("a mistake in a test" in message for message in game_mistakes)


def test_notes_that_cannot_be_paid_stay_where_they_are(acorns: Manifest, game_mistakes: list[str]) -> None:
    # given a game that pays by events, with notes that make a mistake
    def pay(_rules: Any, event: Any) -> Any:
        return transfer("bank", "player:red", 5) if hasattr(event, "card") else None

    can = Capabilities(notes=replace(notes_of((1, 5), (9, 9)), pay=raises))
    house = begun(replace(with_rules(acorns, account_for=pay), capabilities=lambda: can))
    assert house.give(do="take", player="red", card="A01").status_code == 200

    # when they are asked for, then the books stand and no note moves
    position = house.tables.get(house.table).history.timeline.position
    assert position is not None
    assert position.ledger.balance("player:red") == 5
    notes = house.client().get(f"/api/v1/tables/{house.table}/notes")
    assert (notes.status_code, notes.get_json()["payments"]) == (200, [])
    assert {name: answer.status_code for name, answer in house.pages() if answer.status_code != 200} == {}
    assert any("a mistake in a test" in message for message in game_mistakes)


@pytest.mark.parametrize("function", ["in_use", "ids", "labels", "as_json"])
def test_cards_that_cannot_be_shown_leave_pages_and_undo(acorns: Manifest, function: str) -> None:
    # given cards one of whose functions raises as soon as a card was taken
    cards, is_late = acorns.cards(), False

    class LateCards:
        def __getattr__(self, name: str) -> Any:
            return raises if is_late and name == function else getattr(cards, name)

    made: Any = LateCards
    house = begun(replace(acorns, cards=made))
    assert house.give(do="take", player="red", card="A01").status_code == 200
    is_late = True

    # then pages are drawn, and the entry can be taken back
    assert {name: answer.status_code for name, answer in house.pages() if answer.status_code != 200} == {}
    assert house.give(do="undo").status_code == 200


@pytest.mark.parametrize("function", ["has", "hides", "figure", "parts", "changes", "source"])
def test_a_figure_that_cannot_be_explained_leaves_its_balance(
    acorns: Manifest, function: str, game_mistakes: list[str]
) -> None:
    # given a game that explains its figures, but for a mistake in one function
    functions: dict[str, Callable[..., Any]] = {
        "has": lambda *_: True,
        "hides": lambda *_: False,
        "figure": lambda *_: 7,
        "parts": lambda *_: (Addend("card", 7, "taken"),),
        "changes": lambda *_: (Change(7, "taken"),),
        "source": lambda *_: Source(),
        function: raises,
    }
    house = begun(replace(acorns, capabilities=lambda: Capabilities(explainer=Explainer(**functions))))
    assert house.give(do="take", player="red", card="A01").status_code == 200

    # when it is asked, then there is an answer, and the table goes on
    answer = house.client().get(f"/api/v1/tables/{house.table}/explain?account=player:red")
    assert answer.status_code == {"has": 404, "hides": 403}.get(function, 200), answer.text
    if function not in ("has", "hides"):
        assert answer.get_json()["balance"] == (0 if function == "figure" else 7)
    assert {name: answer.status_code for name, answer in house.pages() if answer.status_code != 200} == {}
    assert any(f"explainer.{function}" in message for message in game_mistakes)


class NoStage:
    """Directs a stage of another kind than templates expect."""

    def stage(self, scene: Any) -> Any:
        del scene
        return Path("no stage")

    choices = deal = raises


class RaisingUI(DefaultUI):
    """Pages of a game's own that cannot be drawn."""

    values = raises


@pytest.mark.parametrize(("part", "language"), [("stage", "en"), ("stage", "fr"), ("stage", "de"), ("ui", "en")])
def test_a_page_that_cannot_be_drawn_is_a_plain_one_with_undo(
    acorns: Manifest, part: str, language: str, game_mistakes: list[str]
) -> None:
    # given a game whose pages cannot be drawn
    parts: Mapping[str, Any] = {"stage": NoStage} if part == "stage" else {"ui": lambda: RaisingUI(acorns)}
    house = begun(replace(acorns, **parts))
    house.give(do="take", player="red", card="A01")

    # when pages are opened, then they say so and lead back
    for address in ("", "/seats/red", "/live?part=tablet"):
        client = house.client("player", "red") if "seats" in address else house.client()
        answer = client.get(f"/tables/{house.table}{address}{'&' if '?' in address else '?'}lang={language}")
        assert answer.status_code == 200
        assert "data-version" in answer.text
        if "seats" not in address:
            assert """data-command='{"do":"undo"}'""" in answer.text
        if language == "en":
            assert MISTAKEN in answer.text
    shown = house.client("spectator").get(f"/tables/{house.table}/display")
    assert shown.status_code == 200
    assert """data-command='{"do":"undo"}'""" not in shown.text
    assert any("in page tablet" in message for message in game_mistakes)
    assert house.give(do="undo").status_code in (200, 201)
