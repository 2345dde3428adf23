"""``companion serve``: the app."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.adapters.folder_lock import held
from companion.adapters.restoring import finish_restore
from companion.cli.options import catalog_option, data_option
from companion.config import data_folder

if TYPE_CHECKING:
    from companion.service.demonstration import Furniture
    from companion.service.sight.camera import Camera

DEFAULT_CAMERA = "usb"


@click.command()
@click.option("--host", default="0.0.0.0", show_default=True)  # noqa: S104 - meant for the table's own network
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.option("--camera", metavar="SPEC", help="sim[:SEED], usb[:INDEX], pi, a file, a folder, an address, none.")
@click.option("--pin", metavar="DIGITS", help="The banker's PIN from now on, 4 to 12 digits (made up at first).")
@click.option(
    "--record", metavar="DIR", type=click.Path(file_okay=False, path_type=Path), help="Keep what the camera sees there."
)
@click.option(
    "--known-as", metavar="NAME", multiple=True, help="Another name that browsers may ask for, as behind a proxy."
)
@click.option(
    "--backups",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep the backups there, on a stick for example, and not in the data folder.",
)
@click.option("--new-journal", is_flag=True, help="Begin anew in a folder whose journal is gone.")
@catalog_option
@data_option
def serve(  # noqa: PLR0913 - one an option
    *,
    host: str,
    port: int,
    camera: str | None,
    pin: str | None,
    record: Path | None,
    known_as: tuple[str, ...],
    backups: Path | None,
    new_journal: bool,
    catalog: str | None,
    data: str | None,
) -> None:
    """Serve the tablet, the display and the JSON interface until stopped."""
    from companion.bootstrap import installation
    from companion.cli.serving import serve_until_stopped

    folder = data_folder(data)
    with held(folder.lock):
        if finish_restore(folder.path):
            click.echo("A restore that was cut off has been finished.", err=True)
        source, furniture = _camera(camera)
        running = installation.running(
            folder,
            source,
            furniture,
            pin=pin,
            catalog=catalog,
            record=record,
            known_as=known_as,
            new_journal=new_journal,
            backups=backups,
        )
        if record is not None:
            click.echo(f"What the camera sees is kept in {record}: it shows the table, and is for you alone.", err=True)
        try:
            serve_until_stopped(running.services, host, port, running.pin)
        finally:
            running.close()


def _camera(spec: str | None) -> "tuple[Camera, Furniture | None]":
    """Open the camera that was named, or the first one there is, or the simulated one."""
    from companion.bootstrap import installation
    from companion.service.sight.camera import CameraAbsentError, CameraError

    if spec is not None:
        try:
            return installation.camera(spec)
        except CameraAbsentError as error:
            click.echo(f"{error}; trying on", err=True)
            return installation.camera(spec, patient=True)
        except CameraError as error:
            raise click.ClickException(str(error)) from error
    try:
        return installation.camera(DEFAULT_CAMERA)
    except CameraError as error:
        click.echo(f"{error}; the simulated camera plays instead", err=True)
        return installation.camera("sim")
