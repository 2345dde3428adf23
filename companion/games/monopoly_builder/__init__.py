"""Monopoly Builder: the game as the registry finds it.  What is heavy is loaded when it is asked for."""

from pathlib import Path

from companion.game_api.cards import CardKind
from companion.game_api.manifest import Lazy, Manifest, Seats

GAME = Manifest(
    name="monopoly_builder",
    title="Monopoly Builder",
    api_version=2,
    label_code="MO",
    kinds=(CardKind("deed", "D[0-9]{2}", "deeds"), CardKind("chance", "C[0-9]{2}", "chance")),
    seats=Seats(("red", "purple", "green", "yellow"), 2, 4),
    beginnings=("start_game", "take_over"),
    conserved=("money", "chips"),
    rules=Lazy(f"{__name__}.rules.game:MonopolyBuilder"),
    messages=Lazy(f"{__name__}.messages:MESSAGES"),
    cards=Lazy(f"{__name__}.cards.reading:MonopolyBuilderCards"),
    capabilities=Lazy(f"{__name__}.capabilities:CAPABILITIES"),
    bots=Lazy(f"{__name__}.simulation:MonopolyBuilderBots"),
    words=Path(__file__).parent / "words",
    dice=2,
    mats=Path(__file__).parent / "cards" / "mats",
    event_texts=Lazy(f"{__name__}.ui.texts:MonopolyBuilderEventTexts"),
    position_texts=Lazy(f"{__name__}.ui.texts:MonopolyBuilderPositionTexts"),
    offer_texts=Lazy(f"{__name__}.ui.offers:MonopolyBuilderOffers"),
    handbook=Lazy(f"{__name__}.handbook:HANDBOOK"),
    drawings=Lazy(f"{__name__}.drawings.game:MonopolyBuilderDrawings"),
    stage=Lazy(f"{__name__}.ui.stage:MonopolyBuilderStage"),
    story=Lazy(f"{__name__}.ui.story:MonopolyBuilderStory"),
    corrections=Lazy(f"{__name__}.ui.corrections:MonopolyBuilderCorrections"),
    take_over=Lazy(f"{__name__}.ui.corrections:MonopolyBuilderTakeOver"),
    glossary=Lazy(f"{__name__}.ui.stage:MonopolyBuilderGlossary"),
    flights=Lazy(f"{__name__}.drawings.chips:MonopolyBuilderFlights"),
    teaching=Lazy(f"{__name__}.teaching:MonopolyBuilderTeaching"),
    currency="M",
)
