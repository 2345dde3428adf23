"""Every step of the plug-in API: what is offered is accepted, what is accepted was offered, and it comes to an end."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.bot_games.trial import play_trial
from companion.bot_games.trial_report import TrialReport
from companion.engine.game import LARGEST, Placement, Refused
from companion.engine.ledger import BANK, Ledger, player_account, transfer
from companion.game_api import corrections
from companion.game_api.auctions import AuctionOpened, Bid, LotSold, Pass, auction_of
from companion.game_api.capabilities import seat_bots
from companion.game_api.choices import (
    DrawCard,
    DrawCards,
    DrawHand,
    FillHands,
    FillRow,
    PlayCard,
    Trade,
    TurnUp,
)
from companion.game_api.corrections import PlayerRenamed, RenamePlayer
from companion.game_api.event_recorder import payment
from companion.game_api.manifest import COLOURS, LoadedGame
from companion.game_api.messages import Card, Command, Event, Person, collect_messages, common_fields, show_fields
from companion.game_api.seating import rank_players
from companion.game_api.steps import PlayStep, TurnStep
from companion.service.camera.proposal_service import command_for_word
from companion.service.table.past import explained_players
from companion.service.table.table import Request, Table
from tests.game_api.step_table import (
    CATALOG,
    MESSAGES,
    SEATS,
    Hide,
    Hiding,
    Playing,
    State,
    accepts,
    begun,
    command_of,
    due,
    first_hands,
    give,
    is_covered,
    sold,
    stones,
)

PILE = CATALOG.ids[4:]
MAKERS: dict[str, Callable[[Sequence[str]], PlayStep]] = {
    "english": lambda seats: auction_of(AuctionOpened("S05", tuple(seats))),
    "english with a leader": lambda seats: auction_of(
        AuctionOpened("S05", tuple(seats), least=2, step=2, leader=seats[1], bid=2)
    ),
    "once around": lambda seats: auction_of(AuctionOpened("S05", tuple(seats), kind="once_round")),
    "sealed": lambda seats: auction_of(AuctionOpened("S05", tuple(seats), least=2, kind="sealed")),
    "secret choice": lambda seats: Hiding(players=tuple(seats)),
    "row": lambda seats: FillRow(player=seats[0], size=2, pile=PILE),
    "once around, of a player's own": lambda seats: auction_of(
        AuctionOpened("S05", tuple(seats[1:]), least=1, step=2, kind="once_round", seller=seats[0])
    ),
    "draw": lambda seats: DrawCards(player=seats[0], count=1, pile=PILE),
    "hands": lambda seats: FillHands(players=tuple(seats), hands=first_hands(seats), pile=CATALOG.ids, size=3),
    "play": lambda seats: Playing(tuple(seats), seats[0]),
}
MOST_COMMANDS = 60

games = pytest.mark.parametrize("game", [stones(make) for make in MAKERS.values()], ids=MAKERS)
cards = st.sampled_from(CATALOG.ids)
some_cards = st.lists(cards, max_size=2).map(tuple)
players = st.sampled_from(SEATS)
money = st.integers(-1, 9)
commands = st.one_of(
    st.builds(Bid, players, money),
    st.builds(Pass, players),
    st.builds(TurnUp, players, cards),
    st.builds(DrawCard, players, cards),
    st.builds(DrawHand, players, some_cards),
    st.builds(PlayCard, players, cards),
    st.builds(Hide, players, some_cards),
    st.builds(Trade, players, players, some_cards, some_cards, money, money),
)


@games
@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**16), st.lists(commands, min_size=4, max_size=12), st.integers(2, 3))
def test_a_step_takes_all_that_it_offers_and_nothing_else_and_ends(
    game: LoadedGame, seed: int, others: list[Any], number: int
) -> None:
    lots, table = random.Random(seed), begun(game, number)
    for _ in range(MOST_COMMANDS):
        if not due(table):
            break
        # given any commands, then the rules accept those that an offer covers
        for command in others:
            assert accepts(table, command) == is_covered(table, command), command
        # when one that is offered is given, then it is accepted
        give(table, command_of(lots.choice(due(table)), lots))
    assert table.overview is not None
    assert table.overview.finished


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**16), st.lists(commands, min_size=4, max_size=12))
def test_trades_are_offered_as_they_are_accepted(seed: int, others: list[Any]) -> None:
    lots, table = random.Random(seed), begun(stones(MAKERS["sealed"], trades=True))
    for _ in range(4):
        assert table.position is not None
        offers = [offer for offer in table.game.rules.offers(table.position, "red") if offer.do == "trade"]
        for command in others:
            assert accepts(table, command) == is_covered(table, command), command
        give(table, command_of(lots.choice(offers), lots))


@pytest.mark.parametrize("kind", ["sealed", "secret choice", "draw", "hands"])
@settings(max_examples=5, deadline=None)
@given(st.integers(0, 2**16), st.integers(0, 2**16))
def test_two_secrets_look_the_same_to_everybody_else(kind: str, seed: int, other_seed: int) -> None:
    tables = [begun(stones(MAKERS[kind])) for _ in range(2)]
    for table, lots in zip(tables, (random.Random(seed), random.Random(other_seed)), strict=True):
        mine = lots.choice([offer for offer in due(table) if offer.player == "red"])
        give(table, command_of(mine, lots), "red")

    for viewer in ("blue", "spectator", "banker") if kind not in ("draw", "hands") else ("blue", "spectator"):
        first, second = ((table.position_json(viewer), open_entries(table, viewer)) for table in tables)
        assert first == second


def open_entries(table: Table, viewer: str) -> Any:
    """Return the latest entry as a viewer sees it; a draw ends the game here, whose end tells nothing of the card."""
    entry = table.journal(viewer)[-1]
    return entry["command"], entry["events"]


@pytest.mark.parametrize("kind", ["sealed", "secret choice"])
def test_a_secret_is_known_to_its_player_and_revealed_with_those_of_all(kind: str) -> None:
    # given one who has chosen
    table, lots = begun(stones(MAKERS[kind])), random.Random(3)
    mine = next(offer for offer in due(table) if offer.player == "red")
    command = command_of(mine, lots)
    give(table, command, "red")

    # then they see what they chose, and others that they did
    (name,) = (name for name, _ in mine.fields)
    assert table.journal("red")[-1]["events"][0][name] == command[name]
    assert name not in table.journal("blue")[-1]["events"][0]
    assert table.journal("blue")[-1]["command"] == {"do": command["do"], "player": "red"}
    assert table.position_json("red")["own_choice"] == {name: _listed(command[name])}  # type: ignore[index]
    assert table.position_json("blue")["own_choice"] == {}  # type: ignore[index]

    # when the others have chosen, then everybody sees it
    while due(table):
        give(table, command_of(due(table)[0], lots))
    assert table.journal("blue")[1]["events"][0][name] == command[name]


def _listed(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def test_a_choice_is_not_held_up_by_what_others_choose_meanwhile() -> None:
    table = begun(stones(MAKERS["secret choice"]))
    seen = table.version
    give(table, {"do": "hide", "player": "blue", "cards": []}, "blue")

    table.submit(Request({"do": "hide", "player": "red", "cards": []}, "red", "test", seen))

    assert table.overview is not None
    assert table.overview.waiting_for == ("yellow",)


def test_hidden_money_is_its_owners_and_the_bankers_until_the_end() -> None:
    table = begun(stones(MAKERS["english"]))

    def purses(viewer: str) -> list[Any]:
        shown = table.position_json(viewer)
        assert shown is not None
        return [figures["cash"] for figures in shown["players"].values()]

    assert purses("red") == [7, None, None]
    assert purses("spectator") == [None, None, None]
    assert purses("banker") == [7, 5, 3]
    for _ in SEATS:
        give(table, {"do": "pass", "player": due(table)[0].player})
    assert purses("spectator") == [7, 5, 3]


def test_what_is_asked_of_others_is_answered_alike_whatever_they_have() -> None:
    tables = [begun(stones(MAKERS["english"], purses=purses, trades=True)) for purses in ((7, 5, 3), (7, 1, 7))]

    def as_seen(table: Table) -> list[int]:
        assert table.position is not None
        ledger = table.game.as_known(table.position, "red").ledger
        return [ledger.balance(f"player:{seat}") for seat in SEATS]

    assert as_seen(tables[0]) == as_seen(tables[1]) == [7, LARGEST, LARGEST]


def test_money_is_shown_and_explained_though_all_begin_with_nothing() -> None:
    table = begun(stones(MAKERS["row"], purses=(0, 0, 0)))

    assert table.position_json("red")["players"]["red"]["cash"] == 0  # type: ignore[index]
    assert explained_players(table, "banker") == frozenset(SEATS)


def test_what_a_bank_has_paid_may_be_asked_for_in_a_trade_though_it_is_hidden() -> None:
    # given a game whose money comes from the bank and not from the box
    table = begun(stones(MAKERS["english"], purses=(0, 0, 0), trades=True))
    assert table.position is not None
    paid = Ledger().post(transfer(BANK, player_account("blue"), 5))
    position = table.game.as_known(replace(table.position, ledger=paid), "red")

    assert table.game.rules.decide(position, Trade("red", "blue", give=("S01",), ask=5))


@pytest.mark.parametrize(
    ("bids", "winner", "price"),
    [
        ([("red", 1), ("blue", 3), ("yellow", None), ("red", 5), ("blue", None)], "red", 5),
        ([("red", None), ("blue", 2), ("yellow", None)], "blue", 2),
        ([("red", None), ("blue", None), ("yellow", None)], None, 0),
    ],
)
def test_an_english_auction_goes_around_until_all_but_one_have_passed(
    bids: list[tuple[str, int | None]], winner: str | None, price: int
) -> None:
    table = begun(stones(MAKERS["english"]))

    for player, amount in bids:
        assert {offer.player for offer in due(table)} == {player}
        bid = {"do": "bid", "player": player, "amount": amount}
        give(table, {"do": "pass", "player": player} if amount is None else bid)

    assert sold(table) == (winner, price)


def test_an_opening_leader_wins_what_nobody_raises() -> None:
    table = begun(stones(MAKERS["english with a leader"]))
    for player in ("yellow", "red"):
        give(table, {"do": "pass", "player": player})

    assert sold(table) == ("blue", 2)


def test_once_around_everybody_bids_once() -> None:
    table = begun(stones(MAKERS["once around"]))
    give(table, {"do": "bid", "player": "red", "amount": 1})
    give(table, {"do": "bid", "player": "blue", "amount": 2})
    give(table, {"do": "pass", "player": "yellow"})

    assert sold(table) == ("blue", 2)


def test_once_around_whoever_opened_with_a_bid_bids_no_more_and_wins_what_nobody_raises() -> None:
    # given blue who has opened with two
    table = begun(
        stones(lambda seats: auction_of(AuctionOpened("S05", tuple(seats), kind="once_round", leader="blue", bid=2)))
    )

    # then the others bid after them, each more, and blue not again
    for player in ("yellow", "red"):
        (bid, _) = due(table)
        assert (bid.player, dict(bid.fields)["amount"].least) == (player, 3)  # type: ignore[union-attr]
        give(table, {"do": "pass", "player": player})
    assert sold(table) == ("blue", 2)


@pytest.mark.parametrize("kind", ["english", "once_round", "sealed"])
def test_nobody_buys_a_lot_for_which_nobody_may_bid(kind: Any) -> None:
    table = begun(stones(lambda _: auction_of(AuctionOpened("S05", (), kind=kind))))

    assert sold(table) == (None, 0)


def test_of_equal_sealed_bids_that_of_the_earliest_bidder_wins() -> None:
    table = begun(stones(MAKERS["sealed"]))
    for player, amount in (("yellow", 3), ("blue", 3), ("red", 2)):
        give(table, {"do": "bid", "player": player, "amount": amount})

    assert sold(table) == ("blue", 3)


@pytest.mark.parametrize(
    ("command", "rule", "details"),
    [
        ({"do": "bid", "player": "blue", "amount": 2}, "not_your_turn", {"player": "blue", "waiting": ("red",)}),
        ({"do": "bid", "player": "red", "amount": 0}, "too_little", {"least_amount": 1}),
        ({"do": "bid", "player": "red", "amount": 8}, "too_much", {"refused_amount": 8}),
        ({"do": "turn_up", "player": "red", "card": "S05"}, "not_now", {"phase": "auction"}),
        ({"do": "bid", "player": "grey", "amount": 2}, "unknown_player", {"player": "grey"}),
    ],
)
def test_what_no_offer_covers_is_refused_with_the_reason(
    command: dict[str, Any], rule: str, details: dict[str, Any]
) -> None:
    table = begun(stones(MAKERS["english"]))
    with pytest.raises(Refused) as refused:
        give(table, command)
    assert (refused.value.rule, dict(refused.value.details)) == (rule, details)
    assert table.version == 1


def test_a_card_that_is_not_offered_is_named() -> None:
    table = begun(stones(MAKERS["row"]))
    with pytest.raises(Refused, match="card_not_offered"):
        give(table, {"do": "turn_up", "player": "red", "card": "S01"})


def reading_of(step: str, card: str) -> Any:
    """Return what a card that is laid under the camera means in a step."""
    table = begun(stones(MAKERS[step]))
    return table.game.rules.read(table.position, Placement("place", f"ST1{card}", card, "tray", 1.0))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("step", "command"),
    [("row", TurnUp("red", "S05")), ("draw", DrawCard("red", "S05")), ("play", PlayCard("red", "S01"))],
)
def test_a_card_under_the_camera_means_the_offer_that_it_fits(step: str, command: Any) -> None:
    assert reading_of(step, command.card) == command


@pytest.mark.parametrize(("step", "card"), [("row", "S01"), ("hands", "S05"), ("hands", "S06")])
def test_a_card_that_no_single_offer_fits_means_nothing(step: str, card: str) -> None:
    assert reading_of(step, card).rule == "card_means_nothing"


def test_a_pass_card_passes_for_whoever_is_to_bid() -> None:
    table = begun(stones(MAKERS["english"]))

    assert command_for_word(table, "pass", "banker") == {"do": "pass", "player": "red"}
    assert command_for_word(table, "pass", "blue") is None
    assert command_for_word(table, "done", "banker") is None


def test_a_pass_card_passes_for_nobody_where_several_might() -> None:
    assert command_for_word(begun(stones(MAKERS["sealed"])), "pass", "banker") is None


def test_turns_go_clockwise_past_whoever_has_passed() -> None:
    turn = _Turn(SEATS, "blue")

    assert turn.next().player == "yellow"
    assert (turn.next().next().player, turn.next().next().round) == ("red", 2)
    assert turn.without("blue").next().next().player == "yellow"
    assert turn.without("blue").without("yellow").without("red").waiting_for() == ()
    # and who is passed over twice has passed once
    assert turn.without("blue").without("blue").without("red").waiting_for() == ("yellow",)


class _Turn(TurnStep):
    def offers(self, position: Any, player: str) -> Any:
        del position, player
        return ()

    def decide(self, position: Any, command: Any) -> Any:
        del position
        return [command]


def test_a_start_is_refused_as_in_every_game() -> None:
    game = stones(MAKERS["row"])
    start = {"do": "start_game", "game": "stones", "first": "red"}
    for wrong, rule in (
        ({"players": [{"id": "red"}]}, "number_of_players"),
        ({"players": [{"id": "red"}, {"id": "red"}]}, "colour_taken_twice"),
        ({"players": [{"id": "red"}, {"id": "grey"}]}, "unknown_player"),
        ({"players": [{"id": "red", "name": "Ada"}, {"id": "blue", "name": "Ada"}]}, "names_alike"),
        ({"players": [{"id": "red"}, {"id": "blue"}], "catalog": "none"}, "unknown_catalog"),
        ({"players": [{"id": "red"}, {"id": "blue"}], "first": "yellow"}, "unknown_player"),
    ):
        with pytest.raises(Refused) as refused:
            game.rules.decide(None, game.codec.command({**start, **wrong}))
        assert refused.value.rule == rule


def test_a_player_is_renamed_by_the_banker() -> None:
    table = begun(stones(MAKERS["row"]))
    give(table, {"do": "rename_player", "player": "red", "name": "Bartholomew"})
    assert table.overview is not None
    assert table.overview.names["red"] == "Bartholomew"


def test_lots_are_paid_to_the_bank() -> None:
    table = begun(stones(MAKERS["once around"]))
    give(table, {"do": "bid", "player": "red", "amount": 4})
    for player in ("blue", "yellow"):
        give(table, {"do": "pass", "player": player})
    assert table.position is not None
    assert table.position.ledger.balance("player:red") == 3
    assert isinstance(table.game.codec.event(table.journal("red")[-1]["events"][-1]), LotSold)


def test_a_module_has_the_messages_that_it_defines_itself() -> None:
    assert collect_messages(Command, corrections) == (RenamePlayer,)
    assert collect_messages(Event, corrections) == (PlayerRenamed,)


def test_a_payment_goes_between_the_fields_that_it_names_or_the_bank() -> None:
    sold = LotSold("red", "house", 7)

    assert payment("player", BANK, "price")(sold) == transfer(player_account("red"), BANK, 7)
    assert payment(BANK, "player", "price")(sold) == transfer(BANK, player_account("red"), 7)
    assert payment("player", BANK, "price", if_any=True)(LotSold("red", "house", 0)) is None


def test_equal_scores_share_a_rank_and_the_next_is_left_out() -> None:
    assert rank_players({"red": 4, "blue": 7, "green": 7, "grey": 1}) == (
        ("blue", 1),
        ("green", 1),
        ("red", 3),
        ("grey", 4),
    )


def test_a_position_shows_tuples_as_lists_and_a_state_takes_what_it_has_in_common_with_an_event() -> None:
    opened = AuctionOpened("house", ("red", "blue"), least=5)

    assert show_fields(opened, "lot", "bidders") == {"lot": "house", "bidders": ["red", "blue"]}
    assert common_fields(opened, LotSold) == {"lot": "house"}


def test_a_game_with_rounds_of_its_own_counts_those() -> None:
    @dataclass(frozen=True, slots=True, kw_only=True)
    class RoundState(State):
        round: int = 3

    table = begun(stones(MAKERS["draw"]))
    assert table.position is not None
    values = {field.name: getattr(table.position.state, field.name) for field in fields(table.position.state)}

    overview = table.game.rules.overview(replace(table.position, state=RoundState(**values)))

    assert overview.round == 3


def test_as_many_bots_sit_down_as_there_are_colours() -> None:
    assert [seat["id"] for seat in seat_bots("stones", COLOURS, 1)["players"]] == list(COLOURS)


@dataclass(frozen=True, slots=True)
class CardsShownAtOnce:
    """The event `CardsHidden`, of which its author has forgotten the mark."""

    player: Person
    cards: tuple[Card, ...]


class Careless(Hiding):
    """A secret choice that nothing hides."""

    event = CardsShownAtOnce  # type: ignore[assignment]  # it has the same fields


def test_a_secret_choice_that_nothing_hides_is_a_fault() -> None:
    game = stones(lambda seats: Careless(players=tuple(seats)))
    messages = replace(MESSAGES, events=(*MESSAGES.events, CardsShownAtOnce))
    report = TrialReport()

    play_trial(replace(game.manifest, messages=lambda: messages), CATALOG, 1, report)

    fault = "Careless is a secret choice, and no field of CardsShownAtOnce is marked Secret (phase hiding)"
    assert report.faults.get(fault) == 1
