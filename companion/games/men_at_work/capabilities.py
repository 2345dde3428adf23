"""What Men at Work can do besides being played."""

from companion.game_api.capabilities import Capabilities, Choices, Preparation
from companion.game_api.house_rules import values_by_key
from companion.games.men_at_work.command_cards import command_card
from companion.games.men_at_work.preparation import is_due, steps
from companion.games.men_at_work.rules.house_rules import VARIANTS, Rules

CAPABILITIES = Capabilities(
    command_card=command_card,
    preparation=Preparation(is_due, steps),
    choices=Choices(values_by_key(Rules), VARIANTS, {"level": ("standard", "expert")}),
)
