"""Photographs of printed sheets held against what was printed: cards to cut, or stickers of a stock."""

from pathlib import Path
from typing import Any

from companion.adapters.catalog_files import named_catalog
from companion.adapters.posted_pictures import posted_picture
from companion.adapters.tag_readers import sightings_in
from companion.bootstrap import deck_of
from companion.bootstrap.games import Installed
from companion.bootstrap.print_and_play import label_specs
from companion.gamekit.draws import CARD_HEIGHT, CARD_WIDTH
from companion.gamekit.faults import CatalogError
from companion.gamekit.manifest import Manifest
from companion.service.checked_sheet import CheckedSheet, NoSheet, checked
from companion.vision.label.sighting import Picture
from companion.words import Words

CARDS = "cards"
"""Sheets of whole cards, as ``companion cards`` writes them; any other name is a stock of stickers."""


def checked_sheet(manifest: Manifest, deck: Any, kind: str, paper: str, picture: Picture) -> CheckedSheet:
    """Read a photographed sheet; ``NoSheet``, or ``ValueError`` for an unknown stock or paper."""
    from companion.printing.grid import grid_for  # noqa: PLC0415 - loaded when somebody prints
    from companion.printing.stocks import stock_for  # noqa: PLC0415 - as above
    from companion.vision.label.label import STANDARD_LABEL  # noqa: PLC0415 - as above

    specs = label_specs(manifest, deck)
    if kind == CARDS:
        places = grid_for(paper, *_size(manifest, deck), 0.0).places
        specs = [spec for spec in specs if spec.side == "front"]
    else:
        places = stock_for(kind, paper, STANDARD_LABEL.side_mm).places
    read = {one.text for one in sightings_in(picture, deck_of(manifest, deck))}
    if not specs:
        raise NoSheet
    return checked([(spec.card, spec.text) for spec in specs], places, read)


def check_posted(
    games: Installed, catalogs: Path, posted: bytes, *, game: str, catalog: str | None, kind: str, paper: str
) -> CheckedSheet:
    """Check a picture that was sent.

    Raises ``NoSheet``, ``ForeignPicture``, ``UnreadablePicture``, and ``ValueError`` for what is not
    known here.
    """
    if game not in games.manifests:
        raise ValueError(f"no game is called {game[:40]!r} here")
    manifest = games.manifest(game)
    try:
        deck = named_catalog(catalog or next(iter(manifest.cards().bundled)), manifest.cards(), catalogs, game)
    except CatalogError as fault:
        raise ValueError(fault.faults[0]) from fault
    return checked_sheet(manifest, deck, kind, paper, posted_picture(posted))


def stocks() -> tuple[str, ...]:
    """Name the sheets of stickers, plain paper first."""
    from companion.printing.stocks import STOCK_NAMES  # noqa: PLC0415 - as above

    return STOCK_NAMES


def _size(manifest: Manifest, deck: Any) -> tuple[float, float]:
    """Give how large the game's cards are, in millimetres."""
    if manifest.draws is None:
        return CARD_WIDTH, CARD_HEIGHT
    cards = manifest.cards()
    front = manifest.draws().front(cards.ids(deck)[0], cards.as_json(deck), Words("en", manifest))
    return front.width, front.height
