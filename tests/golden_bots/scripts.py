"""Games that are given command by command, to the moments that bots do not come to."""

from collections.abc import Sequence
from dataclasses import dataclass

from tests.golden_bots.wrong import Json

SEEN = [f"I{number:02}" for number in range(1, 32)]
WHY = {"reason": "looked again"}


@dataclass(frozen=True)
class Script:
    """One game; after each of its commands all sorts of others are tried."""

    game: str
    name: str
    commands: Sequence[Json]


def _taken(game: str, **position: object) -> Json:
    return {"do": "take_over", "position": {"game": game, **position}, "reason": "begun at the table"}


def _acts(player: str, *words: str | Json) -> list[Json]:
    return [{"do": word, "player": player} if isinstance(word, str) else {"player": player, **word} for word in words]


MEN_AT_WORK = (
    Script(
        "men_at_work",
        "the_last_cards",
        (
            _taken(
                "men_at_work",
                seats=["blue", "grey"],
                active="blue",
                players={"blue": {}, "grey": {}},
                variants=["foreman"],
                discard=SEEN,
            ),
            {"do": "turn_card", "card": "I32", "back": "HBW"},
            *_acts("blue", "done"),
            {"do": "turn_card", "card": "BOSS", "back": "GOP"},
            {"do": "correct_card", "card": "I36", "to": "discard", **WHY},
            {"do": "turn_card", "card": "BOSS"},
            {"do": "reshuffle"},
            {"do": "turn_card", "card": "I04", "back": "HOP"},
            *_acts("grey", {"do": "use_foreman_card", "card": "I33", "on": "discard"}, "done"),
        ),
    ),
    Script(
        "men_at_work",
        "two_foremen",
        (
            {
                "do": "start_game",
                "game": "men_at_work",
                "first": "blue",
                "players": [{"id": "blue", "level": "expert"}, {"id": "grey"}],
                "rules": {
                    "foreman_plays": "any",
                    "expert_certificates": 1,
                    "boss_at": "third",
                    "exhausted": "workers_or_all",
                },
                "variants": ["foreman", "crane", "skyscraper"],
            },
            {"do": "turn_card", "card": "I01", "back": "GOP"},
            *_acts(
                "blue",
                {"do": "use_foreman_card", "card": "I05", "on": "deck"},
                {"do": "use_foreman_card", "card": "I09", "on": "deck"},
                {"do": "done", "colour": "orange"},
            ),
            {"do": "correct_card", "card": "I05", "to": "discard", **WHY},
            {"do": "turn_card", "card": "I09", "back": "HPB"},
            {"do": "turn_card", "card": "I09"},
            *_acts("grey", "accident"),
        ),
    ),
    Script(
        "men_at_work",
        "their_own_word",
        (
            {
                "do": "start_game",
                "game": "men_at_work",
                "first": "blue",
                "players": [{"id": "blue"}, {"id": "grey"}],
                "rules": {"counts": False},
            },
            {"do": "turn_card", "card": "I01", "back": "GOP"},
            *_acts("blue", "impossible"),
            {"do": "turn_card", "card": "I02", "back": "GOW"},
            *_acts("blue", "exhausted"),
        ),
    ),
)

