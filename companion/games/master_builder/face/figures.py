"""Figures of the rules as pages draw them: thousands, and the marks of the wage track."""

from companion.games.master_builder.face.scene import Scene
from companion.games.master_builder.rules.guards import THOUSAND

EVERY = 5
"""So many thousands lie between two marks of the wage track."""


def thousands(amount: int) -> int:
    """Give an amount as the wage track has it: whole thousands."""
    return amount // THOUSAND


def track_marks(limit: int) -> list[tuple[int, float]]:
    """Give the marks of a wage track that ends at ``limit``: amounts, and where they stand in per cent."""
    amounts = range(EVERY * THOUSAND, limit + 1, EVERY * THOUSAND)
    return [(amount, amount * 100 / limit - (0.6 if amount == limit else 0)) for amount in amounts]


def title_of(card: str, scene: Scene) -> str:
    """Name a contract, for lists in templates."""
    return str(scene.contract(card)["title"])
