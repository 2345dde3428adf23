"""Men at Work with full hands: cards on the game's mat, the simulated camera, and a tablet that speaks.

How long a sentence takes from the card at rest: ``python -m benchmarks.heard``.
"""

import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.bootstrap import load_bundled_catalog
from companion.bot_games.games import bots_of
from companion.engine.game import Question, Refused
from companion.games.men_at_work.bots.piles import back_of, shows_nothing
from companion.service.table.history import open_to
from companion.service.table.table import Request, Table
from tests.browser.conftest import Installation, serving
from tests.browser.speech import heard, speaking_tablet, spoken_after
from tests.browser.test_scanner_keys import scan
from tests.pages import loaded
from tests.waiting import until


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    with serving(tmp_path_factory.mktemp("heard") / "data", "sim:5:site") as installation:
        yield installation


@pytest.fixture
def table(running: Installation) -> Iterator[Table]:
    running.simulated_table.clear()
    players = [{"id": "blue", "name": "Ada"}, {"id": "grey", "name": "Ben"}]
    start = {"do": "start_game", "game": "men_at_work", "first": "blue", "players": players}
    started_table = running.services.tables.start(Request(start, "banker", "tap"))
    running.services.scanner.attach(started_table)
    running.services.proposals.set_level(started_table, "automatic")
    running.services.proposals.set_level(started_table, "automatic", "command")
    yield started_table
    running.services.tables.put_in_bin(started_table.id)


@pytest.fixture
def tablet(running: Installation, table: Table, browser: Browser) -> Iterator[Page]:
    with speaking_tablet(running, browser) as page:
        page.goto(f"/tables/{table.id}")
        expect(page.locator("#sentence")).to_be_visible()
        loaded(page, "table/aloud.js", "camera/scan.js", "table/suggest.js")
        yield page


@pytest.mark.nightly
def test_a_turned_card_is_spoken_and_said_again_by_a_card(running: Installation, table: Table, tablet: Page) -> None:
    # given a pile
    running.simulated_table.lay_in("GPB", "pile")
    running.looked_on(10)
    expect(tablet.locator("#state")).to_have_attribute("data-version", str(table.version))
    before = heard(tablet)

    # when a card is turned beside it
    running.simulated_table.lay_in("I03", "discard")
    said = spoken_after(tablet, before)

    # then what to do is said
    assert table.position_json("banker")["back"] == "GPB"  # type: ignore[index]
    assert said.startswith("Ada. A girder")

    # and again for whoever lays SUGGEST
    before = heard(tablet)
    scan(tablet, "MW1X05")
    assert spoken_after(tablet, before) == said


@pytest.mark.nightly
def test_what_cannot_be_is_said_with_its_reason(running: Installation, table: Table, tablet: Page) -> None:
    before = heard(tablet)

    running.simulated_table.lay_in("GOW", "discard")

    assert "turn the card over" in spoken_after(tablet, before)
    expect(tablet.locator("[data-proposal]")).to_contain_text("turn the card over")
    assert table.version == 1


def test_news_are_said_by_name_before_what_comes_next(table: Table, tablet: Page) -> None:
    # given a boss who comes on duty
    spoken: list[str] = []
    for command in (
        {"do": "turn_card", "card": "BOSS", "back": "HOP"},
        {"do": "turn_card", "card": "I03", "back": "GOP"},
        {"do": "done", "player": "blue", "colour": "orange", "highest": True},
        {"do": "accident", "player": "grey"},
    ):
        before = heard(tablet)
        table.submit(Request(command, "banker", "tap"))
        spoken.append(spoken_after(tablet, before))

    # then she, an award and an accident are said, each before the next action
    boss, action, award, accident = spoken
    assert boss == "The boss is on duty. From now on the highest piece wins an award. Ada. Turn up a card."
    assert action.startswith("Ada. A girder, orange or purple.")
    assert award == "Ada wins a first award. Awards still missing: 4. Ben. Turn up a card."
    assert accident == (
        "Ben has an accident and loses a certificate. Certificates left: 2. Ada. Clean up first: put back what fell."
    )


SOUNDED = """
window.sounded = [];
const begin = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...at) {
  sounded.push(Math.round(this.frequency.value));
  begin.apply(this, at);
};
"""


