"""A catalog out of the tables of a TOML file, with a fault for each thing that cannot be read."""

from collections.abc import Mapping
from typing import get_args

from companion.game_api.catalog_parsing import Fault, Fields, catalog_fields
from companion.games.men_at_work.rules.catalog import (
    BACKS,
    COLOURS,
    KINDS,
    MATERIALS,
    NEEDS,
    PLAIN,
    Boss,
    Box,
    Card,
    Catalog,
    Instruction,
    Material,
)

GAME = "men_at_work"
PLAYERS = ("2", "3", "4", "5")


def catalog_from(data: Mapping[str, object]) -> tuple[Catalog, list[Fault]]:
    """Read what can be read; place for place the catalog agrees with the file."""
    fields = catalog_fields(data, GAME)
    catalog = Catalog(
        name=fields.words("name"),
        invented=fields.flag("invented"),
        box=_box(Fields(fields.take("box", "{...}"), ("box",), fields.faults)),
        boss=_boss(Fields(fields.take("boss", "{...}"), ("boss",), fields.faults)),
        instructions=tuple(_instruction(table) for table in fields.subtables("instruction")),
        cards=tuple(_card(table) for table in fields.subtables("card")),
    )
    fields.finish()
    return catalog, fields.faults


def _box(fields: Fields) -> Box:
    girders = Fields(fields.take("girders", "{orange = 7, ...}"), (*fields.place, "girders"), fields.faults)
    orange, purple, black, white = (girders.whole(colour, "7") or 0 for colour in COLOURS)
    girders.finish()
    workers, supports, beams, bricks = (fields.whole(piece, "12") or 0 for piece in MATERIALS)
    certificates, awards = fields.whole("certificates", "15") or 0, fields.whole("awards", "13") or 0
    place = (*fields.place, "awards_needed")
    needed = Fields(fields.take("awards_needed", "{2 = 5, 3 = 4, 4 = 4, 5 = 3}"), place, fields.faults)
    two, three, four, five = (needed.whole(players, "4") or 0 for players in PLAYERS)
    needed.finish()
    fields.finish()
    return Box(
        orange=orange,
        purple=purple,
        black=black,
        white=white,
        workers=workers,
        supports=supports,
        beams=beams,
        bricks=bricks,
        certificates=certificates,
        awards=awards,
        awards_needed=(two, three, four, five),
    )


def _boss(fields: Fields) -> Boss:
    boss = Boss(
        id=fields.words("id"),
        name=fields.words("name"),
        back=fields.one_of("back", (*BACKS, PLAIN)),
        names=fields.translations("names"),
    )
    fields.finish()
    return boss


def _instruction(fields: Fields) -> Instruction:
    instruction = Instruction(
        id=fields.words("id"),
        kind=fields.one_of("for", KINDS),
        name=fields.words("name"),
        text=fields.words("text"),
        uses=_uses(fields),
        needs=fields.some_of("needs", NEEDS) or (),
        names=fields.translations("names"),
        texts=fields.translations("texts"),
    )
    fields.finish()
    return instruction


def _uses(fields: Fields) -> tuple[tuple[Material, int], ...]:
    value = fields.take("uses")
    if value is None:
        return ()
    uses = Fields(value, (*fields.place, "uses"), fields.faults)
    materials: tuple[Material, ...] = get_args(Material)
    counts = [(piece, uses.whole(piece)) for piece in materials]
    uses.finish()
    return tuple((piece, count) for piece, count in counts if count is not None)


def _card(fields: Fields) -> Card:
    card = Card(
        id=fields.words("id"),
        back=fields.one_of("back", BACKS),
        girder=fields.words("girder"),
        worker=fields.words("worker"),
    )
    fields.finish()
    return card
