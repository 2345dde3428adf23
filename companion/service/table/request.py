"""A request: one command on its way from whoever gives it to the journal."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Request:
    """A command, who gives it, and from where.

    Attributes:
        command: The command as JSON, or what was sent in its place.
        actor: ``banker`` or the id of a player, who is asked for by the rules and named in the journal.
        source: Where it comes from, for the journal: ``tap``, ``program``, ``camera``, ``play`` and others.
        seen_version: The version that the sender had on the screen; ``None``: it does not matter.
        key: The sender's own name for this request; sent twice, it counts once.  ``None``: it has none.
    """

    command: Mapping[str, Any]
    actor: str
    source: str
    seen_version: int | None = None
    key: str | None = None

    @property
    def identity(self) -> str:
        """Return actor and command in a form that is equal only where the JSON is equal."""
        return identity(self.actor, self.command)


def identity(actor: str, command: Mapping[str, Any]) -> str:
    """Return who asks for what as text, equal only where the JSON is: ``1`` is neither ``1.0`` nor ``true``."""
    try:
        return json.dumps([actor, dict(command)], sort_keys=True)
    except RecursionError:
        return f"{actor}: brackets within brackets without end"
