"""``companion labels``: stickers with the codes of every card."""

from pathlib import Path

import click

from companion import bootstrap
from companion.cli.options import GAME, catalog_option, data_option
from companion.cli.printing import correction, correction_options, only_option
from companion.config import data_folder
from companion.gamekit.manifest import Manifest


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--game", metavar="NAME", type=GAME, required=True)
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True)
@click.option("--stock", metavar="NAME", default="plain", show_default=True, help="Which sticker sheet.")
@click.option("--start", metavar="N", type=int, default=1, help="First free place of a sheet that was used before.")
@click.option("--format", "form", type=click.Choice(["pdf", "png"]), default="pdf", show_default=True)
@click.option("--command-cards", is_flag=True, help="Labels for YES, NO, PASS, UNDO and SUGGEST instead.")
@click.option("--lang", type=click.Choice(["en", "fr", "de"]), default="en", help="What command cards say to people.")
@only_option
@correction_options
@catalog_option
@data_option
def labels(  # noqa: PLR0913 - one for each option
    out: Path,
    *,
    game: Manifest,
    paper: str,
    stock: str,
    start: int,
    form: str,
    command_cards: bool,
    lang: str,
    only: tuple[str, ...],
    shift: tuple[float, float] | None,
    stretch: tuple[float, float] | None,
    catalog: str | None,
    data: str | None,
) -> None:
    """Write sticker sheets to OUT (pdf), or one picture a label and index.json into the folder OUT (png)."""
    from companion.bootstrap.print_and_play import command_specs, label_specs
    from companion.printing.labels import write_label_pictures
    from companion.printing.sheets import write_label_sheets

    deck = None if command_cards else bootstrap.catalog(game, data_folder(data).catalogs, catalog)
    try:
        specs = command_specs(game, lang) if deck is None else label_specs(game, deck, only)
        if form == "png":
            write_label_pictures(specs, out)
        else:
            write_label_sheets(specs, out, paper, stock, start=start, out_by=correction(shift, stretch, "front", data))
    except ValueError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{len(specs)} labels in {out}", err=True)
