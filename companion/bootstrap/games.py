"""The registry of installed games, each checked before it can be played.

Games of this package lie in ``companion/games``, one folder each; other games are manifests by the entry point
``companion.games``.  A game that cannot be loaded, or conflicts with the program or another game, is reported with the
reason, and the others run.
"""

import pkgutil
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from importlib import import_module
from importlib.metadata import entry_points
from itertools import islice
from pathlib import Path
from string import Formatter
from types import MappingProxyType
from typing import Any, get_args, get_type_hints

from babel.messages.pofile import read_po
from pydantic import TypeAdapter

from companion import games
from companion.adapters.catalogs import load_catalog
from companion.engine.game import Game
from companion.game_api import API_VERSION
from companion.game_api.cards import LABEL_FORM, Cards
from companion.game_api.codec import JsonCodec
from companion.game_api.guard import guard_capabilities, guard_cards, guard_rules, load_part
from companion.game_api.manifest import (
    COLOURS,
    LoadedGame,
    Manifest,
    faults_of_part,
    make_part,
    make_rules,
    protocol_made_by,
)
from companion.game_api.messages import Kind, Messages, field_types, verb_of
from companion.service.table.amend import HOUSE_COMMANDS
from companion.service.table.history import HISTORY_EVENTS
from companion.vision.label.tag import COMMAND_CARDS, parse_tag

# Checks that the names by which a game refers to its own events, cards, fields and functions exist. A misspelt
# name raises no error when it is used: a secret event would be shown to everybody, a card would have no form, a
# sentence would never be said.

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
    yield from rules_gaps(manifest, deck)
    yield from _faults_of_messages(messages)
    yield from _faults_of_kinds(manifest, cards, deck, tables)
    yield from _faults_of_card_fields(messages, tables)
    yield from _faults_of_sentences(manifest, messages, house_verbs, house_events)


def rules_gaps(manifest: Manifest, deck: Any) -> Iterator[str]:
    """Yield the functions of ``Game`` that the rules lack: no game can be played without them."""
    yield from faults_of_part("rules", manifest.rules({"house": deck}), Game)


def part_faults(manifest: Manifest, deck: Any) -> Iterator[str]:
    """Yield what the parts that a manifest names lack of their protocols; it loads all of them, which takes a while.

    Args:
        manifest: the game.
        deck: its first bundled catalog.

    """
    for name, hint in get_type_hints(Manifest).items():
        protocol, make = protocol_made_by(hint), getattr(manifest, name)
        if make is None or protocol is None or name == "rules":
            continue
        try:
            part = make()
        except Exception as error:  # noqa: BLE001 - a part from elsewhere may fail in any way
            yield f"its {name} cannot be loaded: {type(error).__name__}: {error}"
        else:
            yield from faults_of_part(name, part, protocol)
    yield from _faults_of_declarations(manifest, deck)
    yield from _faults_of_labels(manifest, deck)
    rules = manifest.rules({"house": deck})
    for name in ("name", "label_code"):
        if getattr(rules, name, None) != getattr(manifest, name):
            yield f"its rules have the {name} {getattr(rules, name, None)!r}, its manifest {getattr(manifest, name)!r}"


def _faults_of_declarations(manifest: Manifest, deck: Any) -> Iterator[str]:
    """Yield what is declared and cannot be meant, although the game can be played: seats, kinds, secrets, fields."""
    messages, seats = manifest.messages(), manifest.seats
    if not 1 <= seats.fewest <= seats.most <= len(seats.colours):
        yield f"it is for {seats.fewest} to {seats.most} players and has {len(seats.colours)} colours to seat them"
    cards = manifest.cards().ids(deck)
    shared = next((card for card in cards if sum(kind.has(card) for kind in manifest.kinds) > 1), None)
    if shared is not None:
        yield f"its card {shared} is of several kinds: let their patterns exclude each other"
    if not messages.revealing:
        for name in sorted(messages.secret - {*messages.revealed_by}):
            yield f"{name} stays secret when the game is over: name what reveals it under revealing, or in its Secret"
    renames = ("companion.game_api.corrections", "RenamePlayer")
    is_renamed = "PlayerRenamed" in {kind.__name__ for kind in messages.events}
    if not is_renamed and any((kind.__module__, kind.__name__) == renames for kind in messages.commands):
        yield "its command rename_player leads to PlayerRenamed, which is missing among its events"
    yield from _faults_of_fields(manifest, messages)
    yield from _faults_of_consent(manifest, messages)


