"""Lines of an event: one for each player and thing that it affects."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from companion.games.master_builder.ui import headlines
from companion.games.master_builder.ui.turned import turned_event
from companion.words import Words
from tests.opened import installed_games


def paid(player: str, amount: int) -> dict[str, Any]:
    return {"event": "EventPaid", "player": player, "amount": amount}


@dataclass(frozen=True)
class Seen:
    """As much of a scene as news are told of."""

    events: tuple[dict[str, Any], ...]
    phase: str = "build"
    position: dict[str, Any] = field(default_factory=dict[str, Any])
    names: dict[str, str] = field(default_factory=lambda: {"blue": "Ada", "red": "Ben"})
    catalog: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def words(self) -> Any:
        return Words("en", installed_games().manifest("master_builder"))

    @property
    def entries(self) -> tuple[dict[str, Any], ...]:
        turned = {"event": "EventTurned", "card": "E14", "order": ["blue", "red"], "from_hand": False}
        return ({"seq": 2, "command": {"do": "turn_event"}, "events": [turned, *self.events], "undone": False},)


def test_payments_of_one_player_for_one_card_are_one_sum_and_nothing_is_no_payment() -> None:
    events = (paid("blue", 1000), paid("blue", 4000), paid("red", 0), paid("red", 0))
    scene: Any = Seen(events)

    news = headlines.event_news(scene)

    assert news is not None
    assert news.did == ("Ada pays $5,000",)


def test_an_event_of_the_round_before_is_no_news_where_the_banker_begins_to_build() -> None:
    begun = {"event": "RoundBegan", "round": 3, "start": "red", "laps": 3}
    scene: Any = Seen((paid("blue", 1000), begun))
    assert (headlines.event_news(scene), turned_event(scene)) == (None, None)


@pytest.mark.parametrize("lasting", ["round", "game"])
@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Ada\u2019s wages stay as they are"),
        ("de", "Die Löhne von Ada bleiben gleich"),
        ("fr", "Ada garde les mêmes salaires"),
    ],
)
def test_whoever_has_no_worker_whose_wage_changes_is_told_so(language: str, said: str, lasting: str) -> None:
    words = Words(language, installed_games().manifest("master_builder"))
    event = {"event": "WagesChanged", "player": "blue", "changes": [], "lasting": lasting}
    assert words.event(event, {"blue": "Ada"}, {}) == said


def test_whoever_loses_nothing_is_told_so_in_a_whole_sentence() -> None:
    words = Seen(()).words
    names = {"blue": "Ada"}
    dismissal = words.event({"event": "WorkersDismissed", "player": "blue", "workers": []}, names, {})
    nothing = words.event({"event": "SectionsRazed", "player": "blue", "sites": []}, names, {})
    assert (dismissal, nothing) == ("Ada loses no worker", "Ada loses no section")
