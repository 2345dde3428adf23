"""``companion completion``: the script by which a shell completes commands, options and names of games."""

import click
from click.shell_completion import get_completion_class

from companion.cli.failures import PROGRAM
from companion.cli.options import unused_data_option

COMPLETE_VARIABLE = f"_{PROGRAM.upper()}_COMPLETE"
"""Set by the script when it asks for completions; ``run`` knows it too."""
CHECKOUT = "./run"
OF_CHECKOUT = f"complete -o nosort -F _{PROGRAM}_completion {CHECKOUT}\n"
"""Bash completes the program of a checkout alike; the other shells look commands up by their name."""


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@unused_data_option
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the script that completes commands and options in SHELL.

    bash: add `eval "$(companion completion bash)"` to ~/.bashrc, or `eval "$(./run completion bash)"` in a checkout.
    """
    kind = get_completion_class(shell)
    assert kind is not None  # noqa: S101 - click has all three
    script = kind(context.find_root().command, {}, PROGRAM, COMPLETE_VARIABLE).source()
    click.echo(script + (OF_CHECKOUT if shell == "bash" else ""))