def _faults_of_fields(manifest: Manifest, messages: Messages) -> Iterator[str]:
    """Yield what pages send of house rules and no command takes, and fields that hold what no field can."""
    choices = manifest.capabilities().choices
    beginnings = [kind for kind in messages.commands if verb_of(kind) in manifest.beginnings]
    for name in ("rules", "variants") if choices and (choices.switches or choices.variants) else ():
        if not any(name in _names_of_fields(kind) for kind in beginnings):
            yield f"it lets tables choose rules, and no command that begins a table has the field {name} for them"
    for key in [key for key, values in choices.switches.items() if len(values) == 1] if choices else ():
        yield f"its house rule {key} has one value alone: declare it as bool, or as a Literal of its values"
    for kind in (*messages.commands, *messages.events):
        for field in field_types(kind).values():
            if field.holds is not None and field.holds.kind not in get_args(Kind):
                yield f"{kind.__name__}.{field.name} holds {field.holds.kind!r}, which is no kind of value"


def translation_faults(manifest: Manifest) -> Iterator[str]:
    """Yield the sentences of other languages with places that the English one does not have."""
    if manifest.words is None:
        return
    english = {(context, msgid): text for context, msgid, text in _texts(manifest.words / "en.po")}
    if not manifest.words.is_dir():
        yield f"its words name the folder {manifest.words}, which does not exist"
    for file in sorted(manifest.words.glob("*.po")):
        yield from _torn_lines(file)
        yield from _misspelt_contexts(file, _own_contexts(manifest.messages()))
        for context, msgid, text in _texts(file):
            if context == "event" and msgid.partition(".")[2] not in ("", "covered") and manifest.event_texts is None:
                yield f"{file.name} has the sentence {msgid[:40]!r}, which nothing reads without event_texts"
            original = msgid if not context else english.get((context, msgid))
            if original is None or (context and context in _CONTEXTS):
                continue
            for place in _places(text):
                if place not in _places(original):
                    yield f"{file.name}: {msgid[:40]!r} has {{{place}}}, which the English sentence does not have"


def word_gaps(manifest: Manifest) -> Iterator[str]:
    """Yield what the other languages of a game do not say that its English does: no fault, for it can be played so."""
    if manifest.words is None:
        return
    if not any(manifest.words.glob("*.po")):
        yield f"the folder of its words has no .po file: {manifest.words}"
    english = {(context, msgid): text for context, msgid, text in _texts(manifest.words / "en.po") if context}
    for file in sorted({*manifest.words.glob("*.po")} - {manifest.words / "en.po"}):
        texts = {(context, msgid): text for context, msgid, text in _texts(file) if text}
        missing = [f"{context} {msgid}" for context, msgid in english if (context, msgid) not in texts]
        if missing:
            some = ", ".join(missing[:_MOST_NAMED]) + (" ..." if len(missing) > _MOST_NAMED else "")
            yield f"{file.name} lacks {len(missing)} of {len(english)} texts, which are English there: {some}"
        for (context, msgid), text in texts.items():
            left_out = set(_places(english.get((context, msgid), ""))) - set(_places(text))
            if left_out:
                yield f"{file.name}: the {context} {msgid} leaves out {', '.join(f'{{{name}}}' for name in left_out)}"


def _torn_lines(file: Path) -> Iterator[str]:
    """Yield the lines of a ``.po`` file whose text does not end in a quotation mark: a letter of it would be lost."""
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        _, quote, rest = line.partition('"')
        if quote and not line.startswith("#") and not rest.rstrip().endswith('"'):
            yield f"{file.name}:{number}: the text has no quotation mark at its end: {line.strip()[:40]}"


def _own_contexts(messages: Messages) -> frozenset[str]:
    """Return the contexts of the words for choices that fields hold."""
    fields = (field for kind in (*messages.commands, *messages.events) for field in field_types(kind).values())
    return frozenset(field.holds.of for field in fields if field.holds is not None and field.holds.kind == "choice")


def _misspelt_contexts(file: Path, own: Collection[str]) -> Iterator[str]:
    """Yield the contexts of a ``.po`` file that are nearly one which the program reads, or one's own without words."""
    contexts = {context for context, _, _ in _texts(file)}
    read = sorted(READ_CONTEXTS | ({*own} - contexts))
    for context in sorted(contexts - READ_CONTEXTS - {*own, ""}):
        for nearest in get_close_matches(context, read, 1, NEARLY):
            yield f"{file.name} has the context {context[:40]!r}, which nothing reads: {nearest!r} is read"


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


def _faults_of_consent(manifest: Manifest, messages: Messages) -> Iterator[str]:
    """Yield the commands by which a player would take from another one who is never asked."""
    asked = [verb_of(kind) for kind in messages.commands if getattr(kind, "needs_consent", False)]
    if asked and manifest.capabilities().consent is None:
        yield (
            f"by its command {asked[0]} players take cards and money of others who are never asked: write "
            "consent=trade_partner among its capabilities"
        )


