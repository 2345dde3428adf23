"""The registry of installed games, each checked before it can be played.

Games of this package lie in ``companion/games``, one folder each; other games are manifests by the entry point
``companion.games``.  A game that cannot be loaded, or conflicts with the program or another game, is reported with the
reason, and the others run.
"""

import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import Any

from pydantic import TypeAdapter

from companion import games
from companion.adapters.catalogs import load_catalog
from companion.bootstrap.game_names import name_faults
from companion.game_api import API_VERSION
from companion.game_api.codec import JsonCodec
from companion.game_api.guard import guard_capabilities, guard_cards, guard_rules
from companion.game_api.manifest import COLOURS, LoadedGame, Manifest
from companion.game_api.messages import verb_of
from companion.service.table.amend import HOUSE_COMMANDS
from companion.service.table.history import HISTORY_EVENTS
from companion.vision.label.tag import COMMAND_CARDS

GROUP = "companion.games"
DEFAULT_GAME = "master_builder"
"""The game that is meant where none is named."""
RESERVED_VERBS = frozenset(verb_of(kind) for kind in HOUSE_COMMANDS)
"""Commands that the program handles in every game."""
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}", re.ASCII)
_COMMAND_CARD = re.compile(r"X[0-9]{2}", re.ASCII)
_LABEL_CODE = re.compile(r"[A-Z]{2}", re.ASCII)


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
    rules, cards, can = manifest.rules(catalogs), manifest.cards(), manifest.capabilities()
    if guarded:
        rules, cards = guard_rules(manifest, rules), guard_cards(manifest, cards)
        can = guard_capabilities(manifest, can, rules)
    return LoadedGame(
        manifest=manifest, rules=rules, codec=codec, messages=messages, cards=cards, catalogs=catalogs, can=can
    )


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
    fault = next(name_faults(manifest, deck, RESERVED_VERBS, HISTORY_EVENTS), None)
    if fault is not None:
        raise UnsuitableGame(fault)


def _written_for(version: int) -> str:
    return f"it was written for version {version} of the plug-in API; this companion has version {API_VERSION}"


def _one_line(error: Exception) -> str:
    """Return the reason in one line; version 1 of the plug-in API was a package of another name."""
    if isinstance(error, ModuleNotFoundError) and f"{error.name}.".startswith("companion.gamekit."):
        return _written_for(1)
    message = " ".join(str(error).split())
    return message if isinstance(error, UnsuitableGame) else f"{type(error).__name__}: {message}"
