"""The command line: ``companion COMMAND``.

Exit codes: 0 success; 1 a negative answer; 2 a command that cannot be carried out, by its arguments or its files.
Results for programs go to stdout, messages for people to stderr.  Tracebacks appear only with ``--debug``.
"""

import io
import logging
import sys
from importlib import import_module

import click

from companion import __version__
from companion.cli.output import DebugFlag, run_command_line

MODULES = {
    "serve": "serve",
    "demo": "demo",
    "play": "play",
    "read": "reading",
    "labels": "printing",
    "cards": "printing",
    "printer": "printing",
    "mat": "printing",
    "catalog": "catalog",
    "replay": "replay",
    "calibrate": "calibrate",
    "tournament": "tournament",
    "game": "game",
    "doctor": "admin",
    "backup": "admin",
    "restore": "admin",
    "migrate": "database",
    "move": "database",
    "pin": "admin",
    "completion": "admin",
}
"""The module of this package that has a command."""

debug_flag = DebugFlag()


class CommandGroup(click.Group):
    """Loads a command's module when the command is asked for: on a Raspberry Pi all of them take seconds."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of all commands, in alphabetical order."""
        return sorted(MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, loaded and with ``--debug``; ``None`` if there is none of this name."""
        if cmd_name in MODULES and cmd_name not in self.commands:
            command: click.Command = getattr(import_module(f"{__name__}.{MODULES[cmd_name]}"), cmd_name)
            steps = command.commands.values() if isinstance(command, click.Group) else ()
            for part in (command, *steps):
                part.params.append(debug_flag.option())
            self.add_command(command)
        return super().get_command(ctx, cmd_name)


@click.group(cls=CommandGroup, no_args_is_help=False, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="companion")
def group() -> None:
    """Replace the banker at a real table: read the cards, keep the rules, count the money."""


group.params.append(debug_flag.option())


def main() -> None:
    """Run the program; a failure is one line on stderr."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal without UTF-8 cannot show some names
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    sys.exit(run_command_line(group, debug_flag))
