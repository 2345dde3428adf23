"""What Men at Work can do besides being played."""

from companion.game_api.capabilities import Capabilities, Choices, Step
from companion.games.men_at_work.hearing import MenAtWorkHears
from companion.games.men_at_work.rules import preparation
from companion.games.men_at_work.rules.catalog import BOSS
from companion.games.men_at_work.rules.house_rules import VARIANTS, values_by_key
from companion.games.men_at_work.rules.pieces import BACKS
from companion.games.men_at_work.rules.state import Here


class MenAtWorkIsSet:
    """Knows the set-up."""

    def is_due(self, position: Here) -> bool:
        """Say whether the table still waits for the first card."""
        return preparation.is_due(position.state)

    def steps(self, position: Here, seen: frozenset[str]) -> list[Step]:
        """List what is laid ready; a back in view shows that the pile lies there."""
        piled = bool(seen & {*BACKS, BOSS})
        return [
            Step(name, count, int(piled), 1) if name == "boss_card" else Step(name, count)
            for name, count in preparation.steps(position.state)
        ]


CAPABILITIES = Capabilities(
    hears_cards=MenAtWorkHears(),
    sets_table=MenAtWorkIsSet(),
    choices=Choices(values_by_key(), VARIANTS, {"level": ("standard", "expert")}),
)
