"""Night Harbour, as the registry finds it."""

from pathlib import Path

from companion.game_api.capabilities import Capabilities
from companion.game_api.cards import CardKind, ListedCards
from companion.game_api.manifest import Manifest
from companion.game_api.step_game import hidden_purses

from .messages import MESSAGES, Crew, Ship
from .rules import NightHarbour

FOLDER = Path(__file__).parent

GAME = Manifest(
    name="night_harbour",
    title="Night Harbour",
    api_version=2,
    label_code="NH",
    kinds=(CardKind("ship", "S[0-9]{2}", "ships"), CardKind("crew", "C[0-9]{2}", "crews")),
    seats=NightHarbour.seats,
    rules=NightHarbour,
    messages=lambda: MESSAGES,
    cards=lambda: ListedCards("night_harbour", Ship, "ships", FOLDER / "house.toml", also={"crews": Crew}),
    conserved=("money",),
    capabilities=lambda: Capabilities(hidden_money=hidden_purses),
    words=FOLDER / "words",
)
