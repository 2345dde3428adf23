"""Tea House, as the registry finds it."""

from pathlib import Path

from companion.game_api.capabilities import Capabilities
from companion.game_api.cards import CardKind, ListedCards
from companion.game_api.choices import trade_partner
from companion.game_api.manifest import Manifest
from companion.game_api.step_game import hidden_purses

from .messages import MESSAGES, Pot, Tea
from .rules import TeaHouse

FOLDER = Path(__file__).parent

GAME = Manifest(
    name="tea_house",
    title="Tea House",
    api_version=2,
    label_code="TH",
    kinds=(CardKind("tea", "T[0-9]{2}", "teas"), CardKind("pot", "P[0-9]{2}", "pots")),
    seats=TeaHouse.seats,
    rules=TeaHouse,
    messages=lambda: MESSAGES,
    cards=lambda: ListedCards("tea_house", Tea, "teas", FOLDER / "house.toml", also={"pots": Pot}),
    conserved=("money",),
    capabilities=lambda: Capabilities(hidden_money=hidden_purses, consent=trade_partner),
    words=FOLDER / "words",
)
