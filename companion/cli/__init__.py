"""The program: ``companion COMMAND``.

Exit codes: 0 done; 1 the answer is no; 2 wrong arguments or an unreadable file.  Programs read stdout, people
stderr.  No traceback reaches a user unless ``--debug`` asks for it.
"""

import logging
import sys

import click

from companion import __version__
from companion.cli.demo import demo
from companion.cli.doctor import doctor
from companion.cli.failures import DEBUG, told
from companion.cli.keeping import backup, restore
from companion.cli.labels import labels
from companion.cli.play import play
from companion.cli.reading import read
from companion.cli.serve import serve


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="companion")
@click.option("--debug", is_flag=True, help="Show tracebacks.")
@click.pass_context
def group(context: click.Context, *, debug: bool) -> None:
    """Replace the banker at a real table: read the cards, keep the rules, count the money."""
    context.meta[DEBUG] = debug
    logging.basicConfig(level=logging.DEBUG if debug else logging.INFO, format="%(levelname)s %(message)s")


for command in (serve, demo, play, read, labels, doctor, backup, restore):
    group.add_command(command)


def main() -> None:
    """Run the program; what goes wrong is one line on stderr."""
    sys.exit(told(group))
