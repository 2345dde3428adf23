"""The command line: ``companion COMMAND``.

Exit codes: 0 success; 1 a negative answer; 2 a command that cannot be carried out, by its arguments or its files.
Results for programs go to stdout, messages for people to stderr.  Tracebacks appear only with ``--debug``.
"""

import io
import logging
import sys

import click

from companion import __version__
from companion.cli.admin import backup, doctor, pin, restore
from companion.cli.calibrate import calibrate
from companion.cli.cards import cards
from companion.cli.catalog import catalog
from companion.cli.completion import completion
from companion.cli.demo import demo
from companion.cli.failures import DebugFlag, run_command_line
from companion.cli.play import play
from companion.cli.printing import labels, mat, printer
from companion.cli.reading import read
from companion.cli.replay import replay
from companion.cli.serve import serve
from companion.cli.tournament import tournament


@click.group(no_args_is_help=False, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="companion")
def group() -> None:
    """Replace the banker at a real table: read the cards, keep the rules, count the money."""


debug_flag = DebugFlag()
group.params.append(debug_flag.option())
for command in (
    serve,
    demo,
    play,
    read,
    labels,
    cards,
    printer,
    mat,
    catalog,
    replay,
    calibrate,
    tournament,
    doctor,
    backup,
    restore,
    pin,
    completion,
):
    command.params.append(debug_flag.option())
    group.add_command(command)
for step in (*calibrate.commands.values(), *catalog.commands.values()):
    step.params.append(debug_flag.option())


def main() -> None:
    """Run the program; a failure is one line on stderr."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal without UTF-8 cannot show some names
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    sys.exit(run_command_line(group, debug_flag))
