"""`companion game check`: every part that describes a game is called, and what it raises is told with its place."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import pytest

from companion.bot_games.trial import check_game
from companion.bot_games.trial_report import TrialReport, remarks
from companion.game_api.capabilities import Advisor, Capabilities
from companion.game_api.manifest import Manifest
from companion.game_api.messages import Holds, Person
from companion.game_api.stage import CorrectableFigure, FigureChoice, Stage, StageDirector
from companion.game_api.ui import TableView
from companion.words import Words
from tests.elsewhere.outsiders import flea_market, tea_house
from tests.games.acorns import acorns, original, with_messages, with_rules

__all__ = ["acorns"]  # fixture


def faults_of(manifest: Manifest, games: int = 1) -> str:
    return "\n".join(check_game(manifest, games, seed=1))


# What raises is told with the game's own function.


def changed_wrongly(rules: Any, state: Any, event: Any) -> Any:
    return original(rules, "changed")(state, event) if type(event).__name__ == "GameStarted" else state.no_such_figure


def scores_without_the_first(rules: Any, position: Any) -> Mapping[str, Any]:
    scores: Mapping[str, Any] = original(rules, "scores")(position)
    return dict(list(scores.items())[1:])


@pytest.mark.parametrize(
    ("functions", "said"),
    [
        (
            {"changed": changed_wrongly},
            "no_such_figure', in changed_wrongly (tests.bot_games.test_parts_on_trial, line ",
        ),
        ({"scores": scores_without_the_first}, "overview raises LookupError: scores has no figures of red"),
    ],
)
def test_what_raises_is_told_with_the_function_of_the_game(
    acorns: Manifest, functions: Mapping[str, Any], said: str
) -> None:
    assert said in faults_of(with_rules(acorns, **functions))


# Scenes are tried with the journal that every table has.


def test_a_scene_may_read_the_latest_entry_since_a_table_always_has_one(acorns: Manifest) -> None:
    class Latest(StageDirector):
        """Names the event that happened last."""

        def stage(self, scene: TableView) -> Stage:
            return Stage(title=str(scene.entries[-1]["events"][-1]["event"]))

    assert faults_of(replace(acorns, stage=Latest)) == ""


def test_a_scene_that_reads_what_is_held_back_in_the_journal_is_noticed() -> None:
    class Telling(StageDirector):
        """Lists the cards of every hand that was drawn last."""

        def stage(self, scene: TableView) -> Stage:
            drawn = [event["cards"] for event in scene.entries[-1]["events"] if event["event"] == "HandDrawn"]
            return Stage(title=str(drawn))

    assert "stage.stage raises KeyError: 'cards', in " in faults_of(replace(flea_market.GAME, stage=Telling))


# What a game switches off that leaves out what the plug-in API does by itself.


def test_a_lot_that_costs_nothing_since_the_kits_account_was_left_out_is_listed() -> None:
    def account_for(rules: Any, event: Any) -> Any:
        return original(rules, "account_for")(event) if type(event).__name__ == "GameStarted" else None

    met, free = TrialReport(), with_rules(flea_market.GAME, account_for=account_for)
    played = list(check_game(free, 1, 1, met=met))

    assert played == []
    said = "and moves no money: account_for leaves out super().account_for(event)"
    assert [remark for remark in remarks(free, met) if remark.startswith("the event Lot") and remark.endswith(said)]


def test_a_player_who_is_renamed_in_the_journal_alone_is_noticed(acorns: Manifest) -> None:
    def changed(rules: Any, state: Any, event: Any) -> Any:
        return state if type(event).__name__ == "PlayerRenamed" else original(rules, "changed")(state, event)

    assert "PlayerRenamed changes no name" in faults_of(with_rules(acorns, changed=changed), 4)


# Every part is called, since at a table its mistakes leave out what it would have said.


def raises(name: str) -> Any:
    """Return a part of a game each function of which raises."""

    class Raising:
        """Can do nothing."""

        def __getattr__(self, function: str) -> Any:
            def call(*_: Any) -> Any:
                raise KeyError(f"{name} {function}")

            return call

    return Raising


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ("story", "story.ending raises KeyError: 'story ending', in "),
        ("corrections", "corrections.figures raises KeyError"),
        ("position_texts", "position_texts.figure raises KeyError"),
        ("offer_texts", "offer_texts.offer raises KeyError"),
        ("offer_texts", "offer_texts.not_yet raises KeyError"),
        ("flights", "flights.flights raises KeyError"),
        ("stage", "stage.choices raises KeyError"),
        ("drawings", "drawings.pictures raises KeyError"),
        ("take_over", "its take_over has no form: KeyError: 'take_over form', in "),
        ("glossary", "its glossary has no groups: KeyError: 'glossary groups', in "),
    ],
)
def test_a_part_that_raises_is_noticed_although_pages_do_without_it(acorns: Manifest, part: str, said: str) -> None:
    assert said in faults_of(replace(acorns, **{part: raises(part)}), 1)


def test_a_deal_that_cannot_be_drawn_is_noticed() -> None:
    assert "stage.deal raises KeyError" in faults_of(replace(tea_house.GAME, stage=raises("stage")), 1)


def raises_at(*_: Any) -> Any:
    raise KeyError("asked")


def test_a_capability_that_raises_when_a_program_asks_is_noticed(acorns: Manifest) -> None:
    asked = Capabilities(forecast=raises_at, advice=Advisor("take", raises_at))
    faults = faults_of(replace(acorns, capabilities=lambda: asked))

    assert "capabilities.forecast raises KeyError: 'asked', in raises_at (" in faults
    assert "capabilities.advice raises KeyError: 'asked', in raises_at (" in faults


def test_a_value_of_a_correction_that_the_rules_refuse_is_noticed(acorns: Manifest) -> None:
    class Names:
        """Lets the first player have the name of the second."""

        def figures(self, scene: TableView) -> Any:
            first, second = list(scene.names)[:2]
            command = {"do": "rename_player", "player": first, "name": scene.names[second]}
            values = (FigureChoice("as now"), FigureChoice("as the other", command))
            return [CorrectableFigure(key="name", title="Name", now=scene.names[first], choices=values)]

    assert "of name, which is refused: names_alike" in faults_of(replace(acorns, corrections=Names))


# Counts of several kinds are told in words, and what cannot be is noticed.


@dataclass(frozen=True, slots=True)
class StonesDrawn:
    """A player has drawn stones out of the bag."""

    player: Person
    stones: Mapping[str, int]
    places: tuple[Mapping[str, str], ...] = ()


def drawing_stones(acorns: Manifest, folder: Path, sentence: str) -> Manifest:
    """Return a game each of whose takings draws two stones, with a sentence that tells it."""

    def decide(rules: Any, position: Any, command: Any) -> Any:
        events = original(rules, "decide")(position, command)
        is_taking = type(command).__name__ == "Take"
        drawn = StonesDrawn("red", {"peat": 2, "old_bog": 1, "heather": 0}, ({"at": "moor"},))
        return [*events, drawn] if is_taking else events

    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
    (folder / "en.po").write_text(head + f'msgctxt "event"\nmsgid "StonesDrawn"\nmsgstr "{sentence}"\n')
    (folder / "de.po").write_text(head + 'msgctxt "value"\nmsgid "peat"\nmsgstr "Torf"\n')
    with_stones = with_messages(acorns, events=(*acorns.messages().events, StonesDrawn))
    return replace(with_rules(with_stones, decide=decide), words=folder)


def test_a_bag_is_told_by_its_counts_in_the_words_of_its_kinds(acorns: Manifest, tmp_path: Path) -> None:
    game = drawing_stones(acorns, tmp_path, "{player} draws {stones}")
    event = {"event": "StonesDrawn", "player": "red", "stones": {"peat": 2, "old_bog": 1, "heather": 0}}

    assert Words("en", game).event(event, {"red": "Ada"}) == "Ada draws 2 Peat and 1 Old bog"
    assert "2 Torf" in Words("de", game).event(event, {"red": "Ada"})
    assert "as Python writes it" not in faults_of(game)


def test_a_sentence_with_a_value_as_python_writes_it_is_noticed(acorns: Manifest, tmp_path: Path) -> None:
    game = drawing_stones(acorns, tmp_path, "{player} draws {stones} at {places}")

    assert "en: StonesDrawn tells its places as Python writes it, [{'at': 'moor'}]" in faults_of(game)


# Misspelt names of words.


@pytest.mark.parametrize(
    ("context", "name", "said"),
    [
        ("hues", "red", "en.po has the context 'hues', which nothing reads: 'hue' is read"),
        (
            "event",
            "CardTaken.covers",
            "en.po has the sentence 'CardTaken.covers', which nothing reads without event_texts",
        ),
    ],
)
def test_a_misspelt_context_of_ones_own_and_a_misspelt_suffix_are_named(
    acorns: Manifest, tmp_path: Path, context: str, name: str, said: str
) -> None:
    @dataclass(frozen=True, slots=True)
    class Painted:
        hue: Annotated[str, Holds("choice", "hue")]

    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
    (tmp_path / "en.po").write_text(head + f'msgctxt "{context}"\nmsgid "{name}"\nmsgstr "Somebody has"\n')
    painted = with_messages(acorns, events=(*acorns.messages().events, Painted))

    assert said in list(check_game(replace(painted, words=tmp_path), 0, 1))
