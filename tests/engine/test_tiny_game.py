"""A game that the engine has never heard of, played through the very same service."""

from hypothesis import given
from hypothesis import strategies as st

from companion.engine.game import Placement, Question
from companion.service.table.play_files import ledger_rows, play_file
from companion.service.table.table import Table
from tests.engine.tiny_game import NUTS, nut_game
from tests.fakes import FakeClock, FakeJournal
from tests.service.house_tables import give, nut_table, position
from tests.strategies import command_of


def bid(player: str, amount: int) -> dict[str, object]:
    return {"do": "bid", "player": player, "amount": amount}


def open_auction(player: str, nut: str, amount: int) -> dict[str, object]:
    return {"do": "open_auction", "player": player, "nut": nut, "bid": amount}


def leave(player: str) -> dict[str, object]:
    return {"do": "pass", "player": player}


def test_three_nuts_are_sold_and_the_game_is_over() -> None:
    table = nut_table()
    give(table, open_auction("ada", "hazel", 1), bid("ben", 2), bid("ada", 4), leave("ben"))
    assert position(table)["hands"] == {"hazel": "ada"}
    give(table, open_auction("ben", "acorn", 9), leave("ada") if position(table)["auction"] else {"do": "ponder"})
    give(table, open_auction("ada", "walnut", 6))
    shown = position(table)
    assert shown["finished"]
    assert shown["hands"] == {"hazel": "ada", "acorn": "ben", "walnut": "ada"}
    assert {player: state["cash"] for player, state in shown["players"].items()} == {"ada": 0, "ben": 1}
    assert shown["bank"] == 99
    assert table.show("ada")["offers"] == []


def test_a_bidder_who_cannot_raise_is_out_without_being_asked() -> None:
    table = nut_table()
    give(table, open_auction("ada", "hazel", 10))
    assert position(table)["hands"] == {"hazel": "ada"}
    assert [event["event"] for event in table.journal("banker")[-1]["events"]] == [
        "AuctionOpened",
        "BidderLeft",
        "NutSold",
        "RoundBegan",
    ]


def test_offers_of_the_player_whose_turn_it_is_are_given_to_him_and_the_banker() -> None:
    table = nut_table()
    give(table, open_auction("ada", "hazel", 3))
    expected = [
        {
            "do": "bid",
            "player": "ben",
            "urgency": "due",
            "fields": {"amount": {"kind": "amount", "least": 4, "most": 10, "step": 1}},
        },
        {"do": "pass", "player": "ben", "urgency": "due", "fields": {}},
    ]
    assert table.show("ben")["offers"] == expected
    assert table.show("ada")["offers"] == []
    assert table.show("spectator")["offers"] == []
    assert table.show("banker")["offers"] == [*expected, {"do": "undo", "urgency": "possible", "fields": {}}]


def test_a_card_laid_there_means_what_this_game_says() -> None:
    table = nut_table()
    placed = Placement("place", "NU1hazel", "hazel", "tray", 1.0)
    assert table.read(placed) == {"do": "open_auction", "player": "ada", "nut": "hazel", "bid": 0}
    give(table, open_auction("ada", "acorn", 3))
    assert table.read(placed) is None
    assert table.read(Placement("place", "NU1acorn", "C03", "tray", 1.0)) == Question("C03", "unknown_nut")
    assert (table.cards(), table.catalog_json()) == (frozenset(NUTS), {"nuts": list(NUTS)})


@given(st.data())
def test_any_game_of_nuts_keeps_its_money_and_replays_to_the_same_position(data: st.DataObject) -> None:
    table = nut_table()
    while not position(table)["finished"]:
        offer = data.draw(st.sampled_from(table.show(data.draw(st.sampled_from(["banker"])))["offers"]))
        command = command_of(offer)
        for name, field in offer["fields"].items():
            values = field.get("values") or list(range(field["least"], field["most"] + 1))
            command[name] = data.draw(st.sampled_from(values))
        give(table, command)
        assert position(table)["bank"] + sum(player["cash"] for player in position(table)["players"].values()) == 100
        if table.version > 40:
            break
    again = Table("again", nut_game(), FakeJournal(), FakeClock())
    again.load(table.entries)
    assert (again.position, again.show("banker")) == (table.position, table.show("banker"))
    balances = {row["account"]: row["balance"] for row in ledger_rows(table)}
    assert table.position is not None
    assert {account: balance for account, balance in balances.items() if balance} == {
        account: balance for account, balance in table.position.ledger.balances if balance
    }
    assert len(list(play_file(table))) == table.version
