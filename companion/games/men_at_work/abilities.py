"""What Men at Work can do besides being played."""

from companion.gamekit.capabilities import Capabilities, Choices
from companion.games.men_at_work.hearing import MenAtWorkHears
from companion.games.men_at_work.rules.house_rules import VARIANTS, values_by_key

CAPABILITIES = Capabilities(
    hears_cards=MenAtWorkHears(),
    choices=Choices(values_by_key(), VARIANTS, {"level": ("standard", "expert")}),
)
