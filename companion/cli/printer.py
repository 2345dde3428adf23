"""``companion printer``: the sheet that tells what a printer is out by, and what a photograph of it says."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli.options import data_option
from companion.config import data_folder

if TYPE_CHECKING:
    from calibration.printer_sheet import Printed


@click.command()
@click.argument("out", type=click.Path(path_type=Path), required=False)
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True)
@click.option("--lang", type=click.Choice(["en", "fr", "de"]), default="en", show_default=True)
@click.option(
    "--photo", "photos", metavar="IMAGE", multiple=True, type=click.Path(path_type=Path, exists=True, dir_okay=False)
)
@click.option("--forget", is_flag=True, help="Print as if the printer were exact again.")
@data_option
def printer(
    out: Path | None, *, paper: str, lang: str, photos: tuple[Path, ...], forget: bool, data: str | None
) -> None:
    """Write the printer sheet to OUT (two pages: print it on both sides), or measure it with --photo.

    What a photograph says is kept; labels and cards are printed with it undone from then on.
    """
    from calibration.printer_sheet import SIDES, PrinterSheetError
    from companion.adapters.posted_pictures import posted_picture
    from companion.adapters.printer_file import PrinterFile
    from companion.bootstrap.sheets import write_sheet_for_printer
    from companion.service.errors import ForeignPicture, UnreadablePicture
    from companion.service.printer import Printer

    if out is None and not photos and not forget:
        raise click.UsageError("name a file to write the sheet to, or a photograph of it with --photo")
    known = Printer(PrinterFile(data_folder(data).printer), posted_picture)
    if forget:
        known.forget()
        click.echo("forgotten: labels and cards are printed as they are", err=True)
    if out is not None:
        write_sheet_for_printer(out, paper, lang)
        click.echo(
            f"{out}: print both pages at 100 %, photograph each side, then: companion printer --photo ...", err=True
        )
    for photo in photos:
        try:
            found = known.look(photo.read_bytes())
        except (PrinterSheetError, ForeignPicture, UnreadablePicture) as fault:
            raise click.ClickException(f"{photo}: {fault}") from fault
        click.echo(_said(found))
    if photos:
        missing = [side for side in SIDES if side not in known.known()]
        click.echo("kept" + "".join(f"; the {side} is not known yet" for side in missing), err=True)


def _said(found: "Printed") -> str:
    """Say what a side is out by, for people and as options."""
    size = f"{found.across:.2%} across, {found.along:.2%} along"
    return f"{found.side}: {found.right:+.2f} mm to the right, {found.down:+.2f} mm down, {size} ({found.paper})"
