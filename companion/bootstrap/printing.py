"""Write what is printed: print-and-play cards, labels, calibration sheets, mats, join cards; check printed sheets."""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibration.fiducials import Board
from calibration.mat import Mat
from calibration.papers import MAT_PAPERS, PAPERS
from companion.adapters.catalogs import load_named_catalog
from companion.adapters.label_readers import read_sightings
from companion.adapters.pictures import decode_posted_grey_picture
from companion.bootstrap import command_card_texts, create_deck, list_labels
from companion.bootstrap.games import InstalledGames
from companion.engine.game import Refused
from companion.game_api.cards import fields_of_card
from companion.game_api.catalog_parsing import CatalogError
from companion.game_api.drawing import CARD_HEIGHT, CARD_WIDTH, Extra
from companion.game_api.guard import guard, load_part
from companion.game_api.manifest import Manifest
from companion.qr.sighting import Picture
from companion.service.printer import CheckedSheet, NoSheet, SheetSettingError, TableCodes, identify_sheet
from companion.words import Words

if TYPE_CHECKING:
    from companion.printing.cards import PrintedCard, PrintSettings
    from companion.printing.sheets import LabelSpec


CARDS = "cards"
"""The kind of printed sheet that holds cards; other kinds are sticker sheets."""
_SHOWN_CARDS = 8
"""Cards that cannot be printed, which are named; of more only their number."""
COMMANDS = "commands"
"""The extra that means command cards: those of every game and the game's own."""


def draw_extras(manifest: Manifest, deck: Any, language: str = "en") -> dict[str, Extra]:
    """Return the drawings of what a game needs besides its cards, by name."""
    draws = load_part(manifest, "drawings")
    return {} if draws is None else dict(draws.extras(manifest.cards().as_json(deck), Words(language, manifest)))


def write_print_and_play(  # noqa: PLR0913 - one for each choice of the command
    manifest: Manifest,
    deck: Any,
    path: Path,
    *,
    language: str,
    setting: "PrintSettings",
    only: Sequence[str] = (),
    also: Sequence[str] = (),
    report: Callable[[str], object] = lambda _state: None,
) -> tuple[int, int]:
    """Write the cards of a deck as PDF and return the number of cards and of pages.

    A side that the game makes a mistake of is set in type alone; the log says which mistake.

    Args:
        manifest: the game.
        deck: its catalog.
        path: the PDF.
        language: of the texts.
        setting: paper, backs, bleed and corrections.
        only: ids of the cards to print; all by default.
        also: names of extras, or ``commands``.
        report: called with how far it is, in words.

    Raises:
        ValueError: for an unknown card, extra or paper, or letters that cannot be printed.
        OSError: when the file cannot be written.

    """
    from companion.printing.cards import draw_cards  # noqa: PLC0415 - loaded when somebody prints
    from companion.printing.document import new_canvas  # noqa: PLC0415 - as above
    from companion.printing.mat import draw_poster, is_poster  # noqa: PLC0415 - as above

    wanted = select_cards(manifest, deck, only)
    extras = draw_extras(manifest, deck, language) if also else {}
    unknown = next((name for name in also if name not in extras and name != COMMANDS), None)
    if unknown is not None:
        raise ValueError(f"{unknown!r} is nothing to print here: {', '.join([*extras, COMMANDS])}")
    cards = _cards(manifest, deck, language, wanted, lambda drawn: report(f"{drawn} of {len(wanted)} cards"))
    canvas = new_canvas(path, manifest.title, turn=setting.turn)
    pages = draw_cards(canvas, cards, setting, manifest.title, lambda sheet, of: report(f"sheet {sheet} of {of}"))
    for name in also:
        if name == COMMANDS:
            pages += draw_cards(canvas, create_command_cards(manifest, language), setting, manifest.title)
        elif is_poster(extras[name]):
            pages += draw_poster(canvas, extras[name], setting)
        else:
            pages += draw_cards(canvas, _pieces(extras[name]), setting, extras[name].title)
    canvas.save()
    return len(cards), pages


