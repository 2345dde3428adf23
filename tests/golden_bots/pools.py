"""Values for the fields of commands of Men at Work and Monopoly Builder, at a moment of a game."""

from typing import Any

from tests.golden_bots.wrong import Json, Pool

REASONS = ["counted again", "counted again", " "]
NAMES = ["Bartholomew", "", "n" * 40]
MW_CARDS = [*(f"I{number:02}" for number in range(1, 37)), "BOSS", "I99"]
PIECES: list[dict[str, int]] = [
    {"supports": 1}, {"bricks": 1}, {"orange": 99}, {}, {"glass": 1}, {"bricks": 0}, {"orange": 1}, {"workers": 1},
]  # fmt: skip


def men_at_work(position: Json) -> Pool:
    """Return the pool of a position."""
    played = position["discard"]
    return {
        "player": [*position["seats"], *[position["active"]] * 4, "nobody"],
        "card": [*MW_CARDS, *played[-1:] * 6, *played[:1] * 6, "BOSS", "BOSS", "BOSS"],
        "back": ["GOW", "HPB", "GOP", "none"],
        "colour": ["orange", "purple", "black", "white"],
        "highest": [True, False],
        "pieces": PIECES,
        "to": ["reserve", "site", "floor", "deck", "discard"],
        "from": ["reserve", "site", "floor"],
        "on": ["deck", "discard"],
        "certificates": [0, 1, 2, 3, 9],
        "awards": [0, 1, 99],
        "hand": [0, 1, 2, 9],
        "on_duty": [True, False],
        "clean": [True, False],
        "name": NAMES,
        "reason": REASONS,
    }


CHIPS: list[dict[str, int]] = [
    {"red": 1}, {"red": 2}, {"purple": 2, "yellow": 1}, {"red": 1, "green": 1}, {}, {"glass": 1}, {"yellow": 40},
    {"green": 0},
]  # fmt: skip
DEEDS = [*(f"D{number:02}" for number in range(1, 17)), "D99"]
CHANCES = [*(f"C{number:02}" for number in range(1, 21)), "C99"]


def monopoly_builder(position: Json) -> Pool:
    """Return the pool of a position."""
    kinds = ["red", "purple", "green", "yellow", "glass"]
    seats, turn = list(position["players"]), position["turn"]
    cards = [card for player in position["players"].values() for card in (*player["deeds"], *player["cards"])]
    chances = [card for card in cards if card.startswith("C")]
    bundles: list[Any] = [
        {}, {"money": 5}, {"money": 5_000}, {"chips": {"red": 1}}, {"deeds": ["D01"]}, {"cards": ["C01"]}, {"money": 3},
        *({"deeds": [card]} for card in cards if card.startswith("D")),
    ]  # fmt: skip
    return {
        "player": [*seats, *[turn] * 3, "nobody"],
        "chips": CHIPS,
        "dice": [[3, 4], [6, 6], [0, 7]],
        "deed": [*DEEDS, *cards],
        "card": [*DEEDS, *CHANCES, *cards * 2, *chances * 4],
        "amount": [5, 10, 3, 100, 20_000, 0],
        "from": [*seats, "bank", "3", "99"],
        "to": [*seats, "bank", "3", "99", "deck"],
        "with": seats,
        "kind": kinds,
        "give": [*CHIPS, *kinds, *bundles],
        "get": [*kinds, *bundles],
        "take": kinds,
        "cell": [*position["board"], "A1", "A2", "C3", "Z9"],
        "count": [1, 2, 50],
        "owner": [*seats, None, "nobody"],
        "height": [0, 1, 4, 5, 9],
        "space": [0, 3, 99],
        "in_jail": [True, False],
        "tries": [0, 1, 3],
        "phase": ["discard", "roll", "act", "buy"],
        "mortgaged": [True, False],
        "name": NAMES,
        "reason": REASONS,
    }


POOLS = {"men_at_work": men_at_work, "monopoly_builder": monopoly_builder}
