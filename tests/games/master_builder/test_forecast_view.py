"""Forecasts as JSON, and who may see them."""

from companion.games.master_builder.forecast.view import forecast_view
from tests.games.master_builder.test_forecast_stories import position_of, story


def test_a_forecast_says_its_movements_lows_and_what_is_owed() -> None:
    given = story()
    given.give_money("blue", 5_000)
    given.give_cards("blue", "C03")

    view = forecast_view(position_of(given), "banker", "blue")

    assert view is not None
    assert view["movements"][:2] == [
        {"round": 2, "phase": "income", "why": "loan", "amount": 10_000, "cash": 15_000, "loan": "small"},
        {"round": 2, "phase": "income", "why": "wages", "amount": -12_000, "cash": 3_000},
    ]
    assert view["movements"][2]["card"] == "C03"
    assert view["short"] == {"round": 2, "amount": 7_000}
    assert view["next"] == {"cash": -7_000, "round": 2, "short": 7_000, "loans": {"small": 1, "large": 0}}
    assert view["end"] == view["next"]
    assert view["owes"] == {"early": 13_000, "late": 15_000, "late_is_certain": False}
    figures = {key: figure for key, figure in view.items() if key not in {"movements", "short", "next", "end", "owes"}}
    assert figures == {"player": "blue", "cash": 5_000, "unfinished": 0, "worth": 2_000, "bid": None}


def test_with_a_contract_it_says_which_bids_are_safe_and_with_a_bid_what_that_leads_to() -> None:
    given = story()
    given.give_money("blue", 20_000)
    given.do("correct_card", card="C03", to="display", reason="for sale")

    asked = forecast_view(position_of(given), "banker", "blue", "C03")
    bid = forecast_view(position_of(given), "banker", "blue", "C03", 12_000)

    assert asked is not None
    assert bid is not None
    assert asked["movements"][0]["why"] == "wages"
    most = {2: 8_000, 3: 56_000, 4: 44_000, 5: 32_000, 6: 20_000}
    assert asked["bid"] == {
        "contract": "C03",
        "amount": None,
        "least": 2_000,
        "most": 20_000,
        "safe": {"next": 8_000, "end": 8_000},
        "rounds": [{"round": number, "most": left} for number, left in most.items()],
    }
    assert bid["bid"] == {**asked["bid"], "amount": 12_000}
    assert bid["short"] == {"round": 2, "amount": 4_000}


def test_after_the_end_there_is_nothing_next() -> None:
    given = story()
    given.to("finished", 6)

    view = forecast_view(position_of(given), "spectator", "blue")

    assert view is not None
    assert (view["next"], view["short"], view["movements"]) == (None, None, [])


def test_hidden_money_is_forecast_for_its_owner_and_the_banker_only() -> None:
    given = story(rules={"money": "hidden"})

    position = position_of(given)
    seen = {viewer: forecast_view(position, viewer, "blue") for viewer in ("blue", "banker", "yellow", "spectator")}

    assert [viewer for viewer, view in seen.items() if view is not None] == ["blue", "banker"]