def select_cards(manifest: Manifest, deck: Any, only: Sequence[str]) -> list[str]:
    """Return the ids of the cards to print, in the deck's order.

    Raises:
        ValueError: for a card that is not in the deck.

    """
    ids = list(manifest.cards().ids(deck))
    unknown = next((card for card in only if card not in ids), None)
    if unknown is not None:
        raise SheetSettingError("only", f"card {unknown!r} is not in this deck: {ids[0]} to {ids[-1]}", unknown[:40])
    return [card for card in ids if not only or card in only]


def create_label_specs(manifest: Manifest, deck: Any, only: Sequence[str] = ()) -> list["LabelSpec"]:
    """Return the labels to print, card by card; raise ``ValueError`` for an unknown card."""
    from companion.printing.sheets import LabelSpec  # noqa: PLC0415 - as above

    wanted = set(select_cards(manifest, deck, only))
    return [
        LabelSpec(label.card, text, "" if label.side == "front" else label.code, label.side)
        for label, text in list_labels(manifest, deck)
        if label.card in wanted
    ]


def create_command_specs(manifest: Manifest, language: str) -> list["LabelSpec"]:
    """Return the labels of the command cards, with their meaning in words."""
    from companion.printing.sheets import LabelSpec  # noqa: PLC0415 - as above

    words = Words(language, manifest)
    texts = command_card_texts(manifest)
    return [LabelSpec(card, text, words.say_in("command card", card)) for card, text in texts.items()]


def _cards(
    manifest: Manifest, deck: Any, language: str, wanted: Sequence[str], report: Callable[[int], object]
) -> list["PrintedCard"]:
    from companion.printing.cards import PrintedCard, PrintedSide, typeset_back, typeset_front  # noqa: PLC0415 - as above
    from companion.printing.document import missing_letters, name_letters  # noqa: PLC0415 - as above

    words = Words(language, manifest)
    catalog = manifest.cards().as_json(deck)
    labels = {(spec.card, spec.side): spec for spec in create_label_specs(manifest, deck, wanted)}
    draws = load_part(manifest, "drawings")
    made: list[PrintedCard] = []
    lacking: dict[str, str] = {}
    for card in wanted:
        kind = _kind_title(manifest, card, words)
        front, back = (
            (None, None) if draws is None else (draws.front(card, catalog, words), draws.back(card, catalog, words))
        )
        front = front or typeset_front(kind, card, fields_of_card(catalog, card), words)
        back = back or typeset_back(kind)
        made.append(
            PrintedCard(PrintedSide(front, labels.get((card, "front"))), PrintedSide(back, labels.get((card, "back"))))
        )
        if missing := missing_letters(front) + missing_letters(back):
            lacking[card] = missing
        report(len(made))
    if lacking:
        letters = name_letters("".join(dict.fromkeys("".join(lacking.values()))))
        more = f" and {len(lacking) - _SHOWN_CARDS} more" if len(lacking) > _SHOWN_CARDS else ""
        which = f"{', '.join([*lacking][:_SHOWN_CARDS])}{more}"
        raise ValueError(
            f"{which} cannot be printed, the typeface lacks {letters}: use other letters in their names and "
            "texts, or print the other cards with --only; labels of all can be printed"
        )
    return made


def create_command_cards(manifest: Manifest, language: str) -> list["PrintedCard"]:
    """Return the command cards of every game and the game's own: the word large, and a drawing told from afar."""
    from companion.printing.cards import PrintedCard, PrintedSide, typeset_back, typeset_command  # noqa: PLC0415 - as above

    words, own_words = Words(language), Words(language, manifest)
    kind = words.say("Command card")
    own = getattr(load_part(manifest, "drawings"), "command", None)  # a game may leave out what it does not draw
    draw = None if own is None else guard(manifest.name, "drawings.command", own, lambda *_: None)
    made: list[PrintedCard] = []
    for spec in create_command_specs(manifest, language):
        word = manifest.command_cards.get(spec.card)
        sign = None if draw is None or word is None else draw(word, own_words)
        front = typeset_command(kind, spec.card, spec.read, sign)
        made.append(PrintedCard(PrintedSide(front, spec), PrintedSide(typeset_back(kind))))
    return made