def _faults_of_labels(manifest: Manifest, deck: Any) -> Iterator[str]:
    """Yield the cards that no label can say."""
    for label in manifest.cards().labels(deck):
        tag = parse_tag(f"{manifest.label_code}1{label.code}")
        if tag is None or tag.card != label.code:
            yield f"its card {label.code[:20]} cannot stand on a label: {LABEL_FORM}"


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
        return [key.removesuffix("_") for _, name, *_ in Formatter().parse(text) if name for key in name.split("+")]
    except ValueError:
        return [text]  # an unpaired brace: no field is called so


def _sentences(file: Path) -> Iterator[Sentence]:
    """Yield the sentences of a ``.po`` file that name an event, a command or a command card."""
    return ((context, msgid, text) for context, msgid, text in _texts(file) if context in _CONTEXTS)


def _texts(file: Path) -> Iterator[Sentence]:
    """Yield all sentences of a ``.po`` file, without plurals; raise Babel's ``PoFileError`` for a torn one."""
    if not file.is_file():
        return
    with file.open("rb") as source:
        messages = read_po(source, abort_invalid=True)
    for message in messages:
        if message.id and isinstance(message.id, str):
            yield message.context or "", message.id, str(message.string)


READ_CONTEXTS = frozenset(
    {
        *("event", "refused", "command", "command card", "question", "field", "phase", "value", "fold", "chapter"),
        *("rule", "rule value", "variant", "variant says", "rulebook", "rulebook says"),
        *("term", "term says", "term group"),
    }
)
"""Contexts of a game's sentences that the program reads itself; a game has others for choices of its own."""
_MOST_NAMED = 6
NEARLY = 0.82
"""Similarity from which on a name is taken for a misspelling of another one."""
GROUP = "companion.games"
DEFAULT_GAME = "master_builder"
"""The game that is meant where none is named."""
RESERVED_VERBS = frozenset(verb_of(kind) for kind in HOUSE_COMMANDS)
"""Commands that the program handles in every game."""
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}", re.ASCII)
_COMMAND_CARD = re.compile(r"X[0-9]{2}", re.ASCII)
_LABEL_CODE = re.compile(r"[A-Z]{2}", re.ASCII)


# The registry: manifests found, checked and loaded.


@dataclass(frozen=True)
class InstalledGames:
    """Games by name, and the games that could not be loaded, with the reason in one line."""

    manifests: Mapping[str, Manifest]
    broken: Mapping[str, str]

    def manifest(self, name: str | None = None) -> Manifest:
        """Return a game, by default ``DEFAULT_GAME`` or the first one; raise ``KeyError`` for an unknown name."""
        if name is not None:
            return self.manifests[name]
        return self.manifests.get(DEFAULT_GAME) or next(iter(self.manifests.values()))


class UnsuitableGame(Exception):  # noqa: N818 - told to the operator in one line
    """A game that cannot be used; the message says why."""


def find_games() -> InstalledGames:
    """Return all installed games, those of this package first."""
    manifests: dict[str, Manifest] = {}
    broken: dict[str, str] = {}
    for name, load, own in _candidates():
        try:
            manifest = load()
            _check(manifest, manifests)
            _check_opens(manifest, own=own)
        except Exception as error:  # noqa: BLE001 - a game from elsewhere may fail in any way; it is reported, others run
            broken[name] = _one_line(error)
        else:
            manifests[manifest.name] = manifest
    return InstalledGames(MappingProxyType(manifests), MappingProxyType(broken))


def load_game(manifest: Manifest, catalogs: Mapping[str, Any], *, guarded: bool = True) -> LoadedGame:
    """Return a game with the catalogs of this installation.

    ``guarded``: its mistakes refuse commands and leave bare figures; otherwise they are raised, as to bots among
    themselves.
    """
    messages = manifest.messages()
    codec = JsonCodec(messages.commands, messages.events, messages.upcasts)
    rules, cards, can = make_rules(manifest, catalogs), manifest.cards(), manifest.capabilities()
    if guarded:
        rules, cards = guard_rules(manifest, rules), guard_cards(manifest, cards)
        can = guard_capabilities(manifest, can, rules)
    parts = load_part if guarded else make_part
    return LoadedGame(manifest, rules, codec, messages, cards, catalogs, can, parts)


def _candidates() -> Iterator[tuple[str, Callable[[], Any], bool]]:
    """Yield the name and loader of each game and whether it is this package's; one for entry points of one value."""
    own = sorted(module.name for module in pkgutil.iter_modules(games.__path__) if module.ispkg)
    values = {f"{games.__name__}.{name}:GAME" for name in own}
    for name in own:
        yield name, partial(_load_own, name), True
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        if point.value not in values:
            values.add(point.value)
            yield point.name, point.load, False


