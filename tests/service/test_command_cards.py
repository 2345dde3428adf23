"""Cards that say YES, NO, PASS, UNDO and SUGGEST, laid down or scanned."""

import pytest

from companion import bootstrap
from companion.engine.game import Refused
from companion.games.master_builder import GAME
from companion.service.ports import NotStored
from tests.opened import house_labels
from tests.service.hands import HIRE_W07, Hands, played_until
from tests.service.house_tables import give


@pytest.fixture
def hands() -> Hands:
    return Hands()


def test_command_cards_lie_in_the_deck_that_is_read() -> None:
    deck = house_labels()

    assert {deck.card_of(text) for text in bootstrap.command_card_texts(GAME).values()} == {
        f"X0{n}" for n in range(1, 6)
    }


def test_yes_carries_out_the_oldest_question_and_no_waves_it_away(hands: Hands) -> None:
    hands.scan("W07")
    hands.show("MB1X02")
    assert hands.asked() == []

    hands.scan("W07")
    hands.show("MB1X01")

    assert hands.shown["players"]["blue"]["workers"] == ["W07"]
    assert hands.table.entries[-1].actor == "banker"


@pytest.mark.parametrize("card", ["X01", "X02", "X03", "X04", "X05"])
def test_a_command_card_says_so_where_it_is_not_offered_and_does_nothing(hands: Hands, card: str) -> None:
    with pytest.raises(Refused, match="card_means_nothing"):
        hands.scan(card)
    hands.show(f"MB1{card}")

    assert hands.table.version == 1
    proposals = [(proposal["card"], proposal["command"], proposal["question"]["rule"]) for proposal in hands.asked()]
    assert proposals == ([] if card == "X04" else [(card, None, "card_means_nothing")])


def test_what_was_said_of_a_command_card_goes_with_the_next_act(hands: Hands) -> None:
    hands.show("MB1X03")
    assert hands.asked() != []

    give(hands.table, HIRE_W07)

    assert hands.asked() == []


def test_a_yes_passes_over_a_card_that_only_says_why(hands: Hands) -> None:
    give(hands.table, HIRE_W07)
    hands.show("MB1W07")
    assert hands.asked()[0]["command"] is None

    hands.show("MB1X01")
    assert hands.table.version == 2
    assert [hands.scan("X02")["did"] for _ in range(2)] == ["no", "no"]
    assert hands.asked() == []


def test_undo_takes_the_last_entry_back_and_lies_there_without_undoing_more(hands: Hands) -> None:
    hands.proposals.set_level(hands.table, "automatic", "command")
    for card in ("W07", "W08"):
        hands.scan(card)
        assert hands.scan("X01")["entry"]["command"]["worker"] == card

    hands.show("MB1X04", frames=12)

    assert [entry.command["do"] for entry in hands.table.entries][-1] == "undo"
    assert hands.table.version == 4


def test_a_players_undo_is_for_his_own_last_act(hands: Hands) -> None:
    hands.scan("W07", "blue")
    hands.scan("X01", "blue")

    with pytest.raises(Refused, match="card_means_nothing"):
        hands.scan("X04", "yellow")
    assert hands.scan("X04", "blue")["did"] == "undo"


def test_pass_is_for_the_one_whose_turn_it_is() -> None:
    hands = Hands()
    played_until(hands, lambda: any(offer["do"] == "pass" for offer in hands.table.show("banker")["offers"]))
    turn = hands.shown["waiting_for"][0]
    other = next(player for player in hands.shown["players"] if player != turn)

    with pytest.raises(Refused, match="card_means_nothing"):
        hands.scan("X03", other)
    assert hands.scan("X03", turn)["entry"]["command"] == {"do": "pass", "player": turn}


def test_a_command_card_that_cannot_be_stored_says_so_and_counts_when_it_is_laid_again(
    hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given somebody who may pass, and a journal that is busy for a moment
    played_until(hands, lambda: any(offer["do"] == "pass" for offer in hands.table.show("banker")["offers"]))
    version = hands.table.version

    def busy(*_: object, **__: object) -> None:
        raise NotStored("locked")

    # when the card PASS is shown, then nothing is done, and the table says so
    with monkeypatch.context() as moment:
        moment.setattr(hands.table._journal, "append", busy)
        hands.show("MB1X03")
    assert hands.table.version == version
    assert [(asked["command"], asked["question"]["rule"]) for asked in hands.asked()] == [(None, "card_not_stored")]

    # when it is taken away and shown again, then it counts
    hands.show(frames=12)
    hands.show("MB1X03")
    assert hands.table.entries[-1].command["do"] == "pass"
    assert hands.asked() == []


def test_suggest_is_told_to_the_screen_until_the_table_moves_on() -> None:
    hands = Hands()
    played_until(hands, lambda: hands.shown["phase"] == "build")
    first, second = hands.shown["waiting_for"][:2]

    assert hands.scan("X05") == {"card": "X05", "proposal": None, "did": "suggest", "entry": None}
    shown = hands.proposals.open_suggestion(hands.table.id, "banker")
    assert shown is not None
    assert shown["player"] == first
    assert hands.proposals.open_suggestion(hands.table.id, first) is None, "it was the banker who asked"
    hands.scan("X05", second)
    assert (hands.proposals.open_suggestion(hands.table.id, second) or {})["player"] == second
    give(hands.table, {"do": "plan", "player": first, "work": {}})
    assert hands.proposals.open_suggestion(hands.table.id, second) is None
