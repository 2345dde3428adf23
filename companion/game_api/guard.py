"""Keep the mistakes of a game from ending an evening.

What a part of a game raises is logged with its traceback, and something plain stands in its place.  A command that
leads to a mistake is refused, so that the journal keeps nothing of it.
"""

import json
import logging
import sys
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from traceback import walk_tb
from typing import Any, Self

from companion.engine.explanation import Source
from companion.engine.game import BANKER, RESULTS, Overview, Position, Refused, Seat, WrongResult
from companion.engine.ledger import player_account
from companion.game_api.capabilities import Capabilities
from companion.game_api.manifest import Manifest
from companion.game_api.ui import OfferWording

log = logging.getLogger(__name__)

MISTAKE = "game_mistake"
"""The rule by which a command is refused that leads to a mistake of its game."""
MOST_REMEMBERED = 500
LONGEST = 200
"""Letters of what an exception says, in a line about a mistake."""
Fallback = Callable[..., Any]

_logged = set[tuple[str, str, str]]()


def log_mistake(game: str, function: str, error: Exception) -> None:
    """Log what a function of a game raised; the same is logged once, because screens ask again and again."""
    mistake = (game, function, f"{type(error).__name__}: {error}")
    if mistake in _logged:
        return
    if len(_logged) >= MOST_REMEMBERED:
        _logged.clear()
    _logged.add(mistake)
    log.error("%s: a mistake of the game in %s", game, function, exc_info=error)


@contextmanager
def refuse_mistakes(game: str, answers: tuple[type[Exception], ...]) -> Generator[None]:
    """Raise ``Refused`` for whatever a command of a game leads to that is none of the answers to a command."""
    try:
        yield
    except Refused:
        raise
    except answers:
        raise
    except Exception as error:
        log_mistake(game, "a command", error)
        raise Refused(MISTAKE) from error


def forget_mistakes() -> None:
    """Log mistakes again that were logged before."""
    _logged.clear()


def _accept(*_: Any) -> None:
    """Find nothing wrong."""


def guard(
    game: str,
    name: str,
    function: Callable[..., Any],
    fallback: Fallback,
    *,
    refuses: bool = False,
    check: Callable[[Any], object] = _accept,
) -> Callable[..., Any]:
    """Return a function that returns what ``fallback`` does, given the same arguments, where the game's own raises.

    Args:
        game: the name of the game, for the log.
        name: that of the function, for the log.
        function: the game's own.
        fallback: what stands in its place.
        refuses: whether the function may raise ``Refused``.
        check: raises where a result is of another type than is read.

    """

    def call(*arguments: Any) -> Any:
        try:
            result = function(*arguments)
            check(result)
        except Exception as error:  # whatever a game raises
            if refuses and isinstance(error, Refused):
                raise
            log_mistake(game, name, error)
            return fallback(*arguments)
        else:
            return result

    return call


class GuardedPart:
    """A part of a game; the functions that have a fallback never raise, also where the part lacks them."""

    def __init__(
        self,
        game: str,
        name: str,
        part: Any,
        fallbacks: Mapping[str, Fallback],
        refusing: frozenset[str] = frozenset(),
        checks: Mapping[str, Callable[[Any], object]] | None = None,
    ) -> None:
        """Store a part; of its functions by name the fallbacks, those that may raise ``Refused``, and checks."""
        self._game, self._name, self._part = game, name, part
        self._fallbacks, self._refusing, self._checks = fallbacks, refusing, checks or {}

    def __getattr__(self, name: str) -> Any:
        """Return a member of the part, guarded if it is a function with a fallback."""
        fallback = self._fallbacks.get(name)
        if fallback is None:
            return getattr(self._part, name)
        where, refuses = f"{self._name}.{name}", name in self._refusing
        try:
            function = getattr(self._part, name)
        except AttributeError as error:
            log_mistake(self._game, where, error)
            function = fallback
        check = self._checks.get(name, _accept)
        guarded = guard(self._game, where, function, fallback, refuses=refuses, check=check)
        setattr(self, name, guarded)
        return guarded


def _always(value: object) -> Fallback:
    """Return a fallback that is the same for all arguments."""

    def give(*_: Any) -> Any:
        return value

    return give


def _say_record(_of: str, value: object, _telling: object) -> str:
    return str(value)


