"""Print and play: a game's cards drawn, labelled and laid out, and what else lies on its table."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.bootstrap import command_card_texts, labels_of
from companion.gamekit.draws import Extra
from companion.gamekit.manifest import Manifest
from companion.words import Words

if TYPE_CHECKING:
    from companion.printing.cards import Card, Setting
    from companion.printing.labels import LabelSpec

COMMANDS = "commands"
"""The command cards: those of every game and this one's own."""


def extras_of(manifest: Manifest, deck: Any, language: str = "en") -> dict[str, Extra]:
    """Draw what a game needs besides its cards, by name."""
    if manifest.draws is None:
        return {}
    return dict(manifest.draws().extras(manifest.cards().as_json(deck), Words(language, manifest)))


def write_print_and_play(
    manifest: Manifest,
    deck: Any,
    path: Path,
    *,
    language: str,
    setting: "Setting",
    only: Sequence[str] = (),
    also: Sequence[str] = (),
) -> tuple[int, int]:
    """Write the cards of a deck (``only`` these, if any are named) and say how many cards and pages there are.

    ``also``: names of extras, or ``commands``.

    Raises:
        ValueError: for a card or an extra that is not known, a paper that is none, a correction that none needs.
        OSError: when the file cannot be written.

    """
    from companion.printing.cards import draw_cards, new_canvas  # noqa: PLC0415 - loaded when somebody prints
    from companion.printing.poster import draw_poster, is_poster  # noqa: PLC0415 - as above

    cards = _cards(manifest, deck, language, chosen(manifest, deck, only))
    extras = extras_of(manifest, deck, language) if also else {}
    strange = next((name for name in also if name not in extras and name != COMMANDS), None)
    if strange is not None:
        raise ValueError(f"{strange!r} is nothing to print here: {', '.join([*extras, COMMANDS])}")
    canvas = new_canvas(path, manifest.title)
    pages = draw_cards(canvas, cards, setting, manifest.title)
    for name in also:
        if name == COMMANDS:
            pages += draw_cards(canvas, _command_cards(manifest, language), setting, manifest.title)
        elif is_poster(extras[name]):
            pages += draw_poster(canvas, extras[name], setting)
        else:
            pages += draw_cards(canvas, _pieces(extras[name]), setting, extras[name].title)
    canvas.save()
    return len(cards), pages


def chosen(manifest: Manifest, deck: Any, only: Sequence[str]) -> list[str]:
    """Give the cards to print in the deck's order.

    Raises:
        ValueError: when one is not in the deck.

    """
    ids = list(manifest.cards().ids(deck))
    strange = next((card for card in only if card not in ids), None)
    if strange is not None:
        raise ValueError(f"card {strange!r} is not in this deck: {ids[0]} to {ids[-1]}")
    return [card for card in ids if not only or card in only]


def label_specs(manifest: Manifest, deck: Any, only: Sequence[str] = ()) -> list["LabelSpec"]:
    """Give the labels to print, card by card; ``ValueError`` as with ``chosen``."""
    from companion.printing.labels import LabelSpec  # noqa: PLC0415 - as above

    wanted = set(chosen(manifest, deck, only))
    return [
        LabelSpec(label.card, text, "" if label.side == "front" else label.code, label.side)
        for label, text in labels_of(manifest, deck)
        if label.card in wanted
    ]


def command_specs(manifest: Manifest, language: str) -> list["LabelSpec"]:
    """Give the labels of the command cards, with what they say to people."""
    from companion.printing.labels import LabelSpec  # noqa: PLC0415 - as above

    words = Words(language, manifest)
    texts = command_card_texts(manifest)
    return [LabelSpec(card, text, words.say_in("command card", card)) for card, text in texts.items()]


def _cards(manifest: Manifest, deck: Any, language: str, wanted: Sequence[str]) -> list["Card"]:
    from companion.printing.cards import Card, Side  # noqa: PLC0415 - as above
    from companion.printing.set_in_type import typeset_back, typeset_front  # noqa: PLC0415 - as above

    words = Words(language, manifest)
    catalog = manifest.cards().as_json(deck)
    labels = {(spec.card, spec.side): spec for spec in label_specs(manifest, deck, wanted)}
    draws = None if manifest.draws is None else manifest.draws()
    made: list[Card] = []
    for card in wanted:
        if draws is None:
            kind = _kind_title(manifest, card, words)
            front, back = typeset_front(kind, card, _held(catalog, card), words), typeset_back(kind)
        else:
            front, back = draws.front(card, catalog, words), draws.back(card, catalog, words)
        made.append(Card(Side(front, labels.get((card, "front"))), Side(back, labels.get((card, "back")))))
    return made


def _command_cards(manifest: Manifest, language: str) -> list["Card"]:
    from companion.printing.cards import Card, Side  # noqa: PLC0415 - as above
    from companion.printing.set_in_type import typeset_back, typeset_front  # noqa: PLC0415 - as above

    words = Words(language)
    kind = words.say("Command card")
    return [
        Card(Side(typeset_front(kind, spec.card, {"name": spec.read}, words), spec), Side(typeset_back(kind)))
        for spec in command_specs(manifest, language)
    ]


def _pieces(extra: Extra) -> list["Card"]:
    from companion.printing.cards import Card, Side  # noqa: PLC0415 - as above

    return [Card(Side(piece)) for piece in extra.pieces]


def _held(catalog: Mapping[str, Any], card: str) -> Mapping[str, Any]:
    """Give what a catalog says of a card, from whichever of its tables has it."""
    tables = (table for table in catalog.values() if isinstance(table, Mapping))
    return next((table[card] for table in tables if isinstance(table.get(card), Mapping)), {})


def _kind_title(manifest: Manifest, card: str, words: Words) -> str:
    kind = next((one for one in manifest.kinds if one.has(card)), None)
    return manifest.title if kind is None else words.named("deck", kind.table or kind.name)
