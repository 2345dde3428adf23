"""``companion read``: read the labels and other QR codes in pictures."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import click

from companion import bootstrap
from companion.adapters.system import os_error_reason
from companion.cli.options import GAME, catalog_option, data_option, only_option, refuse_options, unused_language_option
from companion.cli.output import UNUSABLE, print_json_line, progress, progress_beside_results
from companion.config import resolve_data_folder
from companion.game_api.manifest import Manifest
from companion.vision.label.tag import Deck


@click.command(short_help="Read the QR codes in pictures.")
@click.argument("images", metavar="IMAGE...", nargs=-1, required=True)
@click.option("--deck", metavar="GAME", type=GAME, help="Read only labels of this game's deck.")
@click.option(
    "--sheet",
    metavar="KIND",
    help="With --deck: report what is missing on a printed sheet; 'cards' or a stock of stickers.",
)
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="Of that sheet.")
@click.option("--bleed", metavar="MM", type=float, default=0.0, help="Of cards: as they were printed.")
@click.option("--start", metavar="N", type=int, default=1, help="Of labels: as they were printed.")
@only_option
@click.option("--burst", is_flag=True, help="The pictures are consecutive frames of one scene: one answer for all.")
@catalog_option
@data_option
@unused_language_option
def read(  # noqa: PLR0913 - one for each option
    images: Sequence[str],
    *,
    deck: Manifest | None,
    sheet: str | None,
    paper: str,
    bleed: float,
    start: int,
    only: tuple[str, ...],
    burst: bool,
    catalog: str | None,
    data: str | None,
) -> int:
    """Read the QR codes in pictures and print them as JSON, one line for each picture."""
    if sheet is not None:
        if deck is None:
            raise click.UsageError("--sheet needs --deck: which game's cards are on it?")
        refuse_options("burst", because="is for frames of one scene, and not for --sheet")
        cards = bootstrap.choose_catalog(deck, resolve_data_folder(data).catalogs, catalog)
        return _check(images, deck, cards, kind=sheet, paper=paper, bleed=bleed, start=start, only=only)
    refuse_options("paper", "bleed", "start", "only", because="says how a sheet was printed, and needs --sheet")
    if deck is None:
        refuse_options("catalog", because="chooses the cards of a game, and needs --deck")
    labels = _deck(deck, catalog, data)
    faults: list[str] = []
    for report in _burst(images, labels) if burst else _singly(images, labels):
        if "error" in report:
            faults.append(f"{report['image']}: {report['error']}")
        print_json_line(report)
    if faults:
        more = f" (and {len(faults) - 1} more)" if faults[1:] else ""
        click.echo(f"companion: {faults[0]}{more}".encode("utf-8", "backslashreplace"), err=True)
    return UNUSABLE if faults else 0


def _deck(game: Manifest | None, catalog: str | None, data: str | None) -> Deck | None:
    if game is None:
        return None
    return bootstrap.create_deck(game, bootstrap.choose_catalog(game, resolve_data_folder(data).catalogs, catalog))


def _singly(images: Sequence[str], deck: Deck | None) -> Iterator[Mapping[str, Any]]:
    from companion.adapters.label_readers import read_picture

    with progress_beside_results("reading pictures") as report:
        for number, image in enumerate(images, start=1):
            report(f"{number} of {len(images)}")
            yield read_picture(image, Path(image).read_bytes, deck)


def _burst(images: Sequence[str], deck: Deck | None) -> Iterator[Mapping[str, Any]]:
    from companion.adapters.label_readers import read_burst

    with progress("reading the pictures together"):
        report, faults = read_burst([(image, _source_of(image)) for image in images], deck)
    yield from faults
    if report is not None:
        yield report


def _source_of(image: str) -> Callable[[], bytes]:
    """Return what reads a file; one that can be read only once, such as a pipe, is kept after the first time."""
    return Path(image).read_bytes if os.path.isfile(image) else cache(Path(image).read_bytes)  # noqa: PTH113 - takes any name


def _check(images: Sequence[str], deck: Manifest, catalog: Any, **printed: Any) -> int:
    """Compare photographs of printed sheets with the deck; return 1 where a label is missing."""
    from companion.adapters.pictures import PictureError, decode_grey_picture
    from companion.bootstrap.printing import check_sheet
    from companion.service.printer import NoSheet

    missing = 0
    for image in images:
        try:
            with progress(f"reading {image}"):
                checked = check_sheet(deck, catalog, picture=decode_grey_picture(Path(image).read_bytes()), **printed)
        except (OSError, ValueError, PictureError) as error:
            reason = os_error_reason(error) if isinstance(error, OSError) else str(error)
            raise click.ClickException(f"{image}: {reason}") from error
        except NoSheet:
            raise click.ClickException(f"{image}: no label of this deck can be read in it") from None
        missing += len(checked.missing)
        print_json_line({"image": image, **checked.as_json()})
        result = f"missing: {', '.join(checked.missing)}" if checked.missing else "all there"
        click.echo(f"{image}: sheet {checked.sheet} of {checked.of}, {len(checked.cards)} labels, {result}", err=True)
        if checked.strange:
            others = f"not of this sheet: {', '.join(checked.strange)}"
            click.echo(f"{others}; name --bleed, --start and --only here too, if it was printed with them", err=True)
    return 1 if missing else 0
