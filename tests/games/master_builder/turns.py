"""Corrections of the turn, as the banker gives them."""

from typing import Any

from tests.scenario import Scenario


def turn(given: Scenario, **fields: Any) -> list[dict[str, Any]]:
    return given.do("correct_turn", reason="the table says so", **fields)


def refused(given: Scenario, **fields: Any) -> str:
    return given.refuses("correct_turn", **{"reason": "the table says so", **fields})


def auction() -> Scenario:
    """Three players, an auction of C01 at 4,000: blue has opened, yellow has raised, green is asked."""
    given = Scenario("blue", "yellow", "green")
    given.hire()
    given.reveal("C01", "C02", "C03", "C04")
    given.do("open_auction", player="blue", contract="C01", bid=3_000)
    given.do("bid", player="yellow", amount=4_000)
    return given
