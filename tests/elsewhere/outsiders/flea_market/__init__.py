"""Flea Market, as the registry finds it."""

from pathlib import Path

from companion.game_api.capabilities import Capabilities
from companion.game_api.cards import CardKind, ListedCards
from companion.game_api.manifest import Manifest
from companion.game_api.step_game import hidden_purses

from .messages import MESSAGES, Thing
from .rules import FleaMarket

FOLDER = Path(__file__).parent

GAME = Manifest(
    name="flea_market",
    title="Flea Market",
    api_version=2,
    label_code="FM",
    kinds=(CardKind("thing", "T[0-9]{2}", "things"),),
    seats=FleaMarket.seats,
    rules=FleaMarket,
    messages=lambda: MESSAGES,
    cards=lambda: ListedCards("flea_market", Thing, "things", FOLDER / "house.toml"),
    conserved=("money",),
    capabilities=lambda: Capabilities(hidden_money=hidden_purses),
    words=FOLDER / "words",
)
