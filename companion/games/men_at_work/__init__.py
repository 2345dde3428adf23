"""Men at Work: the game as the registry finds it.  What is heavy is loaded when it is asked for."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.game_api.cards import CardKind
from companion.game_api.manifest import Manifest, Seats

if TYPE_CHECKING:
    from companion.game_api.capabilities import Capabilities, Simulates
    from companion.game_api.cards import Cards
    from companion.game_api.drawing import Draws
    from companion.game_api.handbook import Handbook
    from companion.game_api.messages import Messages
    from companion.game_api.teaching import Teaches
    from companion.game_api.ui import Describes, Tells
    from companion.games.men_at_work.rules.game import MenAtWork


def _rules(catalogs: Mapping[str, Any]) -> "MenAtWork":
    from companion.games.men_at_work.rules.game import MenAtWork

    return MenAtWork(catalogs)


def _messages() -> "Messages":
    from companion.games.men_at_work.messages import MESSAGES

    return MESSAGES


def _cards() -> "Cards":
    from companion.games.men_at_work.cards.reading import MenAtWorkCards

    return MenAtWorkCards()


def _capabilities() -> "Capabilities":
    from companion.games.men_at_work.capabilities import CAPABILITIES

    return CAPABILITIES


def _simulates() -> "Simulates":
    from companion.games.men_at_work.simulation import MenAtWorkBots

    return MenAtWorkBots()


def _tells() -> "Tells":
    from companion.games.men_at_work.ui.texts import MenAtWorkTells

    return MenAtWorkTells()


def _describes() -> "Describes":
    from companion.games.men_at_work.ui.texts import MenAtWorkDescribes

    return MenAtWorkDescribes()


def _handbook() -> "Handbook":
    from companion.games.men_at_work.handbook import HANDBOOK

    return HANDBOOK


def _draws() -> "Draws":
    from companion.games.men_at_work.drawings.game import MenAtWorkDrawings

    return MenAtWorkDrawings()


def _teaches() -> "Teaches":
    from companion.games.men_at_work.teaching import MenAtWorkTeaching

    return MenAtWorkTeaching()


FIRST_COMMAND_CARD = 6
COMMAND_WORDS = (
    "done",
    "accident",
    "highest",
    "impossible",
    "exhausted",
    "orange",
    "purple",
    "black",
    "white",
    "worker",
    "support",
    "beam",
    "brick",
)
"""What its own command cards say, X06 the first."""

GAME = Manifest(
    name="men_at_work",
    title="Men at Work",
    kit=1,
    label_code="MW",
    kinds=(
        CardKind("instruction", "I[0-9]{2}", "cards"),
        CardKind("boss", "BOSS", "boss"),
        CardKind("back", "[GH](OP|OB|OW|PB|PW|BW)"),
    ),
    seats=Seats(("blue", "yellow", "red", "green", "grey"), 2, 5),
    beginnings=("start_game", "take_over"),
    conserved=("pieces", "certificates", "awards"),
    rules=_rules,
    messages=_messages,
    cards=_cards,
    capabilities=_capabilities,
    simulates=_simulates,
    words=Path(__file__).parent / "words",
    mats=Path(__file__).parent / "cards" / "mats",
    piles=frozenset({"pile"}),
    tells=_tells,
    describes=_describes,
    handbook=_handbook,
    draws=_draws,
    teaches=_teaches,
    command_cards={f"X{number:02}": word for number, word in enumerate(COMMAND_WORDS, FIRST_COMMAND_CARD)},
)