MONOPOLY_BUILDER = (
    Script(
        "monopoly_builder",
        "a_bankruptcy",
        (
            _taken(
                "monopoly_builder",
                turn="red",
                phase="roll",
                players={
                    "red": {"cash": 20, "deeds": ["D01", "D02"], "mortgaged": ["D01"], "space": 6, "chips": {"red": 3}},
                    "green": {"cash": 600, "deeds": ["D05", "D06"]},
                    "yellow": {"cash": 300, "deeds": ["D09"]},
                },
            ),
            *_acts("red", {"do": "roll", "dice": [1, 1]}),
            *_acts("green", {"do": "claim_rent", "deed": "D05"}),
            *_acts("red", {"do": "mortgage", "deed": "D02"}, "declare_bankrupt"),
            *_acts("green", {"do": "roll", "dice": [6, 2]}, "end_turn"),
            *_acts("yellow", {"do": "roll", "dice": [4, 4]}, "end_turn"),
            *_acts("yellow", {"do": "roll", "dice": [1, 2]}, "decline"),
            *_acts("green", {"do": "claim_rent", "deed": "D05"}),
            {"do": "hammer"},
            *_acts("yellow", "end_turn"),
            *_acts("green", {"do": "roll", "dice": [1, 2]}),
        ),
    ),
    Script(
        "monopoly_builder",
        "stricter_rules",
        (
            {
                "do": "start_game",
                "game": "monopoly_builder",
                "first": "red",
                "players": [{"id": "red"}, {"id": "green"}, {"id": "yellow"}],
                "rules": {
                    "decliner_bids": False,
                    "auction_pass": "final",
                    "trade_cards": "jail_only",
                    "forced_trade": "own_turn",
                    "jail_bank_trade": False,
                    "mortgage": "in_debt",
                    "money": "hidden",
                    "shortage": "nobody",
                    "set_doubles_chips": True,
                    "bonus_ties": "nobody",
                    "mortgaged_set_scores": False,
                    "last_solvent": "plays_on",
                    "first_player": "chosen",
                },
            },
            *_acts("red", {"do": "roll", "dice": [3, 5]}, "decline"),
            *_acts("green", {"do": "bid", "amount": 10}),
            *_acts("yellow", "pass"),
            *_acts("red", "end_turn"),
            *_acts("green", {"do": "roll", "dice": [2, 3]}, {"do": "draw_chance", "card": "C02"}, "end_turn"),
            {"do": "correct_chips", "from": "bank", "to": "yellow", "kind": "red", "count": 2, **WHY},
            *_acts("yellow", {"do": "roll", "dice": [2, 3]}, {"do": "draw_chance", "card": "C10"}),
            *_acts("yellow", {"do": "return_chips", "chips": {"red": 1}}, "end_turn"),
            {"do": "correct_position", "player": "red", "space": 12, **WHY},
            *_acts("red", {"do": "roll", "dice": [1, 1]}),
            *_acts("red", {"do": "free_parking", "give": {"red": 1}, "get": "green"}, "pass", "end_turn"),
            *_acts("red", {"do": "trade", "with": "green", "give": {"money": 5}, "get": {"cards": ["C02"]}}),
            *_acts("green", {"do": "play_chance", "card": "C02"}),
            *_acts("green", {"do": "play_chance", "card": "C02", "from": "red", "take": "red", "give": "purple"}),
            {"do": "correct_position", "player": "red", "space": 7, "in_jail": True, "tries": 1, **WHY},
            *_acts("red", {"do": "roll", "dice": [1, 2]}, {"do": "bank_trade", "give": "red", "get": "green"}),
            {"do": "correct_turn", "player": "red", "phase": "roll", **WHY},
            *_acts("red", {"do": "roll", "dice": [1, 2]}),
            {"do": "correct_card", "card": "C05", "to": "red", **WHY},
            {"do": "correct_chips", "from": "bank", "to": "yellow", "kind": "green", "count": 2, **WHY},
            {"do": "correct_position", "player": "red", "space": 0, **WHY},
            *_acts("red", {"do": "roll", "dice": [2, 3]}, {"do": "draw_chance", "card": "C11"}, "end_turn"),
            {"do": "correct_card", "card": "C01", "to": "red", **WHY},
        ),
    ),
    Script(
        "monopoly_builder",
        "more_of_the_switches",
        (
            {
                "do": "start_game",
                "game": "monopoly_builder",
                "first": "red",
                "players": [{"id": "red"}, {"id": "green"}],
                "rules": {
                    "deeds": "shuffled",
                    "third_double": "gathers",
                    "bank_trade": "whole_turn",
                    "rent": "auto",
                    "third_failure": "move_with_it",
                    "jail_double": "extra_turn",
                },
            },
            {"do": "correct_chips", "from": "bank", "to": "red", "kind": "green", "count": 16, **WHY},
            *_acts("red", {"do": "roll", "dice": [1, 1]}, {"do": "turn_deed", "deed": "D04"}, "buy", "end_turn"),
            *_acts("red", {"do": "discard", "chips": {"green": 14}}, {"do": "roll", "dice": [2, 2]}),
            *_acts("red", {"do": "turn_deed", "deed": "D07"}, "buy", "end_turn"),
            *_acts("red", {"do": "roll", "dice": [1, 1]}),
            *_acts("green", {"do": "roll", "dice": [1, 1]}, "end_turn"),
            {"do": "correct_position", "player": "red", "space": 16, **WHY},
            {"do": "correct_turn", "player": "red", "phase": "roll", **WHY},
            *_acts("red", {"do": "roll", "dice": [1, 2]}, {"do": "steal", "from": "green", "kind": "yellow"}),
        ),
    ),
)

SCRIPTS = (*MEN_AT_WORK, *MONOPOLY_BUILDER)