def _pay_nothing(tills: Any, _transaction: object) -> tuple[Any, tuple[()]]:
    return tills, ()


def _balance(position: Position[Any], account: str) -> int:
    return position.ledger.balance(account)


def _refuse(*_: Any) -> Any:
    raise Refused(MISTAKE)


def _bare_view(position: Position[Any], viewer: str) -> dict[str, Any]:
    """Return the money that a viewer may see in any game: their own, and to the banker everybody's."""
    accounts = dict(position.ledger.balances)
    own = {player: {"cash": accounts[player_account(player)]} for player in _accounts(position)}
    return {"players": {player: figures if viewer in (BANKER, player) else {} for player, figures in own.items()}}


def _accounts(position: Position[Any]) -> tuple[str, ...]:
    """Return the players who have an account."""
    prefix = player_account("")
    return tuple(name.removeprefix(prefix) for name, _ in position.ledger.balances if name.startswith(prefix))


def _bare_overview(manifest: Manifest, rules: Any, position: Position[Any]) -> Overview:
    """Return who plays, and that nobody knows what is due."""
    players = tuple(rules.players(position)) or manifest.seats.colours[: manifest.seats.fewest]
    return Overview("", tuple(Seat(player, player.title()) for player in players), players)


def _check_view(view: Any) -> None:
    """Raise an exception for a view of another type, or one that is no JSON."""
    RESULTS["view"](view)
    json.dumps(view, allow_nan=False)


def guard_rules(manifest: Manifest, rules: Any) -> Any:
    """Return the rules of a game: their mistakes refuse commands and leave bare figures to screens."""
    fallbacks: dict[str, Fallback] = {
        **dict.fromkeys(("decide", "follow_up", "evolve", "account_for", "author"), _refuse),
        "offers": _always(()),
        "read": _always(None),
        "view": _bare_view,
        "players": _accounts,
        "secret_of": _always(""),
        "overtakes": _always(False),
    }
    checks = {**RESULTS, "view": _check_view}
    guarded = GuardedPart(manifest.name, "rules", rules, fallbacks, frozenset({"decide"}), checks)
    fallbacks["overview"] = partial(_bare_overview, manifest, guarded)
    return guarded


def guard_cards(manifest: Manifest, cards: Any) -> Any:
    """Return the cards of a game: without names and labels where these cannot be said."""
    fallbacks: dict[str, Fallback] = {
        "in_use": _always(None),
        "ids": _always(()),
        "labels": _always(()),
        "as_json": _always({}),
    }
    return GuardedPart(manifest.name, "cards", cards, fallbacks)


def guard_capabilities(manifest: Manifest, can: Capabilities, rules: Any) -> Capabilities:
    """Return the capabilities of a game: as if it did not have one where that raises; ``rules`` are guarded."""

    def hide_all(position: Position[Any]) -> frozenset[str]:
        return frozenset(rules.players(position))

    simple: dict[str, Fallback] = {
        "forecast": _always(None),
        "needs": _refuse,
        "differences": _always(()),
        "scores": _always(()),
        "consent": _refuse,
        "as_known": _refuse,
        "command_card": _always(None),
    }

    def guarded(name: str, function: Callable[..., Any], fallback: Fallback) -> Any:
        return guard(manifest.name, f"capabilities.{name}", function, fallback, refuses=True)

    values: dict[str, Any] = {
        name: guarded(name, function, fallback)
        for name, fallback in simple.items()
        if (function := getattr(can, name)) is not None
    }
    if (hidden := can.hidden_money) is not None:
        values["hidden_money"] = guarded("hidden_money", lambda position: _player_ids(hidden(position)), hide_all)
    if can.advice is not None:
        values["advice"] = replace(can.advice, suggest=guarded("advice", can.advice.suggest, _refuse))
    if can.explainer is not None:
        values["explainer"] = replace(
            can.explainer,
            **{
                name: guarded(f"explainer.{name}", getattr(can.explainer, name), fallback)
                for name, fallback in EXPLAINER.items()
            },
        )
    if can.notes is not None:
        values["notes"] = replace(can.notes, pay=guarded("notes", can.notes.pay, _pay_nothing))
    if (laid := can.preparation) is not None:
        is_due = guarded("preparation", laid.is_due, _always(False))
        values["preparation"] = replace(laid, is_due=is_due, steps=guarded("preparation", laid.steps, _always(())))
    return replace(can, **values)


