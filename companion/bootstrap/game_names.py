"""Checks that the names by which a game refers to its own events, cards and fields exist.

A misspelt name raises no error when it is used: a secret event would be shown to everybody, a card would have no form,
a sentence would never be said.
"""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Any

from babel.messages.pofile import read_po

from companion.engine.game import Game
from companion.game_api.cards import Cards
from companion.game_api.fields import field_types
from companion.game_api.manifest import Manifest
from companion.game_api.messages import Messages, verb_of

Sentence = tuple[str, str, str]
"""Context, id and text of a sentence."""

_CONTEXTS = frozenset({"event", "question", "command", "command card"})


def name_faults(
    manifest: Manifest, deck: Any, house_verbs: Collection[str], house_events: Collection[str]
) -> Iterator[str]:
    """Yield why a game cannot be used: each name that nothing of the game has.

    Args:
        manifest: the game.
        deck: its first bundled catalog.
        house_verbs: the commands that the program handles in every game.
        house_events: the events of these.

    """
    messages, cards = manifest.messages(), manifest.cards()
    tables = frozenset(cards.as_json(deck))
    yield from _faults_of_rules(manifest, deck)
    yield from _faults_of_messages(messages)
    yield from _faults_of_kinds(manifest, cards, deck, tables)
    yield from _faults_of_card_fields(messages, tables)
    yield from _faults_of_sentences(manifest, messages, house_verbs, house_events)


def _faults_of_rules(manifest: Manifest, deck: Any) -> Iterator[str]:
    """Yield the functions of ``Game`` that the rules do not have."""
    rules = manifest.rules({"house": deck})
    functions = (name for name, value in vars(Game).items() if not name.startswith("_") and callable(value))
    for name in functions:
        if not callable(getattr(rules, name, None)):
            yield f"its rules have no function {name}"


def _faults_of_messages(messages: Messages) -> Iterator[str]:
    """Yield the names of events that are none, and of secrets that are none."""
    events = {kind.__name__ for kind in messages.events}
    named_events: Mapping[str, Collection[str]] = {
        "secret": messages.secret,
        "revealing": messages.revealing,
        "revealed_by": {*messages.revealed_by, *(name for names in messages.revealed_by.values() for name in names)},
        "banker_sees": messages.banker_sees,
        "covered": frozenset(messages.covered),
        "quiet": messages.quiet,
    }
    for field, names in named_events.items():
        for name in sorted(set(names) - events):
            yield f"its messages name {name[:40]!r} under {field}, which is no event of it"
    secrets = {"revealed_by": messages.revealed_by, "banker_sees": messages.banker_sees, "covered": messages.covered}
    for field, names in secrets.items():
        for name in sorted(set(names) - messages.secret):
            yield f"its messages name {name[:40]!r} under {field}, which is no secret event of it"


def _faults_of_kinds(manifest: Manifest, cards: Cards, deck: Any, tables: Collection[str]) -> Iterator[str]:
    """Yield the kinds that no card is of, and those whose table is none of the catalog."""
    labels = list(cards.labels(deck))
    ids = {*cards.ids(deck), *(label.card for label in labels), *(label.code for label in labels)}
    for kind in manifest.kinds:
        if not any(kind.has(card) for card in ids):
            yield f"no card of its catalog is of the kind {kind.name} ({kind.ids})"
        if kind.table and kind.table not in tables:
            yield f"its kind {kind.name} names the table {kind.table!r}, which its catalog does not have"


def _faults_of_card_fields(messages: Messages, tables: Collection[str]) -> Iterator[str]:
    """Yield the fields that hold cards of a table which the catalog does not have."""
    for kind in (*messages.commands, *messages.events):
        for field in field_types(kind).values():
            if field.holds is None or field.holds.kind != "card":
                continue
            for table in field.holds.of.split():
                if table not in tables:
                    yield f"{kind.__name__}.{field.name} holds cards of {table!r}, which its catalog does not have"


def _faults_of_sentences(
    manifest: Manifest, messages: Messages, house_verbs: Collection[str], house_events: Collection[str]
) -> Iterator[str]:
    """Yield the sentences of events and questions that are none, and the fields that they do not have."""
    if manifest.words is None:
        return
    events = {kind.__name__: _names_of_fields(kind) for kind in messages.events}
    questions = {verb_of(kind): {*_names_of_fields(kind), "player"} for kind in messages.commands}
    verbs = {*questions, *house_verbs}
    for file in sorted(manifest.words.glob("*.po")):
        for context, msgid, text in _sentences(file):
            name = msgid.partition(".")[0]
            if context == "event" and name not in house_events:
                yield from _faults_of_sentence(file.name, "event", msgid, text, events.get(name))
            elif context == "question":
                yield from _faults_of_sentence(file.name, "command", msgid, text, questions.get(msgid))
            elif context == "command" and msgid not in verbs:
                yield f"{file.name} names the command {msgid[:40]!r}, which it does not have"
            elif context == "command card" and msgid not in manifest.command_cards:
                yield f"{file.name} names the command card {msgid[:40]!r}, which it does not have"


def _faults_of_sentence(file: str, what: str, msgid: str, text: str, fields: Collection[str] | None) -> Iterator[str]:
    if fields is None:
        yield f"{file} has a sentence for the {what} {msgid[:40]!r}, which it does not have"
        return
    for place in _places(text):
        if place not in fields:
            yield f"{file}: the sentence for {msgid[:40]!r} has {{{place}}}, which is no field of it"


def _names_of_fields(kind: type) -> frozenset[str]:
    """Return the names of the fields of a class, as JSON spells them."""
    return frozenset(field.name for field in field_types(kind).values())


def _places(text: str) -> list[str]:
    """Return the fields that a sentence has places for."""
    try:
        return [name.removesuffix("_") for _, name, _, _ in Formatter().parse(text) if name]
    except ValueError:
        return [text]  # an unpaired brace: no field is called so


def _sentences(file: Path) -> Iterator[Sentence]:
    """Yield the checked sentences of a ``.po`` file, without plurals; raise ``PoFileError`` where it is torn."""
    with file.open("rb") as source:
        messages = read_po(source, abort_invalid=True)
    for message in messages:
        if message.context in _CONTEXTS and isinstance(message.id, str):
            yield message.context, message.id, str(message.string)
