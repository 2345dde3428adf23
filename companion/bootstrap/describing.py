"""The commands of the house and of every game, described for programs."""

from collections.abc import Mapping

from companion.adapters.command_schemas import command_schemas, names_of_commands
from companion.gamekit.edition import Edition
from companion.service.services import CommandSchemas
from companion.service.table.house_commands import HOUSE_COMMANDS

HOUSE = "house"


def described(editions: Mapping[str, Edition]) -> CommandSchemas:
    """Describe the commands of the games that are installed, and those that every game has."""
    owners = {name: edition.messages.commands for name, edition in editions.items()} | {HOUSE: HOUSE_COMMANDS}
    return CommandSchemas(
        commands=tuple(name for owner, kinds in owners.items() for name in names_of_commands(owner, kinds)),
        parts={name: part for owner, kinds in owners.items() for name, part in command_schemas(owner, kinds).items()},
    )
