"""`companion game check`: each kind of fault is noticed in a game that has it, and games without faults have none."""

# ruff: noqa: ARG001 - the functions that replace those of a game take what the engine gives them

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any, cast

import pytest

from companion.bootstrap.games import word_gaps
from companion.bot_games.trial import check_game
from companion.bot_games.trial_report import TrialReport, alike_faults, remarks
from companion.engine.game import Offer, OneOf, Refused, SomeOf
from companion.engine.ledger import BOX, Posting, Transaction, player_account, transfer
from companion.game_api.boards import Cell, GameBoard, Marker
from companion.game_api.capabilities import Capabilities
from companion.game_api.cards import CardKind
from companion.game_api.choices import CardDrawn
from companion.game_api.drawing import Drawing
from companion.game_api.manifest import Manifest
from companion.game_api.messages import Actor, Holds
from companion.game_api.stage import Stage, StageDirector, StageFact, StageSeat
from companion.game_api.teaching import Number
from companion.game_api.ui import TableView
from companion.games import master_builder, men_at_work, monopoly_builder
from tests.games.acorns import acorns, never_ends, original, refuses_a_card, with_messages, with_rules

__all__ = ["acorns"]  # fixture

GAMES = 12
OF_THE_HOUSE = {module.GAME.name: module.GAME for module in (master_builder, men_at_work, monopoly_builder)}


def faults_of(manifest: Manifest, games: int = GAMES) -> list[str]:
    return list(check_game(manifest, games, seed=1))


def test_the_game_that_is_written_has_no_fault(acorns: Manifest) -> None:
    assert faults_of(acorns) == []


@pytest.mark.slow
@pytest.mark.parametrize("game", OF_THE_HOUSE)
def test_the_games_of_the_house_have_no_fault_that_one_game_shows(game: str) -> None:
    games = {"monopoly_builder": 0}.get(game, 1)  # a random game of it takes ten seconds

    assert faults_of(OF_THE_HOUSE[game], games) == []


@pytest.mark.nightly
@pytest.mark.parametrize(("game", "games"), [("master_builder", 300), ("men_at_work", 300), ("monopoly_builder", 20)])
def test_the_games_of_the_house_have_no_fault_in_many_games(game: str, games: int) -> None:
    assert faults_of(OF_THE_HOUSE[game], games) == []


# Faults that games show: what a function does instead, and what is said of it.


def offers_to_everybody(rules: Any, position: Any, player: str) -> Sequence[Offer]:
    (turn,) = rules.overview(position).waiting_for or (player,)
    own = original(rules, "offers")(position, turn)
    return [replace(offer, player=player, addressed=False, given=(("player", turn),)) for offer in own]


def offers_nothing_to_choose(rules: Any, position: Any, player: str) -> Sequence[Offer]:
    return [Offer("take", player, fields=(("card", OneOf(())),))]


def offers_too_few(rules: Any, position: Any, player: str) -> Sequence[Offer]:
    return [Offer("take", player, fields=(("card", SomeOf(("A01",), 2, 1)),))]


def offers_nothing(rules: Any, position: Any, player: str) -> Sequence[Offer]:
    return []


def offers_after_the_end(rules: Any, position: Any, player: str) -> Sequence[Offer]:
    return [*original(rules, "offers")(position, player), Offer("take", player, given=(("card", "A01"),))]


def misses_a_figure(rules: Any, position: Any) -> Any:
    return position.state.no_such_figure


def shows_a_set(rules: Any, position: Any, viewer: str) -> Mapping[str, Any]:
    return {**original(rules, "view")(position, viewer), "colours": [{1, 2}]}


def shows_a_number_as_key(rules: Any, position: Any, viewer: str) -> Mapping[str, Any]:
    return {"players": {1: {}}}


def changes_the_state(rules: Any, state: Any, event: Any) -> Any:
    after = original(rules, "evolve")(state, event)
    if state is not None:
        object.__setattr__(state, "hands", after.hands)
    return after


def remembers(rules: Any, state: Any, event: Any) -> Any:
    after = original(rules, "evolve")(state, event)
    rules.count = getattr(rules, "count", 0) + 1
    return replace(after, players=after.players if rules.count % 3 else after.players[::-1])


