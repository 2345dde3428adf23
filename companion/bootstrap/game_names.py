"""Checks that the names by which a game refers to its own events, cards, fields and functions exist.

A misspelt name raises no error when it is used: a secret event would be shown to everybody, a card would have no form,
a sentence would never be said.
"""

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Any, get_args, get_type_hints

from babel.messages.pofile import read_po

from companion.engine.game import Game
from companion.game_api.cards import Cards
from companion.game_api.manifest import Manifest
from companion.game_api.messages import Messages, field_types, verb_of

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
    yield from _faults_of_part("rules", manifest.rules({"house": deck}), Game)


def part_faults(manifest: Manifest, deck: Any) -> Iterator[str]:
    """Yield what the parts that a manifest names lack of their protocols; it loads all of them, which takes a while.

    Args:
        manifest: the game.
        deck: its first bundled catalog.

    """
    for name, hint in get_type_hints(Manifest).items():
        protocol, make = _protocol_made_by(hint), getattr(manifest, name)
        if make is None or protocol is None or name == "rules":
            continue
        try:
            part = make()
        except Exception as error:  # noqa: BLE001 - a part from elsewhere may fail in any way
            yield f"its {name} cannot be loaded: {type(error).__name__}: {error}"
        else:
            yield from _faults_of_part(name, part, protocol)
    rules = manifest.rules({"house": deck})
    for name in ("name", "label_code"):
        if getattr(rules, name, None) != getattr(manifest, name):
            yield f"its rules have the {name} {getattr(rules, name, None)!r}, its manifest {getattr(manifest, name)!r}"


def _protocol_made_by(hint: Any) -> type | None:
    """Return the protocol of the part that a field of a manifest makes; ``None`` for fields that make none."""
    for made in get_args(hint):
        part = made if inspect.isclass(made) else _protocol_made_by(made)
        if part is not None and getattr(part, "_is_protocol", False):
            return part
    return None


def _faults_of_part(name: str, part: Any, protocol: type) -> Iterator[str]:
    """Yield the functions and properties of a protocol that a part does not have, or that take other arguments."""
    for member, wanted in vars(protocol).items():
        if member.startswith("_") or not (callable(wanted) or isinstance(wanted, property)):
            continue
        if isinstance(wanted, property):
            if not hasattr(part, member):
                yield f"its {name} has no {member}"
            continue
        function = getattr(part, member, None)
        if not callable(function):
            yield f"its {name} have no function {member}" if name == "rules" else f"its {name} has no function {member}"
        elif (given := _other_arguments(function, wanted)) is not None:
            yield f"its {name} has a function {member} that cannot be called with {given}"


def _other_arguments(function: Callable[..., Any], wanted: Callable[..., Any]) -> str | None:
    """Return the arguments of a protocol's function with which a function cannot be called; ``None`` if it can."""
    parameters = list(inspect.signature(wanted).parameters.values())[1:]
    keywords = {parameter.name: None for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY}
    names = [parameter.name for parameter in parameters if parameter.name not in keywords]
    try:
        inspect.signature(function).bind(*names, **keywords)
    except TypeError:
        return f"({', '.join(names)})"
    except ValueError:  # a function that was not written in Python says nothing of its arguments
        return None
    return None


def translation_faults(manifest: Manifest) -> Iterator[str]:
    """Yield the sentences of other languages with places that the English one does not have."""
    if manifest.words is None:
        return
    english = {(context, msgid): text for context, msgid, text in _texts(manifest.words / "en.po")}
    for file in sorted(manifest.words.glob("*.po")):
        for context, msgid, text in _texts(file):
            original = msgid if not context else english.get((context, msgid))
            if original is None or (context and context in _CONTEXTS):
                continue
            for place in _places(text):
                if place not in _places(original):
                    yield f"{file.name}: {msgid[:40]!r} has {{{place}}}, which the English sentence does not have"


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
    """Yield the sentences of a ``.po`` file that name an event, a command or a command card."""
    return ((context, msgid, text) for context, msgid, text in _texts(file) if context in _CONTEXTS)


def _texts(file: Path) -> Iterator[Sentence]:
    """Yield all sentences of a ``.po`` file, without plurals; raise ``PoFileError`` where it is torn."""
    if not file.is_file():
        return
    with file.open("rb") as source:
        messages = read_po(source, abort_invalid=True)
    for message in messages:
        if message.id and isinstance(message.id, str):
            yield message.context or "", message.id, str(message.string)
