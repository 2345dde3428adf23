"""What a server says while it starts: to people in front of a terminal, or to a program that gathers logs."""

import io
import logging
import sys

import click
import segno

from companion.adapters.json_log import speak_json

log = logging.getLogger("companion.serve")


class Saying:
    """Says lines on stderr; with ``as_json`` each is a line of the log, and secrets are left out.

    Logs travel further than a terminal: no PIN, and no code that lets somebody in.
    """

    def __init__(self, *, as_json: bool = False) -> None:
        """Speak to people, or to programs from now on."""
        self._as_json = as_json
        if as_json:
            speak_json()

    def line(self, text: str) -> None:
        """Say a line."""
        if self._as_json:
            log.info("%s", " ".join(text.split()))
        else:
            click.echo(text, err=True)

    def way_in(self, addresses: list[str], pin: str, joining: str) -> None:
        """Tell the addresses, the PIN, and the address that lets the banker in as a code where it can be drawn."""
        opening = f"Open   {'  or  '.join(addresses)}"
        if self._as_json:
            self.line(opening)
            log.info("the PIN is told by the command: companion pin")
            return
        drawn = io.StringIO()
        segno.make(joining, error="l").terminal(drawn, compact=True, border=2)
        shown = _can_be_written(drawn.getvalue())
        if shown:
            click.echo(drawn.getvalue(), err=True)
        click.echo(opening, err=True)
        hint = "   (the code above signs the banker's tablet in without it)" if shown else ""
        click.echo(f"PIN    {pin}{hint}", err=True)


def _can_be_written(text: str) -> bool:
    """Say whether the terminal has the signs: one that is not set to UTF-8 has no blocks to draw a code with."""
    try:
        text.encode(getattr(sys.stderr, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True
