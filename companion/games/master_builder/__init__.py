"""Master Builder: the game as the registry finds it.  What is heavy is loaded when it is asked for."""

from pathlib import Path

from companion.game_api.cards import CardKind
from companion.game_api.manifest import Lazy, Manifest, Seats

GAME = Manifest(
    name="master_builder",
    title="Master Builder",
    api_version=2,
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
    rules=Lazy(f"{__name__}.rules.game:MasterBuilder"),
    messages=Lazy(f"{__name__}.messages:MESSAGES"),
    cards=Lazy(f"{__name__}.cards.reading:MasterBuilderCards"),
    capabilities=Lazy(f"{__name__}.capabilities:CAPABILITIES"),
    bots=Lazy(f"{__name__}.simulation:MasterBuilderBots"),
    ui=Lazy(f"{__name__}.ui.ui:MasterBuilderUI"),
    story=Lazy(f"{__name__}.ui.story:MasterBuilderStory"),
    corrections=Lazy(f"{__name__}.ui.sheets:MasterBuilderCorrections"),
    words=Path(__file__).parent / "words",
    mats=Path(__file__).parent / "cards" / "mats",
    event_texts=Lazy(f"{__name__}.ui.texts:MasterBuilderEventTexts"),
    drawings=Lazy(f"{__name__}.drawings.game:MasterBuilderDrawings"),
    teaching=Lazy(f"{__name__}.teaching:MasterBuilderTeaching"),
)