def _player_ids(players: Any) -> frozenset[str]:
    """Return players as a set; raise ``WrongResult`` for nothing and for a text, whose letters would be players."""
    if players is None or isinstance(players, str):
        message = f"returns {players!r}, where a tuple of players is wanted"
        raise WrongResult(message)
    return frozenset(players)


EXPLAINER: Mapping[str, Fallback] = {
    "has": _always(False),
    "hides": _always(True),
    "figure": _balance,
    "parts": _always(()),
    "changes": _always(()),
    "source": _always(Source()),
}
"""Values that stand in the place of functions that explain figures: the bare balance is left."""
PARTS: Mapping[str, Mapping[str, Fallback]] = {
    "event_texts": {
        "variant": _always(""),
        "record": _say_record,
        "card": _always(None),
    },
    "position_texts": {
        "figure": _always(None),
        "moment": _always(""),
    },
    "offer_texts": {
        "offer": _always(OfferWording()),
        "not_yet": _always(()),
    },
    "drawings": {"front": _always(None), "back": _always(None), "extras": _always({}), "pictures": _always(())},
    "flights": {"flights": _always(())},
    "stage": {
        "stage": _always(None),
        "choices": _always({}),
        "deal": _always(()),
    },
    "story": {"ending": _always(None)},
    "corrections": {"figures": _always(())},
    "glossary": {"groups": _always({})},
    "handbook": {},
    "take_over": {"form": _always(None)},
    "teaching": {
        "fields": _refuse,
        "usual": _always({}),
        "follows": _always({}),
        "tables": _refuse,
        "picture": _always(None),
        "describe_act": _always(""),
    },
}
"""Values that stand in the place of functions of a game that describe."""


def load_part(manifest: Manifest, name: str) -> Any | None:
    """Return a describing part of a game, guarded; ``None`` where it has none, or where it cannot be loaded."""
    make = getattr(manifest, name)
    if make is None:
        return None
    try:
        part = make()
    except Exception as error:  # noqa: BLE001 - whatever a game raises
        log_mistake(manifest.name, name, error)
        return None
    return GuardedPart(manifest.name, name, part, PARTS[name]) if PARTS[name] else part


# Games on trial: a mistake ends the game, and names the function.


class TrialError(Exception):
    """A fault that ends a game; the message says what and where."""


class WatchedRules:
    """The rules of a game; what they raise is a ``TrialError`` that names the function."""

    def __init__(self, rules: Any) -> None:
        """Store the rules."""
        self._rules = rules

    def __getattr__(self, name: str) -> Any:
        """Return a part of the rules, watched if it is a function."""
        part = getattr(self._rules, name)
        behind = self._list_offers if name == "overview" else _accept
        watched = _watched(name, part, behind) if callable(part) else part
        setattr(self, name, watched)
        return watched

    def _list_offers(self, position: Any) -> None:
        """Raise what is wrong with offers, which the overview of a game of steps is made of."""
        for player in self.players(position):
            self.offers(position, player)


def _watched(name: str, function: Callable[..., Any], behind: Callable[..., object]) -> Callable[..., Any]:
    """Return a function that raises ``TrialError``; where it fails, what is ``behind`` it is asked first."""

    def call(*arguments: Any) -> Any:
        try:
            result = function(*arguments)
            RESULTS.get(name, _accept)(result)
        except TrialError:
            raise
        except WrongResult as wrong:
            of_what = f" of {type(arguments[1]).__name__}" if name == "decide" else ""
            message = f"{name}{of_what} {wrong}"
            raise TrialError(message) from wrong
        except Refused as refused:
            if name == "decide":
                raise
            message = f"{name} refuses ({refused}); only decide may"
            raise TrialError(message) from refused
        except Exception as error:  # whatever a game raises is what is looked for
            behind(*arguments[:1])
            says = " ".join(str(error).split())[:LONGEST]
            message = f"{name} raises {type(error).__name__}: {says}{own_place(error)}"
            raise TrialError(message) from error
        else:
            return result

    return call


def own_place(error: BaseException | None) -> str:
    """Return in which function and line of a game something was raised; ``""`` where none of its own was called."""
    return "".join(f", in {function} ({module}, line {line})" for module, function, line in own_calls(error)[-1:])


