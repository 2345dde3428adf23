"""Who can sit at the table."""

from typing import Literal, TypeAlias

PlayerId: TypeAlias = Literal["red", "blue", "yellow", "green"]

UNNAMED = "\0"
"""Stands for a name that was left out; nobody can be called so."""

FEWEST, MOST = 2, 4
