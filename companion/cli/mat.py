"""``companion mat``: the printed sheet that tells the camera whose card it sees."""

from pathlib import Path

import click

from calibration.papers import MAT_PAPERS
from companion.cli.options import data_option
from companion.config import data_folder


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option(
    "--mat", "name", metavar="NAME", default="a2", show_default=True, help="a2, a3, table, site, or one of yours."
)
@click.option(
    "--paper", type=click.Choice([*MAT_PAPERS]), help="What to print on; tiles where the mat is larger (own size)."
)
@click.option("--language", type=click.Choice(["en", "fr", "de"]), default="en", show_default=True)
@data_option
def mat(out: Path, *, name: str, paper: str | None, language: str, data: str | None) -> None:
    """Write the table mat with its corner markers and zones to OUT, a vector PDF to print at 100 %."""
    from companion.bootstrap.sight import known_mats
    from companion.printing.mat import tiling_of, write_mat
    from companion.words import Words

    mats = known_mats(data_folder(data).mats)
    if name not in mats:
        raise click.ClickException(f"mat {name!r} is not known: {', '.join(mats)}")
    chosen = mats[name]
    on = paper or min(MAT_PAPERS, key=lambda each: (tiling_of(chosen, each).sheets, MAT_PAPERS[each]))
    words = Words(language)
    said = {zone.name: words.template(zone.name, "zone") for zone in chosen.zones.zones}
    sheets = write_mat(chosen, out, on, said)
    click.echo(f"{chosen.title}: {sheets} sheet{'s' if sheets > 1 else ''} of {on.upper()} in {out}", err=True)