def _load_own(name: str) -> Any:
    return import_module(f"{games.__name__}.{name}").GAME


def _check(manifest: Any, others: Mapping[str, Manifest]) -> None:
    """Raise ``UnsuitableGame`` with the first reason why a game cannot live here."""
    if not isinstance(manifest, Manifest):
        raise UnsuitableGame(f"its entry point gives {type(manifest).__name__}, not a Manifest")
    if manifest.api_version != API_VERSION:
        raise UnsuitableGame(_written_for(manifest.api_version))
    if not _NAME.fullmatch(manifest.name):
        raise UnsuitableGame(f"its name {manifest.name[:40]!r} must be small letters, digits and underscores")
    if manifest.name in others:
        raise UnsuitableGame(f"another game is called {manifest.name} too")
    if not _LABEL_CODE.fullmatch(manifest.label_code):
        raise UnsuitableGame(f"its label code {manifest.label_code[:10]!r} must be two capital letters")
    clash = next((other.name for other in others.values() if other.label_code == manifest.label_code), None)
    if clash is not None:
        raise UnsuitableGame(f"its label code {manifest.label_code} is that of {clash}")
    strange = next((colour for colour in manifest.seats.colours if colour not in COLOURS), None)
    if strange is not None:
        raise UnsuitableGame(f"there is no badge for its seat {strange[:20]}: {', '.join(COLOURS)}")
    _check_command_cards(manifest)
    _check_messages(manifest)
    _check_cards(manifest)


def _check_command_cards(manifest: Manifest) -> None:
    for kind in manifest.kinds:
        taken = next((card for card in (*COMMAND_CARDS, *manifest.command_cards) if kind.has(card)), None)
        if taken is not None:
            raise UnsuitableGame(f"its {kind.name} cards look like the command card {taken}")
    odd = next(
        (card for card in manifest.command_cards if not _COMMAND_CARD.fullmatch(card) or card in COMMAND_CARDS), None
    )
    if odd is not None:
        raise UnsuitableGame(
            f"its command card {odd[:10]!r} must be X and two digits, and none of {', '.join(COMMAND_CARDS)}"
        )


def _check_messages(manifest: Manifest) -> None:
    messages = manifest.messages()
    verbs = {verb_of(kind) for kind in messages.commands}
    if reserved := sorted(verbs & RESERVED_VERBS):
        raise UnsuitableGame(f"its command {reserved[0]} is one of the house's own")
    if reserved := sorted({kind.__name__ for kind in messages.events} & HISTORY_EVENTS):
        raise UnsuitableGame(f"its event {reserved[0]} is one of the house's own")
    if missing := sorted(set(manifest.beginnings) - verbs):
        raise UnsuitableGame(f"it has no command {missing[0]} to begin a table with")


def _check_cards(manifest: Manifest) -> None:
    """Check that there is a bundled catalog; its contents are checked when it is loaded."""
    if not manifest.cards().bundled:
        raise UnsuitableGame("it brings no catalog to play with")
    for kind in manifest.kinds:
        re.compile(kind.ids)


def _check_opens(manifest: Manifest, *, own: bool) -> None:
    """Load the game with its first bundled catalog: whatever fails there would fail when the program starts.

    The names of this package's own games are checked by its tests and not at every start: parsing the sentences of all
    takes a second on a Raspberry Pi.
    """
    cards = manifest.cards()
    name, file = next(iter(cards.bundled.items()))
    deck = load_catalog(file, cards)
    opened = load_game(manifest, {name: deck})
    if own:
        return
    for asked, description in opened.can.descriptions.items():
        if description.shape is not None and TypeAdapter(description.shape).json_schema().get("type") != "object":
            raise UnsuitableGame(f"the shape of its {asked} is no JSON object")
    if faults := [*islice(name_faults(manifest, deck, RESERVED_VERBS, HISTORY_EVENTS), _MOST_NAMED)]:
        raise UnsuitableGame("; ".join(faults))


def _written_for(version: int) -> str:
    return f"it was written for version {version} of the plug-in API; this companion has version {API_VERSION}"


def _one_line(error: Exception) -> str:
    """Return the reason in one line; version 1 of the plug-in API was a package of another name."""
    if isinstance(error, ModuleNotFoundError) and f"{error.name}.".startswith("companion.gamekit."):
        return _written_for(1)
    message = " ".join(str(error).split())
    return message if isinstance(error, UnsuitableGame) else f"{type(error).__name__}: {message}"
