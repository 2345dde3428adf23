"""Checks that a catalog is a whole box: the number of cards of each kind, and the data that each card needs.

Pure: a catalog goes in, faults come out, all of them.  A fault names its place as a path into the data,
``("contract", 7, "sections", "roof-1")``, with cards counted from 0; whoever read a file turns that into a
line.  The numbers are those of the box (MB-01, MB-02, MB-03) and of the data-pack checks MB-09 and MB-10.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from unicodedata import category

from companion.game_api.catalog_parsing import Fault, Place
from companion.games.master_builder.rules.catalog import (
    HOUSE_SECTIONS,
    WALL_NUMBERS,
    WALL_SECTIONS,
    Catalog,
    ContractCard,
    ContractKind,
    Deed,
    EconomyCard,
    Effect,
    EventCard,
    Translations,
    WorkerCard,
    WorkerType,
)

# What an effect of an event card must say, by what it does.

CHOICE = ("type", "quirk", "count")
FIELDS_OF: dict[Deed, tuple[str, ...]] = {
    "unavailable": CHOICE,
    "dismiss": CHOICE,
    "wage_change": (*CHOICE, "amount", "lasting"),
    "pay": ("amount", "per"),
    "receive": ("amount", "per"),
    "raze": ("count",),
    "manual": (),
}
"""The fields beside ``do`` that mean something for each kind of effect."""


def effect_faults(effect: Effect) -> Iterator[tuple[str, str]]:
    """Pairs of a field (``""``: the effect as a whole) and what is wrong with it."""
    if effect.count is not None and effect.count < 1:
        yield "count", f"{effect.count} is nobody: write 1 or more, or leave count out for all"
    if effect.do == "raze" and effect.count is None:
        yield "", "raze needs count: say how many sections"
    if "amount" in FIELDS_OF[effect.do]:
        yield from _amount_faults(effect)
    yield from _idle_faults(effect)


def _amount_faults(effect: Effect) -> Iterator[tuple[str, str]]:
    amount = effect.amount
    if amount == 0:
        yield "amount", f"{effect.do} needs an amount: write whole thousands, such as amount = 1_000"
    elif amount % 1_000:
        yield "amount", f"{amount} is no amount: write whole thousands, such as 1_000"
    elif amount < 0 and effect.do != "wage_change":
        other = "receive" if effect.do == "pay" else "pay"
        yield "amount", f'{amount} is below 0: write {-amount} with do = "{other}"'


def _idle_faults(effect: Effect) -> Iterator[tuple[str, str]]:
    """Fields that are given and mean nothing here: somebody expects something of them."""
    bare = Effect(do=effect.do)
    for field in ("type", "quirk", "count", "amount", "lasting", "per"):
        if field not in FIELDS_OF[effect.do] and getattr(effect, field) != getattr(bare, field):
            yield field, f"{field} means nothing for {effect.do}: take it out"


CONTRACTS, WORKERS, EVENTS, ECONOMY = 12, 40, 16, 11
WORKERS_OF_TYPE: dict[WorkerType, int] = {"MC": 8, "F": 9, "T": 10, "A": 13}
SECTIONS_OF: dict[ContractKind, tuple[str, ...]] = {"house": HOUSE_SECTIONS, "city_wall": WALL_SECTIONS}
MOST_IN_TEAM = 3
MOST_QUIRKS = 3
COST_OF_CONTRACT_1 = 2_000
LONGEST_ID = 12
LONGEST_NAME = 60
LONGEST_TEXT = 600
_UNPRINTABLE = frozenset({"Cc", "Cs", "Zl", "Zp"})  # the narrow spaces of French figures are welcome

IDS: dict[str, tuple[str, ...]] = {
    "contract": tuple(f"C{number:02}" for number in range(1, CONTRACTS + 1)),
    "worker": tuple(f"W{number:02}" for number in range(1, WORKERS + 1)),
    "event": tuple(f"E{number:02}" for number in range(1, EVENTS + 1)),
    "economy": tuple(f"Y{number:02}" for number in range(1, ECONOMY + 1)),
}
"""Every id that a box holds, by the name of its table in a file."""


def catalog_faults(catalog: Catalog) -> tuple[Fault, ...]:
    """Everything that keeps this from being the cards of one box; empty when all is well."""
    return tuple(_all_faults(catalog))


def _all_faults(catalog: Catalog) -> Iterator[Fault]:
    yield from _words(("name",), catalog.name, LONGEST_NAME)
    yield from _counts(catalog)
    for index, contract in enumerate(catalog.contracts):
        yield from _contract(("contract", index), contract, invented=catalog.invented)
    for index, worker in enumerate(catalog.workers):
        yield from _worker(("worker", index), worker)
    for index, event in enumerate(catalog.events):
        yield from _event(("event", index), event)
    for index, economy in enumerate(catalog.economy):
        yield from _economy(("economy", index), economy)


def _counts(catalog: Catalog) -> Iterator[Fault]:
    """Return how many cards of each kind, and each id once (MB-01, MB-02, MB-03)."""
    ids = {
        "contract": [card.id for card in catalog.contracts],
        "worker": [card.id for card in catalog.workers],
        "event": [card.id for card in catalog.events],
        "economy": [card.id for card in catalog.economy],
    }
    for table, table_ids in ids.items():
        yield from _ids(table, table_ids)
    types = Counter(card.type for card in catalog.workers)
    for kind, due in WORKERS_OF_TYPE.items():
        if catalog.workers and types[kind] != due:
            words = f"{due} workers of type {kind} belong in the box, here are {types[kind]}"
            yield Fault(("worker",), f"{words}: {_mend(due - types[kind])}", rests_on=(("worker",), "type"))


def _ids(table: str, table_ids: Sequence[str]) -> Iterator[Fault]:
    due = IDS[table]
    field = "number" if table == "contract" else "id"
    if len(table_ids) != len(due):
        words = f"{len(due)} [[{table}]] tables belong in the box, here are {len(table_ids)}"
        yield Fault((table,), f"{words}: {_mend(len(due) - len(table_ids))}")
    seen: set[str] = set()
    for index, card in enumerate(table_ids):
        if card not in due:
            yield Fault((table, index, field), f"there is no {_described(card)}: the ids go from {due[0]} to {due[-1]}")
        elif card in seen:
            yield Fault((table, index, field), f"{card} is here a second time: each {field} belongs to one card")
        seen.add(card)
    missing = [card for card in due if card not in seen]
    if table_ids and missing:
        yield Fault(
            (table,), f"{', '.join(missing)} missing: give each {field} to one card", rests_on=((table,), field)
        )


def _described(card: str) -> str:
    """Keep a strange id to one short line."""
    return card if card.isalnum() and len(card) <= LONGEST_ID else ascii(card[:LONGEST_ID])


def _mend(short: int) -> str:
    return f"add {short}" if short > 0 else f"take out {-short}"


def _contract(place: Place, card: ContractCard, *, invented: bool) -> Iterator[Fault]:
    """MB-09."""
    yield from _called(place, card.name, card.names, card.texts)
    wall = card.number in WALL_NUMBERS
    if card.id in IDS["contract"] and wall != (card.kind == "city_wall"):
        words = "1, 2, 7 and 12 are city walls, and they alone"
        yield Fault((*place, "kind"), f'{words}: write kind = "{"city_wall" if wall else "house"}"')
    yield from _amount((*place, "price"), card.price)
    yield from _amount((*place, "cost"), card.cost)
    if card.number == 1 and card.cost > COST_OF_CONTRACT_1 and not invented:
        words = "contract 1 can be opened at 2000 in the published box"
        yield Fault((*place, "cost"), f"{words}: lower the cost, or say invented = true at the top")
    yield from _sections((*place, "sections"), card)


def _sections(place: Place, card: ContractCard) -> Iterator[Fault]:
    names = [section.name for section in card.sections]
    due, times = _sections_due(card, names), Counter(names)
    for section in card.sections:
        where = (*place, section.name)
        if section.name not in due:
            yield Fault(where, f"no section has this name: here belong {' '.join(due)}")
        elif times[section.name] > 1:
            yield Fault(where, "the section is here more than once: keep one")
        if not 1 <= len(section.team) <= MOST_IN_TEAM:
            words = f"{len(section.team)} workers cannot build a section"
            yield Fault(where, f"{words}: name 1 to {MOST_IN_TEAM} of A T F MC")
    missing = [name for name in due if name not in names]
    if missing:
        yield Fault(place, f"{', '.join(missing)} missing: say for each who must at least work there")


def _sections_due(card: ContractCard, names: Sequence[str]) -> tuple[str, ...]:
    """Return where number and kind contradict each other, one fault is enough: the likelier sections are meant."""
    by_kind = SECTIONS_OF[card.kind]
    by_number = SECTIONS_OF["city_wall" if card.number in WALL_NUMBERS else "house"]
    return max(by_kind, by_number, key=lambda due: len(set(due) & set(names)))


def _worker(place: Place, card: WorkerCard) -> Iterator[Fault]:
    """MB-10."""
    yield from _amount((*place, "wage"), card.wage)
    if not 1 <= len(card.quirks) <= MOST_QUIRKS:
        words = f"a worker has 1 to {MOST_QUIRKS} quirks, here are {len(card.quirks)}"
        yield Fault((*place, "quirks"), f"{words}: choose from S D W N H")
    twice = sorted(quirk for quirk, times in Counter(card.quirks).items() if times > 1)
    if twice:
        yield Fault((*place, "quirks"), f"{', '.join(twice)} more than once: the quirks of a worker differ")


def _event(place: Place, card: EventCard) -> Iterator[Fault]:
    yield from _called(place, card.name, card.names, card.texts)
    yield from _words((*place, "text"), card.text, LONGEST_TEXT)
    for index, effect in enumerate(card.effects):
        for field, words in effect_faults(effect):
            where = (*place, "effects", index)
            yield Fault((*where, field) if field else where, words, rests_on=(where, "do"))


def _economy(place: Place, card: EconomyCard) -> Iterator[Fault]:
    """MB-10."""
    yield from _called(place, card.name, card.names, card.texts)
    for index, number in enumerate(card.reveal):
        if number < 0:
            words = f"{number} contracts cannot be turned up"
            yield Fault((*place, "reveal", index), f"{words}: write 0 or more for {index + 2} players")


def _called(place: Place, name: str, names: Translations, texts: Translations) -> Iterator[Fault]:
    yield from _words((*place, "name"), name, LONGEST_NAME)
    for language, words in names:
        yield from _words((*place, "names", language), words, LONGEST_NAME)
    for language, words in texts:
        yield from _words((*place, "texts", language), words, LONGEST_TEXT)


def _words(place: Place, words: str, longest: int) -> Iterable[Fault]:
    """Something to read, in one line: it stands on a label or in a button."""
    if not words.strip():
        yield Fault(place, "nothing to read: write at least one word")
    elif len(words) > longest:
        yield Fault(place, f"{len(words)} characters: keep it to {longest}")
    elif any(category(character) in _UNPRINTABLE for character in words):
        yield Fault(place, "a line break or another control character: write it in one line")


def _amount(place: Place, amount: int) -> Iterable[Fault]:
    if amount < 0 or amount % 1_000:
        yield Fault(place, f"{amount} is no amount: write whole thousands from 0, such as 5_000")
