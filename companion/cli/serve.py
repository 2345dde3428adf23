"""``companion serve``: the app."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.adapters.folder_lock import held
from companion.adapters.restoring import finish_restore
from companion.cli.options import catalog_option, data_option
from companion.config import DataFolder, data_folder

if TYPE_CHECKING:
    from companion.cli.saying import Saying
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
@click.option("--https", is_flag=True, help="Secure pages too: for the tablet's own camera, and to install the app.")
@click.option("--https-port", type=click.IntRange(0, 65535), default=8443, show_default=True)
@click.option(
    "--certificate",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A certificate of your own with its chain (PEM), not one that the app makes; needs --key.",
)
@click.option("--key", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help="Its key (PEM).")
@click.option("--captive", is_flag=True, help="On a hotspot: show phones that look for the internet the way here.")
@click.option(
    "--backups",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep the backups there, on a stick for example, and not in the data folder.",
)
@click.option(
    "--log",
    "log_form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Lines for people, or JSON lines for programs.",
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
    https: bool,
    https_port: int,
    certificate: Path | None,
    key: Path | None,
    captive: bool,
    backups: Path | None,
    log_form: str,
    new_journal: bool,
    catalog: str | None,
    data: str | None,
) -> None:
    """Serve the tablet, the display and the JSON interface until stopped."""
    from companion.bootstrap import installation
    from companion.bootstrap.https import certificates
    from companion.cli.saying import Saying
    from companion.cli.serving import Place, serve_until_stopped

    if (certificate is None) != (key is None):
        message = "--certificate and --key go together"
        raise click.UsageError(message)
    given = None if certificate is None or key is None else (certificate, key)
    saying = Saying(as_json=log_form == "json")
    folder = data_folder(data)
    with held(folder.lock):
        if finish_restore(folder.path):
            saying.line("A restore that was cut off has been finished.")
        secured = certificates(folder, known_as, given) if https or given else None
        place = Place(host, port, secured, https_port)
        while True:
            source, furniture = _camera(camera, saying)
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
                certificates=secured,
            )
            if record is not None:
                saying.line(f"What the camera sees is kept in {record}: it shows the table, and is for you alone.")
            try:
                place = serve_until_stopped(replace(running.services, captive=captive), place, running.pin, saying)
            finally:
                running.close()
            if running.wished is None:
                return
            _go_back(running.wished, folder, saying)


def _go_back(backup: Path, folder: DataFolder, saying: "Saying") -> None:
    """Put a backup in place while nobody is served; where that fails all is as it was."""
    from companion.adapters.data_archive import ArchiveError, restore_backup

    try:
        restore_backup(backup, folder)
        saying.line(f"{backup.name} is in place; what was there is kept beside, in before-restore-N.")
    except (ArchiveError, OSError) as error:
        saying.line(f"{backup.name} is not in place: {error}; going on as before")


def _camera(spec: str | None, saying: "Saying") -> "tuple[Camera, Furniture | None]":
    """Open the camera that was named, or the first one there is, or the simulated one."""
    from companion.bootstrap import cameras
    from companion.service.sight.camera import CameraAbsentError, CameraError

    if spec is not None:
        try:
            return cameras.camera(spec)
        except CameraAbsentError as error:
            saying.line(f"{error}; trying on")
            return cameras.camera(spec, patient=True)
        except CameraError as error:
            raise click.ClickException(str(error)) from error
    try:
        return cameras.camera(DEFAULT_CAMERA)
    except CameraError as error:
        saying.line(f"{error}; the simulated camera plays instead")
        return cameras.camera("sim")