def _pieces(extra: Extra) -> list["PrintedCard"]:
    from companion.printing.cards import PrintedCard, PrintedSide  # noqa: PLC0415 - as above

    return [PrintedCard(PrintedSide(piece)) for piece in extra.pieces]


def _kind_title(manifest: Manifest, card: str, words: Words) -> str:
    kind = next((declared for declared in manifest.kinds if declared.has(card)), None)
    return manifest.title if kind is None else words.named("deck", kind.table or kind.name)


# Sheets for the camera: calibration board, mats and checks of printers.

BOARD, PRINTER = "board", "printer-"


def print_sheet(name: str, language: str, mats: Sequence[Mat]) -> bytes | None:
    """Return a sheet as PDF, or ``None`` for an unknown name.

    ``name``: ``board``, ``printer-a4``, ``printer-letter``, or a mat's name.
    """
    if name == BOARD:
        return _to_bytes(lambda path: write_calibration_board(path, language))
    if name.startswith(PRINTER) and name.removeprefix(PRINTER) in PAPERS:
        return _to_bytes(lambda path: write_sheet_for_printer(path, name.removeprefix(PRINTER), language))
    mat = next((candidate for candidate in mats if candidate.name == name), None)
    return None if mat is None else _to_bytes(lambda path: _write_mat(mat, language, path))


def print_join_cards(address: str, short_address: str, language: str) -> bytes:
    """Return a sheet of join cards for an address, with the short one to type, as PDF.

    The letters of the short address are good exactly as long as the address: until all phones are logged out.
    """
    from companion.printing.sheets import write_join_cards  # noqa: PLC0415 - as below

    words = Words(language)
    lines = [
        words.say("One code for everybody: point your phone at it and tap your name."),
        words.say("The phone has to be on the same Wi-Fi."),
        words.say("Good until all phones are logged out."),
    ]
    typed = (words.say("Or type this address:"), short_address)
    return _to_bytes(lambda path: write_join_cards(address, typed, words.say("Join the game"), lines, path))


def print_event_codes(event: str, tables: Sequence[TableCodes], language: str) -> bytes:
    """Return the codes of the tables of an event as PDF, those for hosts beside a line to cut along."""
    from companion.printing.sheets import EventCodeWords, write_event_codes  # noqa: PLC0415 - as below

    words = Words(language)
    captions = EventCodeWords(
        words.say("Scan and tap your name"),
        words.say("Or type this address:"),
        words.say("For the host of this table"),
        words.say("Cut it off and scan it: it leads this table. Do not leave it lying about."),
    )
    return _to_bytes(lambda path: write_event_codes(event, tables, captions, path))


def write_sheet_for_printer(path: Path, paper: str, language: str) -> None:
    """Write the sheet from which a printer's errors are measured; raise ``OSError``."""
    from companion.printing.calibration_sheets import write_printer_sheet  # noqa: PLC0415 - as below

    words = Words(language)
    instructions = [
        words.say("Print both sides at 100 %, as you will print cards."),
        words.say("Lay the sheet on something dark and plain and photograph all of it from above."),
    ]
    write_printer_sheet(
        path,
        paper,
        {"front": [words.say("Front side"), *instructions], "back": [words.say("Back side"), *instructions]},
    )


def _to_bytes(write: Callable[[Path], None]) -> bytes:
    """Return what a function writes to a file, which is temporary; ``Refused`` for letters that cannot be printed."""
    from companion.printing.document import MissingLettersError  # noqa: PLC0415 - as below

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sheet.pdf"
        try:
            write(path)
        except MissingLettersError as fault:
            raise Refused("letters_missing", words=fault.words, letters=" ".join(fault.letters)) from fault
        return path.read_bytes()


def write_calibration_board(path: Path, language: str) -> None:
    """Write the board from which a lens is measured; raise ``OSError``."""
    from companion.printing.calibration_sheets import write_board  # noqa: PLC0415 - loaded when somebody prints, not at every start

    board = Board()
    caption = Words(language).say(
        "{columns} x {rows} squares of {side} mm: measure one, and glue the sheet on flat card.",
        columns=board.columns,
        rows=board.rows,
        side=f"{board.square_mm:g}",
    )
    write_board(board, path, caption)


