"""A catalog read from the tables of a TOML file, with a fault for each thing that cannot be read."""

from collections.abc import Mapping
from typing import get_args

from companion.game_api.catalog_parsing import Fault, Fields, catalog_fields, shown
from companion.games.monopoly_builder.rules.catalog import (
    CARD_VERBS,
    KINDS,
    SPACE_TYPES,
    AffectedPlayers,
    Catalog,
    Chance,
    Deed,
    Effect,
    Foundation,
    KindOfEffect,
    KindOrAny,
    Per,
    Reference,
    Space,
)
from companion.games.monopoly_builder.rules.state import PlayerId

# The effects of Chance cards out of a TOML file: each kind of effect has fields of its own.

_AFFECTED: tuple[AffectedPlayers, ...] = get_args(AffectedPlayers)
_PER: tuple[Per, ...] = get_args(Per)
_GAINED: tuple[KindOfEffect, ...] = get_args(KindOfEffect)
_LOST: tuple[KindOrAny, ...] = get_args(KindOrAny)


def effect_from(fields: Fields) -> Effect:
    """Read one effect; fields that its kind does not have are faults."""
    do = fields.one_of("do", CARD_VERBS)
    if do in ("receive", "pay"):
        effect = _money(fields, do)
    elif do in ("gain", "lose"):
        effect = Effect(
            do,
            kind=fields.one_of("kind", _GAINED if do == "gain" else _LOST),
            count=fields.whole("count", "1") or 0,
            who=fields.one_of("who", _AFFECTED, "drawer"),
        )
    elif do == "move":
        effect = Effect(do, by=fields.whole("by", "-2") or 0)
    elif do == "move_to":
        space = fields.whole("space")
        kind = fields.one_of("type", SPACE_TYPES) if "type" in fields.values else None
        if (space is None) == (kind is None):
            fields.wrong((), 'write either space = 5 or type = "go"')
        effect = Effect(do, space=space, type=kind)
    else:
        effect = Effect(do)
    fields.finish()
    return effect


def _money(fields: Fields, do: str) -> Effect:
    side = "from" if do == "receive" else "to"
    players = side in fields.values
    if players:
        fields.one_of(side, ("players",))
        for key in ("who", "per"):
            if key in fields.values:
                fields.take(key)
                fields.wrong((key,), f'has no place beside {side} = "players"')
    return Effect(
        "receive" if do == "receive" else "pay",
        amount=fields.whole("amount", "20") or 0,
        players=players,
        who="drawer" if players else fields.one_of("who", _AFFECTED, "drawer"),
        per=fields.one_of("per", _PER) if "per" in fields.values and not players else None,
    )


# A catalog out of the tables of a TOML file, with a fault for each thing that cannot be read.

GAME = "monopoly_builder"
TOTALS = range(2, 13)
KINDS_OR_ANY: tuple[KindOrAny, ...] = get_args(KindOrAny)
PLAYERS: tuple[PlayerId, ...] = get_args(PlayerId)


def catalog_from(data: Mapping[str, object]) -> tuple[Catalog, list[Fault]]:
    """Read what can be read; place for place the catalog agrees with the file."""
    fields = catalog_fields(data, GAME)
    catalog = Catalog(
        name=fields.words("name"),
        invented=fields.flag("invented"),
        floors=_floors(fields),
        foundation=_foundation(Fields(fields.take("foundation", "{rows = [...]}"), ("foundation",), fields.faults)),
        spaces=tuple(_space(table) for table in fields.subtables("space")),
        sets=_sets(fields),
        deeds=tuple(_deed(table) for table in fields.subtables("deed")),
        chances=tuple(_chance(table) for table in fields.subtables("chance")),
        references=tuple(_reference(table) for table in fields.subtables("reference")),
    )
    fields.finish()
    return catalog, fields.faults


