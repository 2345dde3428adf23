"""Beginnings that a table refuses, one change each from one that it would take: a start, and a position taken over."""

from collections.abc import Iterator
from typing import Any

from tests.golden_bots.wrong import Json

TAKEN: dict[str, Json] = {
    "men_at_work": {
        "game": "men_at_work",
        "seats": ["blue", "grey"],
        "active": "grey",
        "players": {
            "blue": {"name": "Ada", "certificates": 2, "awards": 1},
            "grey": {"name": "Ben", "level": "expert"},
        },
        "turn": 9,
        "boss": {"on_duty": True},
        "site": {"orange": 2, "black": 1, "white": 1, "workers": 3, "supports": 4, "bricks": 1},
    },
    "monopoly_builder": {
        "game": "monopoly_builder",
        "turn": "green",
        "phase": "roll",
        "players": {
            "red": {"name": "Ada", "cash": 640, "chips": {"red": 3}, "deeds": ["D01", "D02"], "mortgaged": ["D02"]},
            "green": {"name": "Ben", "cash": 410, "chips": {"purple": 2}, "deeds": ["D05"], "cards": ["C01"]},
        },
        "board": {"A1": {"owner": "red", "height": 2}},
    },
}  # fmt: skip
"""Games already begun at a table."""

STARTS: dict[str, list[Json]] = {
    "men_at_work": [
        {"players": [{"id": "blue"}]},
        {"players": [{"id": "blue"}, {"id": "blue"}]},
        {"first": "red"},
        {"catalog": "my-box"},
        {"rules": {"roof": True}},
        {"rules": {"boss_at": "never"}},
        {"variants": ["flying"]},
        {"variants": ["crane", "crane"]},
    ],
    "monopoly_builder": [
        {"players": [{"id": "red"}]},
        {"players": [{"id": "red"}, {"id": "red"}]},
        {"first": "yellow"},
        {"catalog": "my-box"},
        {"rules": {"roof": True}},
        {"rules": {"deeds": "never"}},
        {"variants": ["flying"]},
    ],
}
"""What is changed in a start."""

POSITIONS: dict[str, list[Json]] = {
    "men_at_work": [
        {"seats": ["blue"]},
        {"seats": ["blue", "blue"]},
        {"seats": ["blue", "red"]},
        {"catalog": "my-box"},
        {"rules": {"boss_at": "never"}},
        {"variants": ["flying"]},
        {"players": {"blue": {"certificates": 9}, "grey": {}}},
        {"players": {"blue": {"certificates": 0}, "grey": {}}},
        {"players": {"blue": {"hand": 1}, "grey": {}}},
        {"players": {"blue": {"hand": 3}, "grey": {}}, "variants": ["foreman"]},
        {"players": {"blue": {"awards": 5}, "grey": {}}},
        {"active": "red"},
        {
            "seats": ["blue", "grey", "red"],
            "players": {"blue": {"certificates": 0}, "grey": {}, "red": {}},
            "active": "blue",
        },
        {"discard": ["I99"]},
        {"discard": ["I01", "I01"]},
        {
            "discard": [f"I{number:02}" for number in range(1, 37)],
            "boss": {"on_duty": False},
            "variants": ["foreman"],
            "players": {"blue": {}, "grey": {}},
        },
        {"turn": 0},
        {"site": {"glass": 1}},
        {"site": {"bricks": -1}},
        {"site": {"bricks": 13}},
        {"floor": {"bricks": 1}},
        {"floor": {"orange": 1}, "variants": ["skyscraper"]},
        {"rules": {"counts": False}},
    ],
    "monopoly_builder": [
        {"turn": "yellow"},
        {"phase": "buy"},
        {"catalog": "my-box"},
        {"rules": {"deeds": "never"}},
        {"auction": {"card": "D01"}},
        {"board": {"Z9": {"owner": "red", "height": 2}}},
        {"board": {"A1": {"owner": "red", "height": 9}}},
        {"tray": {"red": 1}},
        {"spaces": {"99": {"red": 1}}},
        {"bank": 5},
        {"money_in_play": 5},
        {"players": {"red": {"cash": 3}, "green": {"cash": 100}}},
        {"players": {"red": {"cash": 100, "deeds": ["D01"]}, "green": {"cash": 100, "deeds": ["D01"]}}},
        {"players": {"red": {"cash": 100, "bankrupt": True}, "green": {"cash": 100}, "yellow": {"cash": 0}}},
        {"players": {"red": {"cash": 100, "tries": 3}, "green": {"cash": 100}}},
        {"players": {"red": {"cash": 100, "in_jail": True}, "green": {"cash": 100}}},
        {"players": {"red": {"cash": 100, "chips": {"glass": 1}}, "green": {"cash": 100}}},
        {"players": {"red": {"cash": 100, "chips": {"red": 40}}, "green": {"cash": 100}}},
        {"players": {"red": {"cash": 100, "mortgaged": ["D03"]}, "green": {"cash": 100}}},
        {"rules": {"deeds": "shuffled"}},
        {"unsold": ["D01"]},
        {"deck": {"chance": 3}},
        {"sites": {"1": "D01"}},
        {"dice": [0, 3]},
        {"dice": [3, 7]},
        {"doubles": 3},
        {"claims": [{"owner": "red", "payer": "green", "deed": "D01", "amount": 5}]},
        {"players": {"red": {"cash": 100, "space": 99}, "green": {"cash": 100}}},
        {"players": {"red": {"cash": 100, "space": -1}, "green": {"cash": 100}}},
        {"players": {"red": {"cash": 100}, "green": {"bankrupt": True}, "yellow": {"cash": 0}}},
        {"players": {"red": {"cash": 100, "deeds": ["D99"]}, "green": {"cash": 100}}},
        {"players": {"red": {"cash": 100, "cards": ["C99"]}, "green": {"cash": 100}}},
        {"players": {"red": {"cash": 100, "cards": ["C05"]}, "green": {"cash": 100}}},
        {"players": {"red": {"cash": 100, "cards": ["C01"]}, "green": {"cash": 100, "cards": ["C01"]}}},
        {"players": {"red": {"cash": 100, "chips": {"red": -1}}, "green": {"cash": 100}}},
        {"players": {"red": {"cash": 100, "blocks": 3}, "green": {"cash": 100}}},
        {"board": {"A1": {"owner": "yellow", "height": 2}}},
        {"board": {"A1": {"owner": "red", "height": 5}}},
        {"board": {cell: {"owner": "red", "height": 4} for cell in ("A1", "A2", "B1", "B2")}},
    ],
}  # fmt: skip
"""What is changed in a position that is taken over."""


def wrong_starts(game: str, start: Json) -> Iterator[Json]:
    """Return them all."""
    for change in STARTS[game]:
        yield {**start, **change}
    for change in POSITIONS[game]:
        yield taken_over(game, change)


def taken_over(game: str, change: dict[str, Any]) -> Json:
    """Return the command that takes a game over, something in its position being otherwise."""
    return {"do": "take_over", "position": {**TAKEN[game], **change}, "reason": "begun at the table"}
