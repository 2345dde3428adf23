"""Commands that write sheets for a printer, and their options: ``mat``, ``labels``, ``cards`` and ``printer``."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from calibration.papers import MAT_PAPERS
from companion import bootstrap
from companion.cli.options import (
    catalog_option,
    data_option,
    game_option,
    language_option,
    only_option,
    paper_option,
    refuse_options,
)
from companion.cli.output import force_option, output_file, output_folder, progress, require_writable
from companion.config import resolve_data_folder
from companion.game_api.manifest import Manifest

if TYPE_CHECKING:
    from calibration.printer_sheet import PrinterOffset
    from companion.printing.document import Correction


F = TypeVar("F", bound=Callable[..., Any])


class Pair(click.ParamType):  # type: ignore[type-arg]
    """Two numbers with a comma between them: right and down."""

    name = "pair"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, float]:
        """Return both numbers."""
        if isinstance(value, tuple):
            return value
        try:
            right, down = (float(part) for part in value.split(","))
        except ValueError:
            return self.fail(f"{value!r} is not two numbers such as 0.4,-0.2", param, ctx)
        return right, down


PAIR = Pair()


def correction_options(command: F) -> F:
    """Add ``--shift`` and ``--stretch``, which replace the printer's measured correction."""
    shift = click.option("--shift", metavar="X,Y", type=PAIR, help="Move each page: mm to the right, mm down.")
    stretch = click.option(
        "--stretch", metavar="X,Y", type=PAIR, help="Stretch each page, 1.004 by 0.4 %: across, down."
    )
    return shift(stretch(command))


def correction(
    shift: tuple[float, float] | None, stretch: tuple[float, float] | None, side: str, data: str | None
) -> "Correction":
    """Return the requested correction, or that of the measured error; raise ``ValueError`` for implausible values."""
    from companion.adapters.calibration_stores import printer_store
    from companion.printing.document import NO_CORRECTION, Correction, invert

    if shift is not None or stretch is not None:
        return Correction(*(shift or (0.0, 0.0)), *(stretch or (1.0, 1.0)))
    measured = printer_store(resolve_data_folder(data).printer).read()
    return invert(measured[side]) if side in measured else NO_CORRECTION


@click.command(short_help="Write the table mat with its zones.")
@click.argument("out", type=click.Path(path_type=Path))
@click.option(
    "--mat",
    "name",
    metavar="NAME",
    default="a2",
    show_default=True,
    help="a2, a3, table, one of a game, or one of yours; a wrong name lists them.",
)
@click.option(
    "--paper", type=click.Choice([*MAT_PAPERS]), help="What to print on; tiles where the mat is larger (own size)."
)
@language_option
@force_option
@data_option
def mat(out: Path, *, name: str, paper: str | None, lang: str, force: bool, data: str | None) -> None:
    """Write the table mat with its corner markers and zones to OUT, a vector PDF to print at 100 %."""
    require_writable(out, force=force)
    from companion.bootstrap.cameras import load_mats
    from companion.printing.mat import fit_tiling, write_mat
    from companion.words import Words

    mats = load_mats(resolve_data_folder(data).mats)
    if name not in mats:
        raise click.ClickException(f"mat {name!r} is not known: {', '.join(mats)}")
    chosen = mats[name]
    on = paper or min(MAT_PAPERS, key=lambda each: (fit_tiling(chosen, each).sheets, MAT_PAPERS[each]))
    words = Words(lang)
    said = {zone.name: words.template(zone.name, "zone") for zone in chosen.zones.zones}
    try:
        with output_file(out, force=force) as path, progress("drawing the mat"):
            sheets = write_mat(chosen, path, on, said)
    except ValueError as error:
        raise click.ClickException(str(error)) from error
    paper_name = on.capitalize() if on == "letter" else on.upper()
    click.echo(f"{chosen.title}: {_count(sheets, 'sheet')} of {paper_name} in {out}", err=True)


@click.command(short_help="Write labels to stick on the cards of a box.")
@click.argument("out", type=click.Path(path_type=Path))
@game_option
@paper_option
@click.option("--stock", metavar="NAME", default="plain", show_default=True, help="Which sticker sheet.")
@click.option("--start", metavar="N", type=int, default=1, help="First free place of a sheet that was used before.")
@click.option("--format", "form", type=click.Choice(["pdf", "png"]), default="pdf", show_default=True)
@click.option("--command-cards", is_flag=True, help="Labels for YES, NO, PASS, UNDO and SUGGEST instead.")
@language_option
@only_option
@correction_options
@force_option
@catalog_option
@data_option
def labels(  # noqa: PLR0913 - one for each option
    out: Path,
    *,
    game: Manifest | None,
    paper: str,
    stock: str,
    start: int,
    form: str,
    command_cards: bool,
    lang: str,
    only: tuple[str, ...],
    shift: tuple[float, float] | None,
    stretch: tuple[float, float] | None,
    force: bool,
    catalog: str | None,
    data: str | None,
) -> None:
    """Write sticker sheets to OUT (pdf), or one picture a label and index.json into the folder OUT (png)."""
    if command_cards:
        refuse_options(
            "only", "catalog", because="chooses among the cards of a deck, and --command-cards are none of it"
        )
    if form == "png":
        sheet_options = ("paper", "stock", "start", "shift", "stretch")
        refuse_options(*sheet_options, because="is for a sheet, and --format png writes single pictures")
    require_writable(out, force=force, names_folder=form == "png")
    from companion.bootstrap.printing import create_command_specs, create_label_specs
    from companion.printing.sheets import INDEX, write_label_pictures, write_label_sheets

    chosen = game or bootstrap.find_games().manifest()
    deck = None if command_cards else bootstrap.choose_catalog(chosen, resolve_data_folder(data).catalogs, catalog)
    try:
        specs = create_command_specs(chosen, lang) if deck is None else create_label_specs(chosen, deck, only)
        with progress(f"drawing the labels of {chosen.title}"):
            if form == "png":
                with output_folder(out, force=force, last=INDEX) as folder:
                    write_label_pictures(specs, folder)
            else:
                corrected = correction(shift, stretch, "front", data)
                with output_file(out, force=force) as path:
                    write_label_sheets(specs, path, paper, stock, start=start, correction=corrected)
    except ValueError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{_count(len(specs), 'label')} in {out}", err=True)


