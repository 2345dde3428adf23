"""Refusals: the answer of the rules to a command that is not possible."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias

Detail: TypeAlias = "str | int | tuple[str, ...] | tuple[Mapping[str, object], ...]"
"""A number, an id, several ids; under ``faults`` several refusals in one, each ``{"rule", "details"}``."""


class Refused(Exception):  # noqa: N818 - a refusal is an answer of the rules, not an error of the program
    """A command is not possible now.

    ``rule`` is a language-neutral id such as ``wage_limit``; ``details`` are the figures and ids that its sentence
    contains.  The sentences themselves are in the translations.
    """

    def __init__(self, rule: str, /, **details: Detail) -> None:
        """Store the id of the rule and the details of its sentence."""
        super().__init__(rule)
        self.rule = rule
        self.details: Mapping[str, Detail] = MappingProxyType(details)

    def __str__(self) -> str:
        """Return rule and details, for logs and test failures; people see the translated sentence."""
        figures = ", ".join(f"{key}={value}" for key, value in self.details.items())
        return f"{self.rule} ({figures})" if figures else self.rule
