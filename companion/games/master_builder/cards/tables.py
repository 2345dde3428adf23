"""From the tables of a catalog file to the cards of a catalog."""

from collections.abc import Mapping
from typing import get_args

from companion.game_api.catalog_parsing import Fault, Fields, Place, Word, catalog_fields, shown
from companion.games.master_builder.rules.catalog import (
    Catalog,
    ContractCard,
    ContractKind,
    Deed,
    EconomyCard,
    Effect,
    EventCard,
    Lasting,
    Per,
    Quirk,
    Section,
    WorkerCard,
    WorkerType,
)

GAME = "master_builder"

_TYPES: tuple[WorkerType, ...] = get_args(WorkerType)
_QUIRKS: tuple[Quirk, ...] = get_args(Quirk)
_KINDS: tuple[ContractKind, ...] = get_args(ContractKind)
_DEEDS: tuple[Deed, ...] = get_args(Deed)
_LASTING: tuple[Lasting, ...] = get_args(Lasting)
_PER: tuple[Per, ...] = get_args(Per)


def catalog_from(data: Mapping[str, object]) -> tuple[Catalog, list[Fault]]:
    """Read what can be read, with a fault for each thing that cannot.

    A field with a fault holds a stand-in, and each table keeps its number: place for place the catalog
    agrees with the file.
    """
    fields = catalog_fields(data, GAME)
    catalog = Catalog(
        name=fields.words("name"),
        invented=fields.flag("invented"),
        contracts=tuple(_contract(table) for table in fields.subtables("contract")),
        workers=tuple(_worker(table) for table in fields.subtables("worker")),
        events=tuple(_event(table) for table in fields.subtables("event")),
        economy=tuple(_economy(table) for table in fields.subtables("economy")),
    )
    fields.finish()
    return catalog, fields.faults


def _contract(fields: Fields) -> ContractCard:
    number = fields.whole("number", "8") or 0
    card = ContractCard(
        id=f"C{number:02}",
        number=number,
        name=fields.words("name"),
        kind=fields.one_of("kind", _KINDS),
        price=fields.whole("price", "90_000") or 0,
        cost=fields.whole("cost", "5_000") or 0,
        sections=_sections(fields),
        names=fields.translations("names"),
        texts=fields.translations("texts"),
    )
    fields.finish()
    return card


def _sections(fields: Fields) -> tuple[Section, ...]:
    value = fields.take("sections", '{wall-1 = ["T"], ...}')
    if value is None:
        return ()
    if not isinstance(value, dict):
        fields.wrong(("sections",), f"{shown(value)} is no table: write a section and its workers in each line")
        return ()
    keys: dict[str, Place] = {name: ("sections", name) for name in value}
    return tuple(Section(name, fields.choices(keys[name], value[name], _TYPES)) for name in value)


def _worker(fields: Fields) -> WorkerCard:
    card = WorkerCard(
        id=fields.words("id"),
        type=fields.one_of("type", _TYPES),
        wage=fields.whole("wage", "4_000") or 0,
        quirks=fields.some_of("quirks", _QUIRKS, '["S", "H"]') or (),
    )
    fields.finish()
    return card


def _event(fields: Fields) -> EventCard:
    card = EventCard(
        id=fields.words("id"),
        name=fields.words("name"),
        text=fields.words("text"),
        effects=_effects(fields),
        names=fields.translations("names"),
        texts=fields.translations("texts"),
    )
    fields.finish()
    return card


def _effects(fields: Fields) -> tuple[Effect, ...]:
    if "effects" not in fields.values:
        fields.wrong(("effects",), 'missing: write effects = [{do = "manual"}] if the banker is to settle it')
    return tuple(_effect(table) for table in fields.subtables("effects"))


def _effect(fields: Fields) -> Effect:
    effect = Effect(
        do=fields.one_of("do", _DEEDS),
        type=_chosen(fields, "type", _TYPES),
        quirk=_chosen(fields, "quirk", _QUIRKS),
        count=fields.whole("count"),
        amount=fields.whole("amount") or 0,
        lasting=fields.one_of("lasting", _LASTING, "round"),
        per=fields.one_of("per", _PER, "player"),
    )
    fields.finish()
    return effect


def _chosen(fields: Fields, key: str, choices: tuple[Word, ...]) -> tuple[Word, ...]:
    values = fields.some_of(key, choices)
    if fields.values.get(key) == []:
        fields.wrong((key,), f"an empty list chooses nobody: name one, or leave {key} out for any")
    return values or ()


def _economy(fields: Fields) -> EconomyCard:
    first, second, third = fields.whole_numbers("reveal", 3, "[0, 1, 1]")
    card = EconomyCard(
        id=fields.words("id"),
        name=fields.words("name"),
        reveal=(first, second, third),
        names=fields.translations("names"),
        texts=fields.translations("texts"),
    )
    fields.finish()
    return card
