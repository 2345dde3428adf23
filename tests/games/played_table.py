"""A table at which tests play any game: commands as JSON, refusals that change nothing, and what is seen."""

from typing import Any

import pytest

from companion.engine.game import Refused
from companion.service.table.table import Request, Table
from companion.words import LANGUAGES, Words

Json = dict[str, Any]


class PlayedTable:
    """A table of a game; each game derives short ways to its moments."""

    table: Table

    def give(self, command: Json) -> list[Json]:
        """Play a command and give the events that it led to."""
        events: list[Json] = self.table.submit(Request(command, "banker", "test"))["events"]
        return events

    def refused(self, command: Json) -> str:
        """Return the rule by which a command is refused, in words in every language; nothing has changed."""
        before = self.table.show("banker"), len(self.table.entries)
        with pytest.raises(Refused) as refused:
            self.give(command)
        assert (self.table.show("banker"), len(self.table.entries)) == before
        for language in LANGUAGES:
            words = Words(language, self.table.game.manifest)
            said = words.refusal(refused.value.rule, refused.value.details, self.table.names())
            assert said.endswith((".", "!")), (language, said)
            assert "{" not in said, (language, said)
        return refused.value.rule

    @property
    def position(self) -> Json:
        position = self.table.position_json("banker")
        assert position is not None
        return position

    @property
    def phase(self) -> str:
        return str(self.position["phase"])

    def player(self, player: str) -> Json:
        shown: Json = self.position["players"][player]
        return shown