@click.command(short_help="Measure how a printer shifts and stretches a page.")
@click.argument("out", type=click.Path(path_type=Path), required=False)
@paper_option
@language_option
@click.option(
    "--photo", "photos", metavar="IMAGE", multiple=True, type=click.Path(path_type=Path, exists=True, dir_okay=False)
)
@click.option("--forget", is_flag=True, help="Print as if the printer were exact again.")
@force_option
@data_option
def printer(
    out: Path | None, *, paper: str, lang: str, photos: tuple[Path, ...], forget: bool, force: bool, data: str | None
) -> None:
    """Write the printer sheet to OUT (two pages: print it on both sides), or measure it with --photo.

    The measured error is stored; labels and cards are printed with a correction from then on.
    """
    if out is not None:
        require_writable(out, force=force)
    from calibration.printer_sheet import SIDES, PrinterSheetError
    from companion.adapters.calibration_stores import printer_store
    from companion.adapters.pictures import decode_posted_grey_picture
    from companion.bootstrap.printing import write_sheet_for_printer
    from companion.service.ports import ForeignPicture, UnreadablePicture
    from companion.service.printer import Printer

    if out is None and not photos and not forget:
        raise click.UsageError("name a file to write the sheet to, or a photograph of it with --photo")
    printer_errors = Printer(printer_store(resolve_data_folder(data).printer), decode_posted_grey_picture)
    if forget:
        if printer_errors.offsets():
            printer_errors.forget()
        click.echo("forgotten: labels and cards are printed without correction", err=True)
    if out is not None:
        with output_file(out, force=force) as path:
            write_sheet_for_printer(path, paper, lang)
        click.echo(
            f"{out}: print both pages at 100 %, photograph each side, then: companion printer --photo ...", err=True
        )
    for photo in photos:
        try:
            with progress(f"measuring {photo}"):
                printed = printer_errors.measure_sheet(photo.read_bytes())
        except (PrinterSheetError, ForeignPicture, UnreadablePicture) as fault:
            raise click.ClickException(f"{photo}: {fault}") from fault
        click.echo(_describe(printed))
    if photos:
        missing = [side for side in SIDES if side not in printer_errors.offsets()]
        click.echo("kept" + "".join(f"; the {side} is not known yet" for side in missing), err=True)


def _describe(printed: "PrinterOffset") -> str:
    """Return the measured error of a side as a sentence."""
    size = f"{printed.across:.2%} across, {printed.along:.2%} along"
    return (
        f"{printed.side}: {printed.right:+.2f} mm to the right, {printed.down:+.2f} mm down, {size} ({printed.paper})"
    )


@click.command(short_help="Write a deck to print and cut, with its labels.")
@click.argument("out", type=click.Path(path_type=Path))
@game_option
@language_option
@paper_option
@click.option(
    "--backs",
    type=click.Choice(["none", "long", "short"]),
    default="long",
    show_default=True,
    help="The edge over which the printer turns the sheet; none: fronts only.",
)
@click.option("--bleed", metavar="MM", type=float, default=0.0, help="Colour beyond the edge of the cards, up to 5 mm.")
@click.option("--also", metavar="NAME", multiple=True, help="More to print: money, commands ... ")
@only_option
@correction_options
@click.option("--back-shift", metavar="X,Y", type=PAIR, help="As --shift, for backs.")
@click.option("--back-stretch", metavar="X,Y", type=PAIR, help="As --stretch, for backs.")
@force_option
@catalog_option
@data_option
def cards(  # noqa: PLR0913 - one for each option
    out: Path,
    *,
    game: Manifest | None,
    lang: str,
    paper: str,
    backs: str,
    bleed: float,
    also: tuple[str, ...],
    only: tuple[str, ...],
    shift: tuple[float, float] | None,
    stretch: tuple[float, float] | None,
    back_shift: tuple[float, float] | None,
    back_stretch: tuple[float, float] | None,
    force: bool,
    catalog: str | None,
    data: str | None,
) -> None:
    """Write a print-and-play deck with its labels on the cards to OUT, a vector PDF to print at 100 %."""
    if backs == "none":
        refuse_options("back_shift", "back_stretch", because="is for backs, and --backs none prints none")
    require_writable(out, force=force)
    from companion.bootstrap.printing import write_print_and_play
    from companion.printing.cards import PrintSettings

    chosen = game or bootstrap.find_games().manifest()
    deck = bootstrap.choose_catalog(chosen, resolve_data_folder(data).catalogs, catalog)
    try:
        setting = PrintSettings(
            paper=paper,
            turn=backs,  # type: ignore[arg-type]  # click lets only these through
            bleed=bleed,
            fronts=correction(shift, stretch, "front", data),
            backs=correction(back_shift or shift, back_stretch or stretch, "back", data),
        )
        with output_file(out, force=force) as path, progress(f"drawing the cards of {chosen.title}") as report:
            count, pages = write_print_and_play(
                chosen, deck, path, language=lang, setting=setting, only=only, also=also, report=report
            )
    except ValueError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{_count(count, 'card')} on {_count(pages, 'page')} in {out}", err=True)


def _count(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
