"""The boxes that are being taught: kept card by card, finished as catalogs.  Every call may come from any thread."""

import logging
import re
import threading
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import Protocol

from companion.engine.game import Refused
from companion.engine.journal import Json
from companion.engine.readable import is_readable, join_words, shapes
from companion.game_api.default_teaching import teaching_of
from companion.game_api.manifest import Manifest
from companion.game_api.teaching import Asked, Teaching, wrong

LONGEST_NAME = 40
"""As long as a catalog of any game may be called: a box that is taught whole can be finished."""
MOST_BOXES = 20
"""Of games that are installed: others are not shown, so nobody could delete one of them."""
log = logging.getLogger(__name__)
_UNFIT = re.compile(r"[^a-z0-9]+")


class UnknownBox(Exception):  # noqa: N818 - an answer, not an error of the program
    """There is no such box, or no such card in it."""


class Unteachable(Exception):  # noqa: N818 - as above
    """A name or value that nobody can mean; the message names the field."""


class Unfinished(Exception):  # noqa: N818 - as above
    """A box does not add up yet; ``faults`` says each with its place."""

    def __init__(self, faults: Sequence[tuple[str, str]]) -> None:
        """Store pairs of place and reason."""
        super().__init__(f"{len(faults)} faults")
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True)
class TaughtBox:
    """A box as far as it was taught: values by card, in the order of teaching.

    ``catalog``: what it was kept as last; ``earlier``: as what before.
    """

    id: str
    game: str
    name: str
    cards: Mapping[str, Json] = field(default_factory=dict[str, Json])
    catalog: str | None = None
    earlier: tuple[str, ...] = ()


class BoxFiles(Protocol):
    """Keeps boxes, each write before it returns, and finished ones as catalogs."""

    def read(self) -> Mapping[str, TaughtBox]:
        """Return all boxes by id."""
        ...

    def ids(self) -> Collection[str]:
        """Return the ids in use, those of boxes that cannot be read among them."""
        ...

    def change(self) -> AbstractContextManager[None]:
        """Keep everybody else, in other processes too, from changing boxes for the block."""
        ...

    def write(self, box: TaughtBox) -> None:
        """Keep a box as it is now."""
        ...

    def remove(self, box: str) -> None:
        """Forget a box; catalogs made of it stay."""
        ...

    def keep_catalog(self, name: str, tables: Json, game: Manifest) -> str:
        """Write a catalog under a free name, or keep it under its present one; return the name."""
        ...


