"""``companion serve``: serve the app until it is stopped."""

from dataclasses import replace
from pathlib import Path

import click

from companion import bootstrap
from companion.adapters.backup.archive import finish_restore, lock_folder, make_private_folder
from companion.cli.options import catalog_option, data_option, database_option, unused_language_option
from companion.cli.workers import Hall, PublicAddress
from companion.config import resolve_data_folder


@click.command(short_help="Serve the tablet, the big screen and the phones.")
@click.option("--host", default="0.0.0.0", show_default=True)  # noqa: S104 - meant for the table's own network
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.option(
    "--camera",
    metavar="SPEC",
    envvar="COMPANION_CAMERA",
    help="sim[:SEED], usb[:INDEX], pi, a file, a folder, an address, none.",
)
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
@click.option(
    "--workers",
    metavar="N",
    type=click.IntRange(1, 64),
    help="For a hall: so many processes, a gateway for live pages, and haproxy in front; needs --database.",
)
@catalog_option
@database_option
@data_option
@unused_language_option
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
    workers: int | None,
    catalog: str | None,
    database: str | None,
    data: str | None,
) -> None:
    """Serve the tablet, the display and the JSON interface until stopped."""
    if (certificate is None) != (key is None):
        message = "--certificate and --key go together"
        raise click.UsageError(message)
    given = None if certificate is None or key is None else (certificate, key)
    folder, public = resolve_data_folder(data), PublicAddress(host, port, given, https_port)
    known_as = (*known_as, *public.certificate_names())
    if workers is not None:  # before anything is loaded that only games and pages need
        unfit = (camera not in {None, "none"}, record, captive, backups, new_journal, https and given is None)
        hall = Hall(folder, database, public, catalog, known_as, log_form == "json")
        hall.serve(workers, pin, is_unfit=any(unfit))
        return
    from companion.adapters.backup.folder import BackupFolder
    from companion.adapters.stores import remove_unfinished
    from companion.bootstrap import installation
    from companion.bootstrap.installation import open_certificate
    from companion.cli.serving import (
        Console,
        ServerAddress,
        choose_camera,
        restore_requested_backup,
        serve_until_stopped,
    )

    console = Console(as_json=log_form == "json")
    with lock_folder(folder.lock):
        if finish_restore(folder.path):
            console.print_line("A restore that was cut off has been finished.")
        remove_unfinished(folder)
        BackupFolder(folder, backups).remove_unfinished()
        secured = open_certificate(folder, known_as, given) if https or given else None
        place = ServerAddress(host, port, secured, https_port)
        games = bootstrap.find_games()
        while True:
            source, simulated_table = choose_camera(camera, console, games, folder.mats)
            running = installation.open_installation(
                folder,
                source,
                simulated_table,
                pin=pin,
                catalog=catalog,
                record=record,
                known_as=known_as,
                new_journal=new_journal,
                backups=backups,
                certificates=secured,
                games=games,
                database=database,
            )
            make_private_folder(folder.path)  # a folder that was open to others holds a journal only now
            if record is not None:
                console.print_line(
                    f"What the camera sees is kept in {record}: it shows the table, and is for you alone."
                )
            try:
                place = serve_until_stopped(replace(running.services, captive=captive), place, running.pin, console)
            finally:
                running.close()
            if running.requested_backup is None:
                return
            restore_requested_backup(running.requested_backup, folder, console)