def _write_mat(mat: Mat, language: str, path: Path) -> None:
    from companion.printing.mat import fit_tiling, write_mat  # noqa: PLC0415 - as above

    paper = min(MAT_PAPERS, key=lambda each: (fit_tiling(mat, each).sheets, MAT_PAPERS[each]))
    words = Words(language)
    write_mat(mat, path, paper, {zone.name: words.template(zone.name, "zone") for zone in mat.zones.zones})


# Checking printed sheets.


def check_sheet(  # noqa: PLR0913 - one for each choice of the commands that print
    manifest: Manifest,
    deck: Any,
    kind: str,
    paper: str,
    picture: Picture,
    *,
    bleed: float = 0.0,
    start: int = 1,
    only: Sequence[str] = (),
) -> CheckedSheet:
    """Return which labels of a photographed sheet can be read.

    ``bleed``: of cards, in mm; ``start``: the first free place on the first sheet of stickers; ``only``: ids of the
    cards that were printed, all by default.

    Raises:
        NoSheet: when no label can be read.
        ValueError: for an unknown stock or paper.
        SheetSettingError: for an unknown card, or a bleed or place out of range.

    """
    from companion.printing.sheets import fit_grid  # noqa: PLC0415 - loaded when somebody prints
    from companion.printing.stocks import find_stock  # noqa: PLC0415 - as above
    from companion.vision.label.label import STANDARD_LABEL  # noqa: PLC0415 - as above

    specs = create_label_specs(manifest, deck, only)
    if kind == CARDS:
        places, used = fit_grid(paper, *_size(manifest, deck), bleed).places, 0
        specs = [spec for spec in specs if spec.side == "front"]
    else:
        stock = find_stock(kind, paper, STANDARD_LABEL.side_mm)
        try:
            places, used = stock.places, stock.require_place(start) - 1
        except ValueError as fault:
            raise SheetSettingError("start", str(fault), str(stock.places)) from fault
    read = [sighting.text for sighting in read_sightings(picture, create_deck(manifest, deck))]
    if not specs:
        raise NoSheet
    return identify_sheet([(spec.file_name, spec.text) for spec in specs], places, read, used)


def check_posted_sheet(  # noqa: PLR0913 - as above
    games: InstalledGames,
    catalogs: Path,
    posted: bytes,
    *,
    game: str,
    catalog: str | None,
    kind: str,
    paper: str,
    bleed: float = 0.0,
    start: int = 1,
    only: Sequence[str] = (),
) -> CheckedSheet:
    """Check the picture of a printed sheet that was uploaded; the arguments are those of ``check_sheet``.

    Raises:
        NoSheet: when no label can be read.
        ForeignPicture: for a file of another format.
        UnreadablePicture: for a broken or too large file.
        ValueError: for an unknown game, catalog, stock, paper or card, or a bleed or place out of range.

    """
    if game not in games.manifests:
        raise ValueError(f"no game is called {game[:40]!r} here")
    manifest = games.manifest(game)
    try:
        deck = load_named_catalog(catalog or next(iter(manifest.cards().bundled)), manifest.cards(), catalogs, game)
    except CatalogError as fault:
        raise ValueError(fault.faults[0]) from fault
    picture = decode_posted_grey_picture(posted)
    return check_sheet(manifest, deck, kind, paper, picture, bleed=bleed, start=start, only=only)


def list_stocks() -> tuple[str, ...]:
    """Return the names of the sticker sheets, plain paper first."""
    from companion.printing.stocks import STOCK_NAMES  # noqa: PLC0415 - as above

    return STOCK_NAMES


def _size(manifest: Manifest, deck: Any) -> tuple[float, float]:
    """Return how large the game's cards are, in millimetres."""
    draws, cards = load_part(manifest, "drawings"), manifest.cards()
    front = None if draws is None else draws.front(cards.ids(deck)[0], cards.as_json(deck), Words("en", manifest))
    return (CARD_WIDTH, CARD_HEIGHT) if front is None else (front.width, front.height)