def moves_half(rules: Any, event: Any) -> Transaction | None:
    return Transaction((Posting(player_account("red"), 1),)) if type(event).__name__ == "CardTaken" else None


def goes_into_debt(rules: Any, event: Any) -> Transaction | None:
    return transfer(player_account(event.player), BOX, 5) if type(event).__name__ == "CardTaken" else None


def deals_ten(rules: Any, event: Any) -> Transaction | None:
    if type(event).__name__ != "GameStarted":
        return None
    dealt = [Posting(player_account(player.id), 10) for player in event.players]
    return Transaction((Posting(BOX, -10 * len(dealt)), *dealt))


def shows_no_money(rules: Any, position: Any, player: str) -> Mapping[str, int]:
    return {}


def refuses_with_the_money_of_others(rules: Any, position: Any, command: Any) -> Sequence[Any]:
    try:
        events: Sequence[Any] = original(rules, "decide")(position, command)
    except Refused as refused:
        balances = () if position is None else position.ledger.balances
        raise Refused(refused.rule, **{**refused.details, "richest": max((cash for _, cash in balances), default=0)})  # noqa: B904
    return events


def refuses_without_figures(rules: Any, position: Any, command: Any) -> Sequence[Any]:
    try:
        events: Sequence[Any] = original(rules, "decide")(position, command)
    except Refused as refused:
        raise Refused(refused.rule) from None
    return events


def refuses_in_evolve(rules: Any, state: Any, event: Any) -> Any:
    raise Refused("not_now")


def forgets_the_last(rules: Any, position: Any) -> Any:
    overview = original(rules, "overview")(position)
    return replace(overview, standings=overview.standings[:-1])


def keeps_the_owner_secret(rules: Any, event: Any) -> str | None:
    return event.player if type(event).__name__ == "CardTaken" else None


@dataclass(frozen=True)
class Wrong:
    functions: Mapping[str, Callable[..., Any]]
    said: str