class Boxes:
    """Boxes that are being taught.  ``games``: those that can be taught, by name."""

    def __init__(self, files: BoxFiles, games: Mapping[str, Manifest]) -> None:
        """Store what keeps boxes."""
        self._files = files
        self._lock = threading.Lock()
        teaching = {name: _teaching_of(game) for name, game in games.items()}
        self._teaching = {name: teaches for name, teaches in teaching.items() if teaches is not None}
        self.games = {name: game for name, game in games.items() if name in self._teaching}

    def all(self) -> list[TaughtBox]:
        """Return the boxes of games that can be taught here."""
        with self._lock:
            return [self._with_fit_cards(box) for box in self._files.read().values() if box.game in self.games]

    def get(self, box: str) -> TaughtBox:
        """Find a box; ``UnknownBox``."""
        with self._lock:
            return self._read_box(box)

    def begin(self, game: str, name: str) -> TaughtBox:
        """Begin a box; ``Unteachable`` for a game or name that is none, or where there are too many.

        A name that another box has gets a number: *My box 2*.
        """
        if game not in self.games:
            raise Unteachable("game")
        title = _require_name(name)
        with self._lock, self._files.change():
            boxes = self._files.read()
            if sum(box.game in self.games for box in boxes.values()) >= MOST_BOXES:
                raise Unteachable("boxes")
            title = _unused_name(title, boxes.values())
            wish = _UNFIT.sub("-", title.lower()).strip("-")[:30] or "box"
            used = self._files.ids()
            candidates = (wish, *(f"{wish}-{n}" for n in range(2, len(used) + 3)))
            free = next(candidate for candidate in candidates if candidate not in used)
            box = TaughtBox(free, game, title)
            self._files.write(box)
            return box

    def rename(self, box: str, name: str) -> TaughtBox:
        """Rename a box, with a number where another box has it; ``UnknownBox``, ``Unteachable``.

        Catalogs that were made of it keep theirs.
        """
        title = _require_name(name)
        with self._lock, self._files.change():
            renamed = self._read_box(box)
            others = (other for other in self._files.read().values() if other.id != renamed.id)
            return self._kept(replace(renamed, name=_unused_name(title, others)))

    def remove(self, box: str) -> None:
        """Forget a box; ``UnknownBox``."""
        with self._lock, self._files.change():
            self._files.remove(self._read_box(box).id)

    def teach(self, box: str, card: str, values: Json) -> TaughtBox:
        """Keep what is printed on a card; ``UnknownBox``, ``Unteachable``."""
        with self._lock, self._files.change():
            taught_box = self._read_box(box)
            bad = wrong(self.asked_fields(taught_box, card), values)
            if bad is not None:
                raise Unteachable(bad)
            cards = {
                other: taught for other, taught in taught_box.cards.items() if other != card or card in taught_box.cards
            }
            return self._kept(replace(taught_box, cards={**cards, card: dict(values)}))

    def unteach(self, box: str, card: str) -> TaughtBox:
        """Forget a card; ``UnknownBox``."""
        with self._lock, self._files.change():
            taught_box = self._read_box(box)
            self.require_card(taught_box, card)
            return self._kept(
                replace(
                    taught_box, cards={other: taught for other, taught in taught_box.cards.items() if other != card}
                )
            )

    def finish(self, box: str) -> TaughtBox:
        """Keep a box as a catalog that games can be begun with; ``UnknownBox``, ``Unfinished``.

        A catalog that was kept before is never changed: games go on with the cards that they began with.
        """
        with self._lock, self._files.change():
            taught_box = self._read_box(box)
            faults = self.faults(taught_box)
            if faults:
                raise Unfinished(faults)
            game = self.games[taught_box.game]
            name = self._files.keep_catalog(
                taught_box.id, self.teaches(taught_box).tables(taught_box.name, taught_box.cards), game
            )
            earlier = (
                taught_box.earlier if taught_box.catalog in (None, name) else (*taught_box.earlier, taught_box.catalog)
            )
            return self._kept(replace(taught_box, catalog=name, earlier=earlier))

    def faults(self, box: TaughtBox) -> list[tuple[str, str]]:
        """Return what does not add up: the place as people know it, and the mend."""
        return self._faults(box, frozenset())

    def so_far(self, box: TaughtBox) -> list[tuple[str, str]]:
        """Return what does not add up apart from the cards that are still to come."""
        cards = self.teaches(box).cards
        return self._faults(box, frozenset(table for table, ids in cards.items() if not set(ids) <= set(box.cards)))

    def _faults(self, box: TaughtBox, coming: frozenset[str]) -> list[tuple[str, str]]:
        try:
            tables = self.teaches(box).tables(box.name, box.cards)
        except Refused:
            return [(box.name, "the game itself makes a mistake when its catalog is written: the log says which")]
        cards = self.games[box.game].cards()
        return [
            (cards.spoken(fault.place, tables), fault.words)
            for fault in cards.parse(tables)[1]
            if not (fault.place[0] in coming and (len(fault.place) == 1 or isinstance(fault.place[1], str)))
        ]

    def require_card(self, box: TaughtBox, card: str) -> None:
        """Raise ``UnknownBox`` unless a box has a card of that id."""
        if not any(card in ids for ids in self.teaches(box).cards.values()):
            raise UnknownBox(card)

    def asked_fields(self, box: TaughtBox, card: str) -> Sequence[Asked]:
        """Return what is asked of a card; ``UnknownBox`` where it has none of that id."""
        self.require_card(box, card)
        return self.teaches(box).fields(card)

    def preview_cards(self, box: TaughtBox, card: str, values: Json) -> Json | None:
        """Return the cards as screens have them, with one as it is being taught; ``None`` where it says nothing yet."""
        if wrong(self.asked_fields(box, card), values) is not None:
            return None
        cards = self.games[box.game].cards()
        catalog, _ = cards.parse(self.teaches(box).tables(box.name, {**box.cards, card: values}))
        return cards.as_json(catalog)

    def teaches(self, box: TaughtBox) -> Teaching:
        """Return what knows the cards of a box."""
        return self._teaching[box.game]

    def _read_box(self, box: str) -> TaughtBox:
        taught_box = self._files.read().get(box)
        if taught_box is None or taught_box.game not in self.games:
            raise UnknownBox(box)
        return self._with_fit_cards(taught_box)

    def _with_fit_cards(self, box: TaughtBox) -> TaughtBox:
        """Return a box without the cards whose values are none that the game asks for: they are to be taught anew.

        All are kept where the game makes a mistake instead of asking.
        """
        teaches = self.teaches(box)
        ids = {card for cards in teaches.cards.values() for card in cards}
        try:
            fit = {
                card: values
                for card, values in box.cards.items()
                if card in ids and wrong(teaches.fields(card), values) is None
            }
        except Refused:
            return box
        return box if len(fit) == len(box.cards) else replace(box, cards=fit)

    def _kept(self, box: TaughtBox) -> TaughtBox:
        self._files.write(box)
        return box


def is_box_name(name: str) -> bool:
    """Return whether a box may be called so: what takes names and what reads files asks this alone."""
    return len(name) <= LONGEST_NAME and is_readable(name)


def _require_name(name: str) -> str:
    """Return a box's name without needless blanks; raise ``Unteachable`` for what is none."""
    title = join_words(name)
    if not is_box_name(title):
        raise Unteachable("name")
    return title


def _unused_name(title: str, boxes: Iterable[TaughtBox]) -> str:
    """Return a name that no box has: the given one, or with the first number that makes it one."""
    taken = {shape for box in boxes for shape in shapes(box.name)}
    numbers = (f" {number}" for number in range(2, len(taken) + 3))
    names = (title, *(f"{title[: LONGEST_NAME - len(number)].rstrip()}{number}" for number in numbers))
    return next(name for name in names if taken.isdisjoint(shapes(name)))


def _teaching_of(game: Manifest) -> Teaching | None:
    """Return what asks for the cards of a game; ``None``, with a line in the log, where its cards cannot be listed."""
    try:
        teaching = teaching_of(game)
        has_cards = teaching is not None and bool(teaching.cards)
    except Exception as error:  # noqa: BLE001 - a game from elsewhere may fail in any way; all else of it runs
        log.warning("game %s: its boxes cannot be taught: %s: %s", game.name, type(error).__name__, error)
        return None
    return teaching if has_cards else None
