"""Men at Work: the game as the registry finds it.  What is heavy is loaded when it is asked for."""

from pathlib import Path

from companion.game_api.cards import CardKind
from companion.game_api.manifest import Lazy, Manifest, Seats

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
    api_version=2,
    label_code="MW",
    kinds=(
        CardKind("instruction", "I[0-9]{2}", "cards"),
        CardKind("boss", "BOSS", "boss"),
        CardKind("back", "[GH](OP|OB|OW|PB|PW|BW)"),
    ),
    seats=Seats(("blue", "yellow", "red", "green", "grey"), 2, 5),
    beginnings=("start_game", "take_over"),
    conserved=("pieces", "certificates", "awards"),
    rules=Lazy(f"{__name__}.rules.game:MenAtWork"),
    messages=Lazy(f"{__name__}.messages:MESSAGES"),
    cards=Lazy(f"{__name__}.cards.reading:MenAtWorkCards"),
    capabilities=Lazy(f"{__name__}.capabilities:CAPABILITIES"),
    bots=Lazy(f"{__name__}.simulation:MenAtWorkBots"),
    words=Path(__file__).parent / "words",
    mats=Path(__file__).parent / "cards" / "mats",
    piles=frozenset({"pile"}),
    event_texts=Lazy(f"{__name__}.ui.texts:MenAtWorkEventTexts"),
    position_texts=Lazy(f"{__name__}.ui.texts:MenAtWorkPositionTexts"),
    handbook=Lazy(f"{__name__}.handbook:HANDBOOK"),
    drawings=Lazy(f"{__name__}.drawings.game:MenAtWorkDrawings"),
    stage=Lazy(f"{__name__}.ui.stage:MenAtWorkStage"),
    story=Lazy(f"{__name__}.ui.story:MenAtWorkStory"),
    corrections=Lazy(f"{__name__}.ui.corrections:MenAtWorkCorrections"),
    take_over=Lazy(f"{__name__}.ui.corrections:MenAtWorkTakeOver"),
    glossary=Lazy(f"{__name__}.ui.stage:MenAtWorkGlossary"),
    teaching=Lazy(f"{__name__}.teaching:MenAtWorkTeaching"),
    command_cards={f"X{number:02}": word for number, word in enumerate(COMMAND_WORDS, FIRST_COMMAND_CARD)},
)