def own_calls(error: BaseException | None) -> list[tuple[str, str, int]]:
    """Return module, function and line of the calls to a game's own functions that led to an exception."""
    calls: list[tuple[str, str, int]] = []
    for frame, line in walk_tb(None if error is None else error.__traceback__):
        module = str(frame.f_globals.get("__name__", ""))
        top, _, rest = module.partition(".")
        if rest.startswith("games.") if top == "companion" else top not in sys.stdlib_module_names:
            calls.append((module, frame.f_code.co_qualname, line))
    return calls


class MistakeFaults(logging.Filter):
    """Turns the mistakes of a game that the program would log and play on into faults, for as long as a block runs."""

    def __init__(self, faults: dict[str, int]) -> None:
        """Store the faults of the report, by the seed of their game; what was logged before counts again."""
        super().__init__()
        self._faults = faults
        self.seed = 0
        forget_mistakes()

    def __enter__(self) -> Self:
        """Begin."""
        log.addFilter(self)
        return self

    def __exit__(self, *_: object) -> None:
        """End."""
        log.removeFilter(self)

    def filter(self, record: logging.LogRecord) -> bool:
        """Add a mistake to the faults and log nothing."""
        error = record.exc_info[1] if record.exc_info else None
        _, function = record.args if isinstance(record.args, tuple) else ("", record.getMessage())
        says = error if isinstance(error, WrongResult) else f"raises {type(error).__name__}: {error}"
        self._faults.setdefault(f"{function} {says}"[:LONGEST] + own_place(error), self.seed)
        return False


def stored_json(write: Callable[[Any], Any], event: Any) -> Any:
    """Return an event as it is read from a journal; raise ``TrialError`` where it cannot be stored."""
    try:
        return json.loads(json.dumps(write(event), allow_nan=False))
    except (TypeError, ValueError) as error:
        message = f"{type(event).__name__} cannot be stored: {error}"
        raise TrialError(message) from error


def card_faults(manifest: Manifest, deck: Any, words: Any) -> Iterator[str]:
    """Yield the first card about which a game cannot ask, and the first that it cannot draw.

    Nothing of a part that cannot be loaded: that is said of every part of a game.

    Args:
        manifest: the game.
        deck: its first bundled catalog.
        words: the language that is drawn.

    """
    yield from _teaching_faults(manifest)
    yield from _drawing_faults(manifest, deck, words)


def _teaching_faults(manifest: Manifest) -> Iterator[str]:
    """Yield the first thing that a game's own teaching cannot do for a box of which nothing was taught."""
    step = ""
    try:
        teaching = None if manifest.teaching is None else manifest.teaching()
        if teaching is None:
            return
        step = "list its cards"
        for card in (card for table in teaching.cards.values() for card in table):
            step = f"ask for {card}"
            asked = teaching.fields(card)
            step = f"propose values of {card}"
            teaching.usual(card, {})
            step = f"draw what {card} may have"
            for field in asked:
                for value in getattr(field, "values", ()):
                    teaching.picture(field.name, value)
        step = "write a catalog"
        teaching.follows({})
        teaching.tables("A box", {})
    except Exception as error:  # noqa: BLE001 - a game from elsewhere may fail in any way
        if step:
            yield f"its teaching cannot {step}: {type(error).__name__}: {error}"


def _drawing_faults(manifest: Manifest, deck: Any, words: Any) -> Iterator[str]:
    """Yield the first card or other piece of a deck that a game's drawings cannot draw."""
    step = ""
    try:
        drawings = None if manifest.drawings is None else manifest.drawings()
        if drawings is None:
            return
        cards = manifest.cards()
        catalog = cards.as_json(deck)
        for card in cards.ids(deck):
            step = f"the front of {card}"
            drawings.front(card, catalog, words)
            step = f"the back of {card}"
            drawings.back(card, catalog, words)
        step = "what else is printed"
        drawings.extras(catalog, words)
        for word in manifest.command_cards.values():
            step = f"the command card {word}"
            getattr(drawings, "command", _always(None))(word, words)
    except Exception as error:  # noqa: BLE001 - as above
        if step:
            yield f"its drawings cannot draw {step}: {type(error).__name__}: {error}"