WRONG = {
    "an offer is refused": Wrong({"decide": refuses_a_card}, "offers take and refuses it: card_not_offered"),
    "an offer is somebody else's": Wrong({"offers": offers_to_everybody}, "and only red may give it"),
    "an offer is empty": Wrong({"offers": offers_nothing_to_choose}, "offers take with nothing that a field could"),
    "nothing is offered": Wrong({"offers": offers_nothing}, "stops: nothing is offered, and the game is not over"),
    "the end has offers": Wrong({"offers": offers_after_the_end}, "offers take although the game is over"),
    "a function raises": Wrong({"overview": misses_a_figure}, "overview raises AttributeError: 'State' object has no"),
    "a view holds a set": Wrong({"view": shows_a_set}, "is no JSON: colours[0] is a set"),
    "a view has numbers": Wrong({"view": shows_a_number_as_key}, "no JSON: players has the key 1, which is no text"),
    "there is no end": Wrong(
        {"evolve": never_ends}, "only 0 of 4 games reach an end within 200 commands, so the other 8 were not played"
    ),
    "a state is changed": Wrong({"evolve": changes_the_state}, "undo is not exact: CardTaken"),
    "rules remember": Wrong({"evolve": remembers}, "is another when its events are read again"),
    "money comes from nowhere": Wrong({"account_for": moves_half}, "account_for raises UnbalancedError"),
    "money falls below zero": Wrong({"account_for": goes_into_debt}, "player:red has -5 after CardTaken"),
    "more is to be chosen than there is": Wrong(
        {"offers": offers_too_few, "account_for": deals_ten, "_money": shows_no_money},
        "with nothing that a field could",
    ),
    "a refusal lacks figures": Wrong(
        {"decide": refuses_without_figures}, "fr: the sentence for the refusal card_not_offered has {card}, which it"
    ),
    "evolve refuses": Wrong({"evolve": refuses_in_evolve}, "evolve refuses (not_now); only decide may"),
    "a player has no rank": Wrong({"overview": forgets_the_last}, "the standings at the end leave out"),
    "a refusal tells of money": Wrong(
        {"decide": refuses_with_the_money_of_others, "account_for": deals_ten, "_money": shows_no_money},
        "how much money",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_with_rules_is_noticed(acorns: Manifest, case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.bot_games.trial.MOST_COMMANDS", 200)
    wrong = WRONG[case]
    faults = faults_of(with_rules(acorns, **wrong.functions))

    assert [fault for fault in faults if wrong.said in fault], faults
    assert all("to see it again: --seed " in fault for fault in faults if "phase" in fault)


def test_a_fault_is_seen_again_by_its_seed(acorns: Manifest) -> None:
    def seldom(rules: Any, position: Any, viewer: str) -> Mapping[str, Any]:
        if len(position.state.seats) == 4 and len(position.state.table()) == 2:
            raise KeyError("four")
        shown: Mapping[str, Any] = original(rules, "view")(position, viewer)
        return shown

    wrong = with_rules(acorns, view=seldom)
    fault = next(fault for fault in check_game(wrong, 40, seed=1) if "view raises KeyError" in fault)
    seed = int(fault.split("--seed ")[1].split()[0])

    assert fault in list(check_game(wrong, 1, seed))


def test_what_is_secret_is_told_to_nobody_else(acorns: Manifest) -> None:
    # given a game that calls a card secret, and shows it to everybody
    secret = with_messages(acorns, secret=frozenset({"CardTaken"}))
    faults = faults_of(with_rules(secret, secret_of=keeps_the_owner_secret))

    assert [fault for fault in faults if fault.startswith(("view tells", "offers tells")) and "CardTaken" in fault]
    assert any("what CardTaken holds back" in fault for fault in faults)


def test_a_command_that_is_never_offered_is_named(acorns: Manifest) -> None:
    @dataclass(frozen=True, slots=True)
    class Wink:
        player: str

    def decides(rules: Any, position: Any, command: Any) -> Sequence[Any]:
        if isinstance(command, Wink):
            raise Refused("not_now")
        events: Sequence[Any] = original(rules, "decide")(position, command)
        return events

    commands = (*acorns.messages().commands, Wink)
    wrong = with_rules(with_messages(acorns, commands=commands), decide=decides)

    assert faults_of(wrong, 50) == ["the command wink is offered in no position that was reached"]


def test_what_words_and_capabilities_raise_is_noticed_although_the_program_would_play_on(acorns: Manifest) -> None:
    class Texts:
        """Cannot say which sentence tells an event."""

        def variant(self, event: Any) -> str:
            raise KeyError(event["event"])

        record = card = variant

    def no_scores(position: Any, viewer: str) -> Any:
        raise ValueError(len(position.state.seats), viewer)

    texts: Any = Texts
    wrong = replace(acorns, event_texts=texts, capabilities=lambda: Capabilities(scores=no_scores))
    faults = " ".join(faults_of(wrong))

    assert "event_texts.variant raises KeyError: 'CardTaken', in " in faults
    assert "capabilities.scores raises ValueError: (" in faults


class HalfADirector:
    """A stage without `choices`, whose `stage` takes nothing."""

    def stage(self) -> None:
        """Do nothing."""


def no_drawings() -> Any:
    raise ImportError("wants a package that is not here")


def test_parts_are_compared_with_their_protocols(acorns: Manifest) -> None:
    wrong: Any = replace(acorns, stage=cast("Any", HalfADirector), drawings=no_drawings, label_code="AD")

    assert {
        "its drawings cannot be loaded: ImportError: wants a package that is not here",
        "its stage has a function stage that cannot be called with (scene)",
        "its stage has no function choices",
        "its rules have the label_code 'AC', its manifest 'AD'",
    } <= {*faults_of(wrong, 0)}


class HalfATeacher:
    """Asks about cards, and forgets the second one."""

    cards: Mapping[str, Sequence[str]] = {"card": ("A01", "A02")}

    def fields(self, card: str) -> Sequence[Number]:
        """Ask for what a card is worth."""
        return {"A01": [Number("worth", 9)]}[card]

    def usual(self, card: str, taught: object) -> dict[str, object]:
        """Propose nothing."""
        del card, taught
        return {}


def test_a_card_that_a_game_cannot_ask_about_is_named(acorns: Manifest) -> None:
    wrong = replace(acorns, teaching=cast("Any", HalfATeacher))

    assert "its teaching cannot ask for A02: KeyError: 'A02'" in [*faults_of(wrong, 0)]


def draw_the_first(card: str, *_: object) -> Drawing:
    return {"A01": Drawing(63, 88, ())}[card]


def test_a_card_that_a_game_cannot_draw_is_named(acorns: Manifest) -> None:
    wrong: Any = replace(acorns, drawings=lambda: SimpleNamespace(front=draw_the_first, back=draw_the_first))

    assert "its drawings cannot draw the front of A02: KeyError: 'A02'" in [*faults_of(wrong, 0)]


def test_a_sentence_with_a_place_that_the_english_one_lacks_is_named(acorns: Manifest, tmp_path: Path) -> None:
    english = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\nmsgctxt "refused"\nmsgid "too_dear"\n'
    (tmp_path / "en.po").write_text(english + 'msgstr "{card} is too dear."\n')
    (tmp_path / "de.po").write_text(english + 'msgstr "{card} ist für {payer} zu teuer."\n')

    assert faults_of(replace(acorns, words=tmp_path), 0)[0] == (
        "de.po: 'too_dear' has {payer}, which the English sentence does not have"
    )


def test_lines_that_are_torn_and_contexts_that_nothing_reads_are_named(acorns: Manifest, tmp_path: Path) -> None:
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
    (tmp_path / "en.po").write_text(head + 'msgctxt "events"\nmsgid "CardTaken"\nmsgstr "{player} takes {card}\n')

    assert {
        'en.po:6: the text has no quotation mark at its end: msgstr "{player} takes {card}',
        "en.po has the context 'events', which nothing reads: 'event' is read",
    } <= {*faults_of(replace(acorns, words=tmp_path), 0)}


def test_what_a_language_lacks_is_listed_and_is_no_fault(acorns: Manifest, tmp_path: Path) -> None:
    assert acorns.words is not None
    english = (acorns.words / "en.po").read_text()
    (tmp_path / "en.po").write_text(english)
    german = (acorns.words / "de.po").read_text().replace("{player} nimmt {card}", "{player} nimmt")
    (tmp_path / "de.po").write_text(german.replace('msgctxt "command"\nmsgid "take"\nmsgstr "Nehmen"\n', ""))
    wordless = replace(acorns, words=tmp_path)

    assert faults_of(wordless, 0) == []
    assert list(word_gaps(wordless)) == [
        "de.po lacks 1 of 9 texts, which are English there: command take",
        "de.po: the event CardTaken leaves out {card}",
    ]


def test_declarations_that_cannot_be_meant_are_named(acorns: Manifest) -> None:
    @dataclass(frozen=True, slots=True)
    class Wink:
        player: Actor
        card: Annotated[str, Holds(cast("Any", "crad"))]

    messages = acorns.messages()
    wrong = with_messages(acorns, commands=(*messages.commands, Wink), events=(*messages.events, CardDrawn))
    kinds = (*acorns.kinds, CardKind("ace", "A01", "cards"))
    faults = faults_of(replace(wrong, seats=replace(acorns.seats, most=6), kinds=kinds), 0)

    assert "it is for 2 to 6 players and has 4 colours to seat them" in faults
    assert "its card A01 is of several kinds: let their patterns exclude each other" in faults
    assert any(fault.startswith("CardDrawn stays secret when the game is over") for fault in faults)
    assert any(fault.startswith("Wink.card holds 'crad', which is no kind of value") for fault in faults)


def test_an_event_that_happens_in_no_game_is_named(acorns: Manifest) -> None:
    @dataclass(frozen=True, slots=True)
    class Storm:
        pass

    wrong = with_messages(acorns, events=(*acorns.messages().events, Storm))

    assert faults_of(wrong, 50) == ["the event Storm happens in no game: nothing that was offered leads to it"]


def test_cards_of_no_kind_are_listed_and_are_no_fault(acorns: Manifest) -> None:
    met = TrialReport()
    strange = replace(acorns, kinds=tuple(replace(kind, ids="A0[12]") for kind in acorns.kinds))

    assert list(check_game(strange, 1, 1, met=met)) == []
    assert [remark for remark in remarks(strange, met) if "of no kind" in remark] == [
        "of no kind of card are A03, A04, A05, A06: no page asks for them by a kind"
    ]
    assert met.of_no_kind


def test_a_rule_that_uses_chance_is_noticed(acorns: Manifest) -> None:
    counted = count()

    def decides(rules: Any, position: Any, command: Any) -> Sequence[Any]:
        events: Sequence[Any] = original(rules, "decide")(position, command)
        if position is None or not hasattr(command, "card"):
            return events
        table = position.state.table()
        return [replace(events[0], card=table[next(counted) % len(table)])]

    assert "decide answers take otherwise when it is asked again" in " ".join(
        faults_of(with_rules(acorns, decide=decides))
    )


def test_faults_that_differ_in_ids_alone_are_one_line() -> None:
    faults = {
        "player:red has -5 after CardTaken (phase taking)": 3,
        "player:blue has -12 after CardTaken (phase row)": 7,
    }

    assert alike_faults(faults) == [("player:red has -5 after CardTaken (phase taking)", 3, 2)]


# Faults of what lies on the table.


def scenes(**values: Any) -> Any:
    """Return a stage with these values."""

    class Scenes(StageDirector):
        def stage(self, scene: TableView) -> Stage:
            return Stage(**{"title": scene.phase, **values})

    return Scenes


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"title": 5}, "stage.title is the int 5, and no str"),
        ({"picture": "nut.png"}, "stage.picture is the str 'nut.png', which it may not be"),
        ({"tone": "sad"}, "stage.tone is 'sad', and may be '', 'alarm', 'joy'"),
        ({"surfaces": (None,)}, "stage.surfaces[0] is None, which it may not be"),
        ({"facts": (StageFact("Round", cast("Any", 3)),)}, "stage.facts[0].figure is the int 3, and no str"),
        ({"surfaces": (GameBoard("Field", 1, 1, (Cell(1, shade=cast("Any", "gren")),)),)}, "cells[0].shade is 'gren'"),
        ({"seats": {"grey": StageSeat()}}, "en: the stage names 'grey', who does not play"),
        ({"losing": ("grab",)}, "en: the stage names 'grab' as losing, which is no command"),
    ],
)
def test_what_is_wrong_with_a_scene_is_noticed(acorns: Manifest, values: dict[str, Any], said: str) -> None:
    assert said in " ".join(faults_of(replace(acorns, stage=scenes(**values)), 1))


