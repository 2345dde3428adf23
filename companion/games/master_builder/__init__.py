"""Master Builder: the game as the registry finds it.  What is heavy is loaded when it is asked for."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.game_api.cards import CardKind
from companion.game_api.manifest import Manifest, Seats

if TYPE_CHECKING:
    from companion.game_api.capabilities import Capabilities, Simulates
    from companion.game_api.cards import Cards
    from companion.game_api.drawing import Draws
    from companion.game_api.messages import Messages
    from companion.game_api.teaching import Teaches
    from companion.game_api.ui import Face, Tells
    from companion.games.master_builder.rules.game import MasterBuilder


def _rules(catalogs: Mapping[str, Any]) -> "MasterBuilder":
    from companion.games.master_builder.rules.game import MasterBuilder

    return MasterBuilder(catalogs)


def _messages() -> "Messages":
    from companion.games.master_builder.messages import MESSAGES

    return MESSAGES


def _cards() -> "Cards":
    from companion.games.master_builder.cards.reading import MasterBuilderCards

    return MasterBuilderCards()


def _capabilities() -> "Capabilities":
    from companion.games.master_builder.capabilities import CAPABILITIES

    return CAPABILITIES


def _simulates() -> "Simulates":
    from companion.games.master_builder.simulation import MasterBuilderBots

    return MasterBuilderBots()


def _face() -> "Face":
    from companion.games.master_builder.ui.ui import MasterBuilderFace

    return MasterBuilderFace()


def _tells() -> "Tells":
    from companion.games.master_builder.ui.texts import MasterBuilderTells

    return MasterBuilderTells()


def _draws() -> "Draws":
    from companion.games.master_builder.drawings.game import MasterBuilderDrawings

    return MasterBuilderDrawings()


def _teaches() -> "Teaches":
    from companion.games.master_builder.teaching import MasterBuilderTeaching

    return MasterBuilderTeaching()


GAME = Manifest(
    name="master_builder",
    title="Master Builder",
    kit=1,
    label_code="MB",
    kinds=(
        CardKind("worker", "W[0-9]{2}", "workers"),
        CardKind("contract", "C[0-9]{2}", "contracts"),
        CardKind("event", "E[0-9]{2}", "events"),
        CardKind("economy", "Y[0-9]{2}", "economy"),
    ),
    seats=Seats(("red", "blue", "yellow", "green"), 2, 4),
    beginnings=("start_game", "take_over"),
    conserved=("money",),
    rules=_rules,
    messages=_messages,
    cards=_cards,
    capabilities=_capabilities,
    simulates=_simulates,
    face=_face,
    words=Path(__file__).parent / "words",
    mats=Path(__file__).parent / "cards" / "mats",
    tells=_tells,
    draws=_draws,
    teaches=_teaches,
)
