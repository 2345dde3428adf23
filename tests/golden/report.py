"""The report of a golden game: how it ended, who moved how much money by what, and what was refused."""

from companion.engine.ledger import BOX
from companion.service.table.play_files import ledger_rows
from companion.service.table.table import Table
from tests.golden.stored import GoldenGame, Json

KEPT = (
    "round",
    "last_round",
    "phase",
    "finished",
    "start_player",
    "players",
    "display",
    "deck",
    "removed",
    "bank",
    "on_contracts",
    "money_in_play",
    "standings",
)
KEPT_OF_PLAYERS = ("cash", "wages", "workers", "unavailable", "contracts", "completed", "loans", "owes")


def report(game: GoldenGame, table: Table, answers: dict[int, Json]) -> Json:
    """Write the report of a game that was just decided."""
    refused = {
        str(line): f"{answer['rule']}: {answer['refused']}" for line, answer in answers.items() if "rule" in answer
    }
    return {
        "says": game.says,
        "entries": len(table.entries),
        "position": final_position(table),
        "flows": flows(table),
        "refused": refused,
    }


def final_position(table: Table) -> Json:
    """Return those fields of the last position that the report holds."""
    return final_position_of(table.position_json("banker") or {})


def final_position_of(position: Json) -> Json:
    """Leave of a position what the report holds."""
    shown = {key: position[key] for key in KEPT if key in position}
    players = {name: {key: player[key] for key in KEPT_OF_PLAYERS} for name, player in position["players"].items()}
    return {**shown, "players": players}


def flows(table: Table) -> dict[str, dict[str, int]]:
    """Add up by account and kind of event what came in and went out; each account sums up to what lies there."""
    by_account: dict[str, dict[str, int]] = {}
    for row in ledger_rows(table):
        account, event = row["account"], row["event"]
        if account != BOX:
            of = by_account.setdefault(account, {})
            of[event] = of.get(event, 0) + row["amount"]
    return {account: dict(sorted(by_account[account].items())) for account in sorted(by_account)}
