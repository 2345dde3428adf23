"""Phase 5 in rows that everybody can follow, and what the two loans cost."""

from collections.abc import Mapping
from typing import Any

from companion.games.master_builder.face.scene import Scene
from companion.games.master_builder.rules.loans import EARLY, LATE, LENT  # templates name them too
from companion.games.master_builder.rules.phases.income import payable


def rows(scene: Scene) -> list[dict[str, Any]]:
    """Give a row for each player: income, wages, what is missing or left, and where he stands.

    ``before`` and ``after`` are ``None`` where cash is covered.
    """
    settled = scene.position.get("settlement") or {}
    earned = settled.get("earned", ())
    paid = settled.get("paid", {})
    return [_row(scene, player, [one for one in earned if one["player"] == player], paid) for player in scene.seated]


def _row(scene: Scene, player: str, earned: list[dict[str, Any]], paid: dict[str, int]) -> dict[str, Any]:
    seen = scene.players[player]
    due = wages_due(scene, player)
    income = sum(one["price"] for one in earned)
    done = player in paid
    cash = seen["cash"]
    after = cash if done or cash is None else cash - due
    return {
        "player": player,
        "before": None if cash is None else cash - income + (paid.get(player, 0) if done else 0),
        "income": income,
        "from": [scene.words.card(one["contract"], scene.catalog) for one in earned],
        "wages": paid.get(player, due),
        "after": after,
        "paid": done,
        "borrows": player in scene.waiting,
    }


def wages_due(scene: Scene, player: str) -> int:
    """Say what a player pays this round."""
    return payable(int(scene.players[player]["wages"]), scene.rules)


def loan_choice(scene: Scene, offer: Mapping[str, Any]) -> dict[str, Any]:
    """Put the loans that are to be had side by side for somebody who is short of money, or free to borrow."""
    player = offer["player"]
    seen = scene.players[player]
    due = wages_due(scene, player)
    cash = seen["cash"]  # None where it is covered
    missing = None if cash is None else max(0, due - cash)
    late = bool(scene.position.get("loans_late"))
    loans = []
    for loan in offer["fields"]["loan"]["values"]:
        count = max(1, -(-(missing or 0) // LENT[loan]))
        lent, early, dear = (table[loan] for table in (LENT, EARLY, LATE))
        loans.append(
            {
                "loan": loan,
                "count": count,
                "each": lent,
                "lent": count * lent,
                "left": None if cash is None else cash + count * lent - due,
                "early": count * early,
                "late": count * dear,
            }
        )
    return {
        "cash": cash,
        "due": due,
        "must": bool(missing) or (cash is None and not scene.offers_of("pass", player=player)),
        "missing": missing,
        "late": late,
        "loans": loans,
    }
