"""The journal in words."""

import re
from typing import Any

import pytest

from companion.games.master_builder import GAME
from companion.games.master_builder.messages import MESSAGES
from companion.words import LANGUAGES, Words
from tests.game_api.step_table import MESSAGES as MESSAGES_OF_STEPS

NAMES = {"blue": "Ada", "yellow": "Ben"}
CATALOG: dict[str, Any] = {
    "contracts": {"C03": {"name": "Inn", "names": {"fr": "Auberge", "de": "Gasthaus"}}},
    "workers": {"W07": {"type": "F", "wage": 4_000, "quirks": ["S"]}},
    "events": {},
    "economy": {},
}
TURNED: dict[str, Any] = {
    "event": "TurnCorrected",
    "round": 2,
    "phase": "build",
    "start": "yellow",
    "waiting": ["blue", "yellow"],
    "called_off": "plans",
    "reason": "why",
}
PLURALS = "earn|verdienen|gagnent|contracts|Aufträge|contrats|events?|Ereignis|événements|cartes"
KINDS = [kind.__name__ for kind in MESSAGES.events] + ["EntryUndone", "EntryRedone", "EntryAmended"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_event_has_its_sentence(language: str) -> None:
    words = Words(language, GAME)

    assert len(KINDS) > 40
    assert [kind for kind in KINDS if words.template(kind, "event") == kind] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_of_a_step_has_its_sentence(language: str) -> None:
    words = Words(language)
    own = {"GameStarted", "CardsHidden", "CardsShown"}
    kinds = [kind.__name__ for kind in MESSAGES_OF_STEPS.events if kind.__name__ not in own]
    secrets = [f"{name}.covered" for name in MESSAGES_OF_STEPS.secret - own]

    assert len(kinds) > 10
    assert [kind for kind in (*kinds, *secrets) if words.template(kind, "event") == kind] == []


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ({"event": "WorkerHired", "player": "blue", "worker": "W07", "wage": 4_000}, "Ada hires Foreman W07 at $4,000"),
        ({"event": "OpportunityPassed", "player": "blue", "rest": False}, "Ada passes"),
        ({"event": "OpportunityPassed", "player": "blue", "rest": True}, "Ada passes for the rest of the phase"),
        (
            {"event": "ContractSold", "player": "yellow", "contract": "C03", "paid": 7_000, "premium": 5_000},
            "Ben gets Inn for $7,000, and the $5,000 bonus",
        ),
        (
            {"event": "CashCounted", "player": "blue", "counted": 9_000, "booked": 12_000, "difference": -3_000},
            "Ada counts $9,000, $3,000 less than booked",
        ),
        (
            {
                "event": "SectionsBuilt",
                "player": "blue",
                "work": [
                    {"contract": "C03", "section": "gable-1", "workers": ["W07"]},
                    {"contract": "C03", "section": "wall-1", "workers": ["W02"]},
                ],
            },
            "Ada builds Inn (wall 1, gable 1)",
        ),
        (
            {
                "event": "WagesChanged",
                "player": "blue",
                "changes": [{"worker": "W07", "amount": -1_000}],
                "lasting": "game",
            },
            "Ada\u2019s wages from now on: Foreman W07 \u2212\u2060$1,000",
        ),
        (
            {"event": "MoneyCorrected", "from": "bank", "to": "blue", "amount": 5_000, "reason": "paid twice"},
            "Corrected: $5,000 from the bank to Ada (paid twice)",
        ),
        ({"event": "PlanLocked", "player": "blue"}, "Ada has locked a plan"),
        (
            {**TURNED, "called_off": "auction"},
            (
                "Corrected: round 2, Build, Ben starts, waiting for Ada and Ben; "
                "the auction is called off, nobody pays (why)"
            ),
        ),
        ({**TURNED, "called_off": ""}, "Corrected: round 2, Build, Ben starts, waiting for Ada and Ben (why)"),
        ({**TURNED, "phase": "finished"}, "Corrected: the game ends here, in round 2 (why)"),
        (
            {"event": "PlayerReplaced", "player": "blue", "name": "Eve", "former": "Ada"},
            "Eve takes over from Ada",
        ),
    ],
)
def test_events_are_told_as_people_would(event: dict[str, Any], said: str) -> None:
    assert Words("en", GAME).event(event, NAMES, CATALOG) == said


def test_cards_are_called_by_their_name_in_the_language() -> None:
    event = {"event": "AuctionOpened", "player": "blue", "contract": "C03", "bid": 2_000, "bidders": ["blue"]}

    assert Words("de", GAME).event(event, NAMES, CATALOG) == "Ada eröffnet Gasthaus mit 2.000\u00a0$"


def test_a_sentence_begins_with_a_capital_letter() -> None:
    said = Words("fr", GAME).refusal("worker_taken", {"card": "W07", "owner": "yellow"}, NAMES, CATALOG)

    assert said == "Le contremaître W07 travaille pour Ben."


@pytest.mark.parametrize(
    ("language", "event", "sentence"),
    [
        (
            "en",
            {"event": "ContractCorrected", "contract": "C03", "from": "display", "to": "removed", "premium": 0},
            "Corrected: Inn, now: out of the game (why)",
        ),
        (
            "de",
            {"event": "ContractSold", "player": "blue", "contract": "C03", "paid": 5_000, "premium": 5_000},
            "Ada bekommt Gasthaus für 5.000\N{NO-BREAK SPACE}$, dazu 5.000\N{NO-BREAK SPACE}$ Prämie",
        ),
    ],
)
def test_a_sentence_holds_for_every_place_and_reads_no_sum_as_a_price(language: str, event: Any, sentence: str) -> None:
    assert Words(language, GAME).event({"reason": "why", **event}, NAMES, CATALOG) == sentence


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("kind", "name", "places"),
    [
        ("effect told", "wage_change", {"whom": "X", "amount": "$2,000", "lasting": "Y"}),
        ("effect told", "wage_change.less", {"whom": "X", "amount": "$2,000", "lasting": "Y"}),
        ("refused", "events_cannot_be", {}),
        ("refused", "reveal_cannot_be", {"left": 3}),
        ("refused", "event_hand_cannot_be", {"player": "Ada", "largest": 2}),
    ],
)
def test_a_sentence_that_counts_one_has_no_plural_beside_it(
    language: str, kind: str, name: str, places: dict[str, Any]
) -> None:
    sentence = Words(language, GAME).say_in(kind, name, count=1, **places)

    assert not re.search(rf"\b1 ({PLURALS})", sentence)
