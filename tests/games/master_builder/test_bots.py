"""Tables of bots play whole games by the rules."""

from collections.abc import Callable
from typing import Any

import pytest

from companion.adapters.journal.memory import InMemoryJournal
from companion.games.master_builder.bots.dealer import Act, Piles, next_act
from companion.games.master_builder.bots.middle import middle
from companion.games.master_builder.bots.strong import strong
from companion.games.master_builder.bots.turn import Bot
from companion.games.master_builder.rules.catalog import Effect
from companion.games.master_builder.rules.state import GamePosition
from companion.service.table.table import Request, Table
from tests.extent import by_night
from tests.games.master_builder.decks import deck
from tests.opened import house_deck, master_builder, shuffled, start_command
from tests.scenario import ALL_SEATS, Scenario, StoppedClock

IN_PLAY = 695_000
GAMES = 5


def table_of(players: int, seed: int) -> tuple[Table, Piles]:
    table = Table("t", master_builder({"house": house_deck()}), InMemoryJournal(), StoppedClock())
    table.submit(Request(start_command(players, seed), "banker", "test"))
    return table, shuffled(house_deck(), seed)


def give(table: Table, act: Act) -> None:
    """Submit an act to the table; a refusal fails the test."""
    table.submit(Request(table.game.codec.command_json(act.command), "banker", "test"))


def play(table: Table, piles: Piles, each: Callable[[Act], None] = lambda _act: None) -> dict[str, Any]:
    """Let the bots play to the end, and give the position there."""
    while (act := next_act(position(table), piles)) is not None:
        each(act)
        give(table, act)
    return shown(table)


def position(table: Table) -> GamePosition:
    assert table.position is not None
    position: GamePosition = table.position
    return position


def shown(table: Table) -> dict[str, Any]:
    position = table.position_json("banker")
    assert position is not None
    return position


@pytest.mark.parametrize("players", [3, *by_night(2, 4)])
def test_some_games_go_to_the_end_without_a_refusal_and_most_players_finish_a_building(players: int) -> None:
    finished = 0
    for seed in range(GAMES):
        end = play(*table_of(players, seed))
        assert end["finished"]
        assert len(end["standings"]) == players
        assert end["bank"] + end["on_contracts"] + sum(player["cash"] for player in end["players"].values()) == IN_PLAY
        finished += sum(bool(player["completed"]) for player in end["players"].values())

    assert finished / (GAMES * players) >= 0.6


def test_the_same_shuffle_gives_the_same_game() -> None:
    first, second = (play(*table_of(3, 7)) for _ in range(2))

    assert first == second
    assert first != play(*table_of(3, 8))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_bot_does_only_what_is_offered(players: int) -> None:
    table, piles = table_of(players, 11)

    def offered(act: Act) -> None:
        command = table.game.codec.command_json(act.command)
        offers = table.show("banker")["offers"]
        assert any(
            offer["do"] == command["do"] and offer.get("player", command.get("player")) == command.get("player")
            for offer in offers
        ), command

    play(table, piles, offered)


def test_what_a_card_can_say_is_laid_and_the_rest_is_tapped() -> None:
    table, piles = table_of(3, 5)
    laid: dict[str, set[int]] = {}

    def note(act: Act) -> None:
        verb = table.game.codec.command_json(act.command)["do"]
        laid.setdefault(verb, set()).add(len(act.cards))

    play(table, piles, note)
    assert laid["hire_worker"] == laid["open_auction"] == laid["reveal_contracts"] == {1}
    assert laid["turn_economy"] == laid["turn_event"] == {1}
    assert laid["bid"] == laid["plan"] == laid["pass"] == {0}


def test_cards_come_from_the_top_of_their_piles() -> None:
    table, piles = table_of(2, 9)
    play(table, piles)
    end = position(table).state

    assert end.turned_events == piles.events[: len(end.turned_events)]
    assert end.turned_economy == piles.economy[: len(end.turned_economy)]
    assert set(end.seen) == set(piles.contracts[: len(end.seen)])


def test_when_the_game_is_over_there_is_nothing_to_do() -> None:
    table, piles = table_of(2, 1)
    play(table, piles)

    assert next_act(position(table), piles) is None


# ------------------------------------------------------------------------------ moments that games seldom reach
def reveal_all(given: Scenario) -> None:
    given.reveal(*given.offer("reveal_contracts")["fields"]["contracts"]["values"][: given.position["reveal_due"]])


def next_command(given: Scenario, bot: Bot = strong) -> dict[str, Any]:
    act = next_act(position(given.table), shuffled(deck(), 1), dict.fromkeys(ALL_SEATS, bot))
    assert act is not None
    command: dict[str, Any] = given.table.game.codec.command_json(act.command)
    give(given.table, act)
    return command


def test_a_first_crew_takes_whoever_is_left_when_its_types_are_gone() -> None:
    given = Scenario("blue", "yellow")
    given.give_cards("yellow", *(card.id for card in deck().workers if card.type != "A"))

    hired = [next_command(given) for _ in range(4)]

    assert {command["do"] for command in hired} == {"hire_worker"}
    assert [given.table.catalog_json()["workers"][command["worker"]]["type"] for command in hired] == ["A"] * 4


def test_who_must_take_a_contract_and_cannot_pay_borrows() -> None:
    given = Scenario("blue", "yellow")
    given.hire()
    reveal_all(given)
    given.give_money("blue", 0)
    assert next_command(given)["player"] == "yellow"
    given.pass_all_in_auction()
    given.do("pass", player="yellow")

    assert given.asks() == (["blue"], ["borrow"])
    assert next_command(given) == {"do": "borrow", "player": "blue", "loan": "small"}
    assert next_command(given)["do"] == "open_auction"


def test_small_loans_are_paid_back_as_soon_as_there_is_plenty() -> None:
    given = Scenario("blue", "yellow")
    given.hire()
    given.to("events")
    given.give_money("blue", 0)
    given.to("hire", 2)
    assert given.player("blue")["loans"]["small"] or given.player("blue")["loans"]["large"]
    given.give_money("blue", 90_000)
    given.do("pass", player="yellow")

    paid = next_command(given)

    assert (paid["do"], paid["player"]) == ("repay", "blue")


def test_an_owner_gives_up_workers_and_sections_where_he_must_choose() -> None:
    given = Scenario(
        "blue", "yellow", catalog=deck(events={"E05": [Effect("dismiss", count=1), Effect("raze", count=1)]})
    )
    given.hire()
    given.to("events")
    given.do("turn_event", card="E05")
    before = given.player("blue")["workers"]

    assert next_command(given, middle) == {"do": "choose_workers", "player": "blue", "workers": [max(before)]}
