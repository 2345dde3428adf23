"""What people see of a game."""

from typing import Protocol


class Face(Protocol):
    """The pages of a game, as values for its templates."""