def test_an_end_that_nothing_else_tells_has_its_tone_and_is_said_once(running: Installation, browser: Browser) -> None:
    # given a table at which nobody counts, and a big screen with sounds
    players = [{"id": "blue", "name": "Ada"}, {"id": "grey", "name": "Ben"}]
    start = {"do": "start_game", "game": "men_at_work", "first": "blue", "players": players, "rules": {"counts": False}}
    table = running.services.tables.start(Request(start, "banker", "tap"))
    table.submit(Request({"do": "turn_card", "card": "I03", "back": "GPB"}, "banker", "tap"))
    with speaking_tablet(running, browser) as page:
        page.add_init_script(SOUNDED)
        page.context.add_cookies([{"name": "sounds", "value": "1", "url": running.address}])
        page.goto(f"/tables/{table.id}")
        loaded(page, "table/aloud.js")
        page.locator("#sentence").click()

        # when the reserve is found to be exhausted
        table.submit(Request({"do": "exhausted", "player": "blue"}, "banker", "tap"))

        # then it is heard that the game is over, and it is said once
        assert spoken_after(page, 0).count("construction stops") == 1
        page.wait_for_function("() => sounded.length > 0")
        assert page.evaluate("sounded[0] < sounded[1] && sounded[1] < sounded[2]")
    running.services.tables.put_in_bin(table.id)


TRANSCRIPT = Path(__file__).with_name("men_at_work_heard.txt")
"""A whole game as a tablet tells it: what was done, and the sentence that was spoken then."""
SEED = 11
"""Of a short game in which the boss comes, the highest piece is claimed, pieces fall and are put back."""


def turned(running: Installation, table: Table, card: str, pile: Sequence[str], on_table: dict[str, str]) -> None:
    """Lay the top card of a pile on the discard; the pile then shows the back of the next one.

    The camera has to see each place empty before another card lies there. Where one back is exchanged for another at
    the very same place, with no hand over it, the picture changes by less than its noise for some frames: the back that
    lay there before would count for the card that is turned meanwhile.
    """
    catalog, version = table.position.state.catalog, table.version  # type: ignore[union-attr]
    backs = [back_of(catalog, each) for each in pile[1:2] if not shows_nothing(catalog, each)]
    for zone, lying in (("pile", backs), ("discard", [card])):
        if [on_table.get(zone)] != lying:
            if zone in on_table:
                running.simulated_table.take_away(on_table.pop(zone))
                until_seen(running, table, on_table)
            for each in lying:
                running.simulated_table.lay_in(each, zone)
                on_table[zone] = each
            until_seen(running, table, on_table)
    until(lambda: table.version > version, lambda: f"{on_table}: {running.services.proposals.pending(table.id)}")


def until_seen(running: Installation, table: Table, on_table: dict[str, str]) -> None:
    """Wait until the camera sees what lies on the table, and nothing else."""

    def seen() -> list[str]:
        return sorted(str(label["card"]) for label in running.services.scanner.state_json(table.id)["cards"])

    until(lambda: seen() == sorted(on_table.values()), lambda: f"{on_table}, seen: {seen()}")


def word_for(table: Table, command: dict[str, Any]) -> str:
    """The command card that leads to the same as a command."""
    wanted, position = table.foresee(Request(command, "banker", "test")), table.position
    assert position is not None
    assert table.game.can.command_card is not None
    offers = open_to(table.game.rules, position, "banker")
    for card, word in table.game.command_words.items():
        reading = table.game.can.command_card(position, offers, word)
        if reading is None or isinstance(reading, Question):
            continue
        with suppress(Refused):
            if table.foresee(Request(table.game.codec.command_json(reading), "banker", "test")) == wanted:
                return card
    raise AssertionError(command)


@pytest.mark.nightly
def test_a_whole_game_is_played_by_cards_alone_and_each_sentence_is_spoken(
    running: Installation, table: Table, tablet: Page
) -> None:
    # given bots that say what happens at the table
    manifest = table.game.manifest
    bots, lots = bots_of(manifest), random.Random(SEED)
    piles = bots.shuffled(load_bundled_catalog(manifest), SEED)
    strengths = dict.fromkeys(table.names(), bots.strengths[0])
    on_table: dict[str, str] = {}
    transcript: list[str] = []

    # when every card is laid on the mat, and everything else said by a command card
    while table.position is not None:
        act = bots.next_act(table.position, piles, strengths, lots.randrange)
        if act is None:
            break
        before, command = heard(tablet), table.game.codec.command_json(act.command)
        if act.cards and command["do"] == "turn_card":
            turned(running, table, act.cards[0], piles.pile(table.position.state), on_table)
        elif act.cards:
            raise AssertionError(f"the pile shows no back for {command}")
        else:
            scan(tablet, f"MW1{word_for(table, command)}")
        expect(tablet.locator("#state")).to_have_attribute("data-version", str(table.version))
        # what is still to be done is not said again
        transcript.append(command["do"] + ("" if command["do"] == "fallen" else f": {spoken_after(tablet, before)}"))

    # then the game is over, the camera or a card has said each act, and each sentence was the right one
    assert {entry.source for entry in table.entries[1:]} == {"camera", "scanner"}
    assert "\n".join(transcript) + "\n" == TRANSCRIPT.read_text(encoding="utf-8")
