"""An own box of a game from elsewhere that says nothing of teaching: taught, pictured, and played with bare cards."""

import urllib.error
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests import waiting
from tests.elsewhere.house import Banker, served
from tests.elsewhere.new_game import Environment

pytestmark = pytest.mark.nightly


def test_an_own_box_of_it_is_taught_and_its_bare_cards_are_known_although_it_says_nothing_of_either(
    environment: Environment, tmp_path: Path
) -> None:
    with served(environment, tmp_path / "data") as address:
        # given a box of other nuts, each pictured under the camera and said to the house
        banker = Banker(address)
        box = f"/boxes/{banker.post('/boxes', {'game': 'nut_market', 'name': 'Nuts of our own'})['id']}"
        until(lambda: banker.post("/camera/place", {})["known"])
        for number, name in enumerate(("Pine nut", "Cashew", "Pecan", "Almond"), 1):
            card = f"{box}/cards/N0{number}"
            banker.post("/camera/simulated", {"lay": f"N0{number}", "bare": True})
            until(partial(banker.post, f"{card}/picture", {"do": "take"}))
            banker.send("PUT", card, {"name": name, "grams": number})
            banker.post("/camera/simulated", {"take_away": f"N0{number}"})
        assert banker.post(f"{box}/catalog", {})["catalog"] == "nuts-of-our-own"

        # when a bare card of it is laid down in a game with it, then the house knows which it is
        players = [{"id": "red", "name": "Bartholomew"}, {"id": "blue", "name": "Ada"}]
        start = {"do": "start_game", "game": "nut_market", "first": "red", "players": players}
        table = f"/tables/{banker.post('/tables', {**start, 'catalog': 'nuts-of-our-own'})['id']}"
        before = until(lambda: banker.get("/camera/check")["picture"])["number"]
        until(lambda: banker.get("/camera/check")["picture"]["number"] > before + 2)  # it has looked at the empty table
        banker.post("/camera/simulated", {"lay": "N02", "bare": True})
        (asked,) = until(lambda: banker.get(f"{table}/proposals")["proposals"])
        assert asked["command"] == {"do": "put_up", "player": "red", "nut": "N02"}
        banker.post(f"{table}/proposals/{asked['id']}", {"answer": "yes"})
        assert banker.get(table)["position"]["lot"] == "N02"


def until(give: Callable[[], Any]) -> Any:
    """Ask again until there is an answer; what is refused meanwhile is asked again too."""
    answers: list[Any] = []

    def given() -> bool:
        try:
            answers.append(give())
        except urllib.error.HTTPError as problem:
            problem.close()
        return bool(answers and answers[-1])

    waiting.until(given)
    return answers[-1]
