"""Between rounds one dry headline, out of what everybody saw."""

from typing import Any

import pytest

from companion.engine.game import Overview
from companion.games.master_builder import GAME as MASTER_BUILDER
from companion.games.master_builder.ui.headlines import headline
from companion.games.master_builder.ui.scene import Scene
from companion.web.pages.ending import minutes_played
from companion.words import Words

PLAYERS = {"blue": {"name": "Ada"}, "red": {"name": "Ben"}}
BEGUN = {"event": "BuildPhaseBegan"}
LAID = {"event": "SectionsBuilt", "player": "blue", "work": [{}, {}]}
PAID = {"event": "PricePaid", "player": "blue", "contract": "C01", "price": 50_000}
WAGES = {"event": "WagesPaid", "player": "blue", "amount": 9_000}
BORROWS = {"event": "LoanTaken", "player": "red", "amount": 10_000}
BORROWS_TOO = {**BORROWS, "player": "blue"}


def scene(*events: dict[str, Any], at: tuple[str, ...] = ("2026-01-01T20:00:00+00:00",)) -> Scene:
    """Return the scene of a table after these events; one entry for each moment."""
    manifest = MASTER_BUILDER
    entries = tuple({"at": instant, "events": list(events), "command": {}} for instant in at)
    nothing = Overview("hire", (), ())
    position = {"players": PLAYERS, "phase": "hire", "round": 2}
    return Scene("t1", 1, position, nothing, (), {}, Words("en", manifest), entries)


@pytest.mark.parametrize(
    ("happened", "expected"),
    [
        ([LAID, WAGES], "2 sections laid, no door to lock yet."),
        ([LAID, BORROWS, WAGES], "2 sections and a loan to go with them."),
        ([LAID, PAID, WAGES], "1 building paid for, and nobody in need of a loan."),
        ([LAID, PAID, BORROWS, WAGES], "1 building paid for. Ben counts twice."),
        ([LAID, PAID, BORROWS, BORROWS_TOO, WAGES], "1 building paid for; the lender had the better day."),
        ([WAGES], "Nobody laid a stone. The wages were the same."),
        ([BORROWS, WAGES], "Nothing was built, and Ben borrowed for it."),
        ([{**WAGES, "amount": 0}], "Nothing built, nobody paid: a quiet round."),
        ([LAID], ""),
    ],
)
def test_a_settled_round_has_one_dry_headline(happened: list[dict[str, Any]], expected: str) -> None:
    assert headline(scene(BEGUN, *happened)) == expected


def test_breaks_and_clocks_that_were_set_back_are_no_time_of_play() -> None:
    # given acts a minute apart, a night between two of them, and a clock that was then set back
    minutes = ("20:00:00", "20:10:00", "20:30:00")
    first = [f"2026-01-01T{minute}+00:00" for minute in minutes]
    then = ["2026-01-02T19:00:00+00:00", "2026-01-02T19:12:00+00:00", "2026-01-02T18:00:00+00:00"]
    assert minutes_played(scene(at=(*first, *then)).entries) == 42
