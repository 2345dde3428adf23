"""Teaching for a game that says nothing of it: what its own catalog holds of each card is asked for."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.game_api.cards import Cards
from companion.game_api.drawing import Drawing
from companion.game_api.guard import load_part
from companion.game_api.manifest import Manifest
from companion.game_api.teaching import Asked, Line, Number, Pick, Row, Teaching

LONGEST_LINE, LARGEST_NUMBER, LARGEST_OF_ROW = 200, 999_999, 99


def teaching_of(manifest: Manifest) -> Teaching | None:
    """Return what asks for the cards of a game: its own, guarded, or a plain one.

    ``None`` where its own cannot be loaded, or its catalogs are no lists.
    """
    return plain_teaching(manifest.cards()) if manifest.teaching is None else load_part(manifest, "teaching")


def plain_teaching(cards: Cards) -> "PlainTeaching | None":
    """Read the catalog that comes first with a game.

    Its cards must stand in arrays of tables, each with an ``id`` and with words, numbers and lists of these.
    """
    first = next(iter(cards.bundled.values()), None)
    if first is None:
        return None
    whole = tomllib.loads(first.read_text(encoding="utf-8"))
    tables = {name: part for name, part in whole.items() if isinstance(part, list)}
    rest = {name: value for name, value in whole.items() if name not in tables}
    simple = all(isinstance(value, str | int | bool) for value in rest.values())
    if not (tables and simple and all(_are_cards(table) for table in tables.values())):
        return None
    return PlainTeaching(tables, rest)


def _are_cards(table: Sequence[Any]) -> bool:
    return bool(table) and all(
        isinstance(card, dict)
        and isinstance(card.get("id"), str)
        and all(_asked("x", [value]) for value in card.values())
        for card in table
    )


def _asked(name: str, seen: Sequence[Any]) -> Asked | None:
    """Return how a field is asked for by the values that it has; ``None`` where nobody can say."""
    if all(isinstance(value, bool) for value in seen):
        return None
    if all(isinstance(value, int) for value in seen):
        return Number(name, LARGEST_NUMBER)
    if all(isinstance(value, str) for value in seen):
        return Line(name, LONGEST_LINE)
    if not all(isinstance(value, list) for value in seen):
        return None
    return _asked_for_many(name, seen)


def _asked_for_many(name: str, seen: Sequence[Sequence[Any]]) -> Asked | None:
    every = [part for list_seen in seen for part in list_seen]
    if every and all(isinstance(part, str) for part in every):
        values = tuple(sorted(set(every)))
        return Pick(name, values, "value", least=min(map(len, seen)), most=max(2, len(values)))
    lengths = set(map(len, seen))
    if len(lengths) == 1 and all(type(part) is int and 0 <= part <= LARGEST_OF_ROW for part in every):
        return Row(name, tuple(str(at + 1) for at in range(lengths.pop())), max((*every, 9)), "value")
    return None


class PlainTeaching:
    """As many cards as the game's own catalog has, with the same ids and the same fields."""

    def __init__(self, tables: Mapping[str, Sequence[Mapping[str, Any]]], rest: Mapping[str, Any]) -> None:
        """Store the cards of a catalog by table, and what else stands in it."""
        self._rest = rest
        self.cards: Mapping[str, Sequence[str]] = {
            table: [str(card["id"]) for card in table_cards] for table, table_cards in tables.items()
        }
        self._asked = {table: tuple(_fields(cards_of_table)) for table, cards_of_table in tables.items()}

    def fields(self, card: str) -> Sequence[Asked]:
        """Ask for whatever stands in the catalog of cards like this one."""
        return self._asked[self._table(card)]

    def usual(self, card: str, taught: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
        """Propose what the card before it has, but for words: these are rarely the same."""
        table = self.cards[self._table(card)]
        before = [values for other, values in taught.items() if other in table]
        words = {field.name for field in self.fields(card) if isinstance(field, Line)}
        return {name: value for name, value in (before[-1] if before else {}).items() if name not in words}

    def follows(self, taught: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
        """Nothing follows from anything."""
        del taught
        return {}

    def tables(self, name: str, taught: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
        """Write a catalog as the game's own is written."""
        rest = {**self._rest, **({"name": name} if "name" in self._rest else {})}
        if "invented" in rest:
            rest["invented"] = False
        cards = {
            table: [{"id": card, **taught[card]} for card in ids if card in taught] for table, ids in self.cards.items()
        }
        return {**rest, **cards}

    def picture(self, name: str, value: str) -> Drawing | None:
        """Draw nothing."""
        del name, value
        return None

    def describe_act(self, act: Mapping[str, Any], words: Any) -> str:
        """Nothing is composed of acts."""
        del act, words
        return ""

    def _table(self, card: str) -> str:
        return next(table for table, ids in self.cards.items() if card in ids)


def _fields(table: Sequence[Mapping[str, Any]]) -> Iterable[Asked]:
    names = dict.fromkeys(name for card in table for name in card if name != "id")
    for name in names:
        asked = _asked(name, [card[name] for card in table if name in card])
        if asked is not None:
            yield asked
