"""``companion doctor``: what works here."""

import json

import click

from companion import bootstrap
from companion.cli.failures import NO
from companion.cli.options import data_option
from companion.config import data_folder


@click.command()
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.option("--camera", metavar="SPEC", help="Ask this camera for a picture, as serve would open it.")
@data_option
def doctor(*, as_json: bool, camera: str | None, data: str | None) -> int:
    """Say what works on this machine and what to do about what does not; exit 1 if the app could not serve."""
    from companion.adapters.health import findings

    folder, games = data_folder(data), bootstrap.installed()
    found = list(findings(folder, bootstrap.editions(games, folder.catalogs), games.broken, camera))
    could_serve = all(one.works for one in found if one.needed)
    if as_json:
        click.echo(json.dumps({"could_serve": could_serve, "findings": [one.as_json() for one in found]}))
    else:
        for one in found:
            mark = "ok " if one.works else ("NO " if one.needed else "-  ")
            click.echo(f"{mark} {one.name}: {one.message}" + (f"; {one.mend}" if one.mend else ""))
    return 0 if could_serve else NO
