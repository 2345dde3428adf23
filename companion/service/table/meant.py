"""What a card means now, as JSON: a command, or a question whose answers give commands."""

from dataclasses import replace
from typing import Any

from companion.engine.game import Question
from companion.gamekit.messages import Codec


def meant_json(codec: Codec, meant: Any) -> dict[str, Any] | Question | None:
    """Write a command, and those that the answers to a question give."""
    if not isinstance(meant, Question):
        return None if meant is None else codec.command_json(meant)
    yes, no = (None if one is None else codec.command_json(one) for one in (meant.yes, meant.no))
    return replace(meant, yes=yes, no=no)