def _floors(fields: Fields) -> tuple[tuple[tuple[KindOrAny, int], ...], ...]:
    floors: list[tuple[tuple[KindOrAny, int], ...]] = []
    for table in fields.subtables("floors"):
        costs = [(kind, table.whole(kind)) for kind in KINDS_OR_ANY]
        table.finish()
        floors.append(tuple((kind, count) for kind, count in costs if count is not None))
    return tuple(floors)


def _foundation(fields: Fields) -> Foundation:
    rows = _strings(fields, "rows", '["XXXX", "XX.X"]')
    foundation = Foundation(rows, _pairs(fields, "apart"), _pairs(fields, "joined"))
    fields.finish()
    return foundation


def _strings(fields: Fields, key: str, example: str = "") -> tuple[str, ...]:
    value = fields.take(key, example)
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        fields.wrong((key,), f"{shown(value)} is no list of texts in quotes")
        return ()
    return tuple(value)


def _pairs(fields: Fields, key: str) -> tuple[tuple[str, str], ...]:
    value = fields.take(key)
    if value is None:
        return ()
    pairs: list[tuple[str, str]] = []
    for name in value if isinstance(value, list) else [None]:
        match name:
            case [str(first), str(second)]:
                pairs.append((first, second))
            case _:
                fields.wrong((key,), f'{shown(value)} is no list of pairs of cells: write [["A1", "A2"]]')
                return ()
    return tuple(pairs)


def _space(fields: Fields) -> Space:
    kind_of_space = fields.one_of("type", SPACE_TYPES)
    deed = fields.words("deed") if kind_of_space == "deed" else ""
    kind = fields.one_of("kind", KINDS) if kind_of_space == "collect" else None
    table: tuple[KindOrAny, ...] = ()
    if kind_of_space == "roll_for_resources":
        totals = Fields(fields.take("table", '{2 = "red", ..., 12 = "any"}'), (*fields.place, "table"), fields.faults)
        table = tuple(totals.one_of(str(total), KINDS_OR_ANY) for total in TOTALS)
        totals.finish()
    fields.finish()
    return Space(kind_of_space, deed, kind, table)


def _sets(fields: Fields) -> tuple[tuple[str, int], ...]:
    table = Fields(fields.take("sets", "{brown = 2, ...}"), ("sets",), fields.faults)
    sets = tuple((colour, table.whole(colour) or 0) for colour in list(table.values))
    table.finish()
    return sets


def _deed(fields: Fields) -> Deed:
    rent = fields.whole("rent", "25") or 0
    set_rent = fields.whole("set_rent")
    deed = Deed(
        id=fields.words("id"),
        name=fields.words("name"),
        colour=fields.words("colour"),
        price=fields.whole("price", "60") or 0,
        rent=rent,
        set_rent=2 * rent if set_rent is None else set_rent,
        mortgage=fields.whole("mortgage", "30") or 0,
        unmortgage=fields.whole("unmortgage", "35") or 0,
        numbers=_numbers(fields),
        kind=fields.one_of("kind", KINDS),
        names=fields.translations("names"),
    )
    fields.finish()
    return deed


def _numbers(fields: Fields) -> tuple[int, ...]:
    value = fields.take("numbers", "[4]")
    if value is None:
        return ()
    if not isinstance(value, list) or not all(
        isinstance(number, int) and not isinstance(number, bool) for number in value
    ):
        fields.wrong(("numbers",), f"{shown(value)} is no list of whole numbers: write the totals, such as [4, 9]")
        return ()
    return tuple(value)


def _chance(fields: Fields) -> Chance:
    chance = Chance(
        id=fields.words("id"),
        name=fields.words("name"),
        text=fields.words("text"),
        effects=tuple(effect_from(table) for table in fields.subtables("effects")),
        keep=fields.flag("keep"),
        names=fields.translations("names"),
        texts=fields.translations("texts"),
    )
    fields.finish()
    return chance


def _reference(fields: Fields) -> Reference:
    reference = Reference(
        player=fields.one_of("player", PLAYERS),
        token=fields.words("token"),
        kind=fields.one_of("kind", KINDS),
    )
    fields.finish()
    return reference
