"""``companion cards``: print-and-play cards with their labels."""

from pathlib import Path

import click

from companion import bootstrap
from companion.cli.options import catalog_option, data_option, game_option, language_option, paper_option
from companion.cli.output import force_option, output_file, require_writable
from companion.cli.printing import PAIR, correction, correction_options, only_option
from companion.cli.progress import progress
from companion.config import resolve_data_folder
from companion.game_api.manifest import Manifest


@click.command()
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
    click.echo(f"{count} cards on {pages} page{'s' if pages > 1 else ''} in {out}", err=True)
