"""Monopoly Builder: the game as the registry finds it.  What is heavy is loaded when it is asked for."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.game_api.cards import CardKind
from companion.game_api.manifest import Manifest, Seats

if TYPE_CHECKING:
    from companion.game_api.capabilities import Capabilities, Flies, Simulates
    from companion.game_api.cards import Cards
    from companion.game_api.drawing import Draws
    from companion.game_api.handbook import Handbook
    from companion.game_api.messages import Messages
    from companion.game_api.teaching import Teaches
    from companion.game_api.ui import Describes, Tells
    from companion.games.monopoly_builder.rules.game import MonopolyBuilder


def _rules(catalogs: Mapping[str, Any]) -> "MonopolyBuilder":
    from companion.games.monopoly_builder.rules.game import MonopolyBuilder

    return MonopolyBuilder(catalogs)


def _messages() -> "Messages":
    from companion.games.monopoly_builder.messages import MESSAGES

    return MESSAGES


def _cards() -> "Cards":
    from companion.games.monopoly_builder.cards.reading import MonopolyBuilderCards

    return MonopolyBuilderCards()


def _capabilities() -> "Capabilities":
    from companion.games.monopoly_builder.capabilities import CAPABILITIES

    return CAPABILITIES


def _simulates() -> "Simulates":
    from companion.games.monopoly_builder.simulation import MonopolyBuilderBots

    return MonopolyBuilderBots()


def _tells() -> "Tells":
    from companion.games.monopoly_builder.ui.texts import MonopolyBuilderTells

    return MonopolyBuilderTells()


def _describes() -> "Describes":
    from companion.games.monopoly_builder.ui.texts import MonopolyBuilderDescribes

    return MonopolyBuilderDescribes()


def _handbook() -> "Handbook":
    from companion.games.monopoly_builder.handbook import HANDBOOK

    return HANDBOOK


def _draws() -> "Draws":
    from companion.games.monopoly_builder.drawings.game import MonopolyBuilderDrawings

    return MonopolyBuilderDrawings()


def _flies() -> "Flies":
    from companion.games.monopoly_builder.drawings.flights import MonopolyBuilderFlies

    return MonopolyBuilderFlies()


def _teaches() -> "Teaches":
    from companion.games.monopoly_builder.teaching import MonopolyBuilderTeaching

    return MonopolyBuilderTeaching()


GAME = Manifest(
    name="monopoly_builder",
    title="Monopoly Builder",
    kit=1,
    label_code="MO",
    kinds=(CardKind("deed", "D[0-9]{2}", "deeds"), CardKind("chance", "C[0-9]{2}", "chance")),
    seats=Seats(("red", "purple", "green", "yellow"), 2, 4),
    beginnings=("start_game", "take_over"),
    conserved=("money", "chips"),
    rules=_rules,
    messages=_messages,
    cards=_cards,
    capabilities=_capabilities,
    simulates=_simulates,
    words=Path(__file__).parent / "words",
    dice=2,
    mats=Path(__file__).parent / "cards" / "mats",
    tells=_tells,
    describes=_describes,
    handbook=_handbook,
    draws=_draws,
    flies=_flies,
    teaches=_teaches,
    currency="M",
)