def test_a_scene_is_drawn_for_each_player(acorns: Manifest) -> None:
    class Own(StageDirector):
        """Cannot show what it shows a player alone."""

        def stage(self, scene: TableView) -> Stage:
            if scene.position["viewer"] in scene.players:
                raise KeyError("hand")
            return Stage(title="The field")

    assert "stage.stage raises KeyError: 'hand'" in " ".join(faults_of(replace(acorns, stage=Own), 1))


class WrongBoard(StageDirector):
    """Shows a board with a cell that stands twice and a marker of nobody; its taps name no field of the offer."""

    def stage(self, scene: TableView) -> Stage:
        """Return the scene."""
        tap = {"do": "take", "crad": scene.position["table"][0]} if scene.position["table"] else None
        board = GameBoard("Field", 2, 2, (Cell(1), Cell(1), Cell(2, pieces=(Marker("grey"),), command=tap)))
        return Stage(title="The field", surfaces=(board,))


class RaisingStage(StageDirector):
    """Cannot show any position."""

    def stage(self, scene: TableView) -> Stage:
        """Raise an exception."""
        raise KeyError(scene.phase)


def test_what_is_wrong_with_a_board_is_noticed(acorns: Manifest) -> None:
    faults = " ".join(faults_of(replace(acorns, stage=WrongBoard), 50))

    assert "en: the board 'Field' has the cell of column 1, row 1 twice" in faults
    assert "en: a marker is of 'grey', who does not play" in faults
    assert "a tap gives take, crad, and no position that was reached offers such a command" in faults


def test_a_stage_that_cannot_show_a_position_is_noticed(acorns: Manifest) -> None:
    assert "stage.stage raises KeyError: 'taking'" in " ".join(faults_of(replace(acorns, stage=RaisingStage)))
