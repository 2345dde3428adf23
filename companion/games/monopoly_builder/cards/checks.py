"""Checks of a catalog of Monopoly Builder; every fault has its place in the file."""

from collections import Counter
from collections.abc import Iterator, Sequence

from companion.engine.readable import is_readable
from companion.game_api.catalog_parsing import Fault, Place
from companion.games.monopoly_builder.cards.tables import PLAYERS
from companion.games.monopoly_builder.rules.catalog import (
    CHANCES,
    CHIPS_A_KIND,
    DEEDS,
    FLOORS,
    KINDS,
    UNIT,
    Catalog,
    Chance,
    Deed,
    Effect,
    Foundation,
    Space,
)
from companion.games.monopoly_builder.rules.scoring import lie_together

# What a Chance card must be: one that is kept, or effects that can be carried out one after the other.

KEPT = ("out_of_jail", "forced_trade", "manual")
ONLY_KEPT = ("out_of_jail", "forced_trade")
LAST = ("move", "move_to", "go_to_jail")
LONGEST_TEXT = 400


def chance_faults(place: Place, chance: Chance, spaces: Sequence[Space]) -> Iterator[Fault]:
    """Find everything that is wrong with a card."""
    if not chance.text.strip() or len(chance.text) > LONGEST_TEXT:
        yield Fault((*place, "text"), f"write 1 to {LONGEST_TEXT} characters")
    if not chance.effects:
        yield Fault((*place, "effects"), "no effect: say what the card does, manual where the banker settles it")
    verbs = [effect.do for effect in chance.effects]
    if chance.keep and (len(verbs) != 1 or verbs[0] not in KEPT):
        yield Fault((*place, "keep"), f"a card that is kept has one effect, of {' '.join(KEPT)}")
    if not chance.keep and any(verb in ONLY_KEPT for verb in verbs):
        yield Fault((*place, "keep"), f"{' and '.join(ONLY_KEPT)} are kept: write keep = true")
    for index, effect in enumerate(chance.effects):
        at = (*place, "effects", index)
        if effect.do in LAST and index != len(verbs) - 1:
            yield Fault(at, f"{effect.do} is the last thing that a card does")
        yield from _effect(at, effect, spaces)


def _effect(place: Place, effect: Effect, spaces: Sequence[Space]) -> Iterator[Fault]:
    match effect.do:
        case "receive" | "pay" if effect.amount < UNIT or effect.amount % UNIT:
            yield Fault((*place, "amount"), f"{effect.amount} is no positive multiple of {UNIT}")
        case "gain" | "lose" if effect.count < 1:
            yield Fault((*place, "count"), f"{effect.count} is below 1")
        case "move" if effect.by == 0 or abs(effect.by) >= len(spaces):
            yield Fault((*place, "by"), f"{effect.by} spaces are none, or a full round")
        case "move_to":
            yield from _aim(place, effect, spaces)
        case _:
            pass


def _aim(place: Place, effect: Effect, spaces: Sequence[Space]) -> Iterator[Fault]:
    if effect.space is not None and not 0 <= effect.space < len(spaces):
        yield Fault((*place, "space"), f"there is no space {effect.space}")
    elif effect.space is not None and spaces[effect.space].type == "chance":
        yield Fault((*place, "space"), "a card does not lead to another card")
    if effect.type is not None and not any(space.type == effect.type for space in spaces):
        yield Fault((*place, "type"), f"there is no space of type {effect.type}")
    elif effect.type == "chance":
        yield Fault((*place, "type"), "a card does not lead to another card")


LONGEST_NAME = 40
FEWEST_SPACES, MOST_SPACES = 13, 60
FEWEST_CELLS, MOST_ROWS, MOST_COLUMNS = 4, 26, 20
TOTALS = range(2, 13)
DEED_IDS = tuple(f"D{number:02d}" for number in range(1, DEEDS + 1))
CHANCE_IDS = tuple(f"C{number:02d}" for number in range(1, CHANCES + 1))
COLOURS, OF_A_COLOUR = 8, 2


def catalog_faults(catalog: Catalog) -> Iterator[Fault]:
    """Find everything that is wrong with a catalog whose fields could be read."""
    yield from check_name(("name",), catalog.name)
    yield from _floors(catalog)
    yield from _foundation(catalog.foundation)
    yield from _spaces(catalog)
    yield from _sets(catalog)
    yield from _deeds(catalog)
    for index, deed in enumerate(catalog.deeds):
        yield from _deed(("deed", index), deed)
    yield from ids_once("chance", [chance.id for chance in catalog.chances], CHANCE_IDS)
    for index, chance in enumerate(catalog.chances):
        yield from check_name(("chance", index, "name"), chance.name)
        yield from chance_faults(("chance", index), chance, catalog.spaces)
    yield from _references(catalog)


def check_name(place: Place, words: str) -> Iterator[Fault]:
    """Check that a name fits where names stand."""
    if len(words) > LONGEST_NAME or not is_readable(words):
        yield Fault(place, f"write 1 to {LONGEST_NAME} characters in one line")


def ids_once(table: str, ids: Sequence[str], wanted: Sequence[str]) -> Iterator[Fault]:
    """Check that cards are those that must be there, each once."""
    times = Counter(ids)
    wrong = sorted(card_id for card_id, number in times.items() if card_id not in wanted or number > 1)
    missing = [card_id for card_id in wanted if card_id not in times]
    if wrong or missing:
        said = [f"missing {' '.join(missing)}"] * bool(missing) + [f"wrong or twice {' '.join(wrong)}"] * bool(wrong)
        yield Fault((table,), f"{wanted[0]} to {wanted[-1]}, each once: {'; '.join(said)[:200]}")


def _floors(catalog: Catalog) -> Iterator[Fault]:
    if len(catalog.floors) != FLOORS:
        yield Fault(("floors",), f"{len(catalog.floors)} floors: write what each of the five costs")
    for index, floor in enumerate(catalog.floors):
        counts = [count for _, count in floor]
        if sum(counts) < 1 or min(counts) < 0 or max(counts) > CHIPS_A_KIND:
            yield Fault(("floors", index), f"a floor costs something, and at most {CHIPS_A_KIND} of anything")


def _foundation(foundation: Foundation) -> Iterator[Fault]:
    place = ("foundation", "rows")
    widths = {len(row) for row in foundation.rows}
    if len(widths) != 1 or len(foundation.rows) > MOST_ROWS or max(widths, default=0) > MOST_COLUMNS:
        yield Fault(place, f"write up to {MOST_ROWS} rows of one length, up to {MOST_COLUMNS}")
        return
    if set("".join(foundation.rows)) - set("X."):
        yield Fault(place, "write X for a foundation and . for none, nothing else")
    cells = foundation.cells
    if len(cells) < FEWEST_CELLS:
        yield Fault(place, f"{len(cells)} cells are too few: at least {FEWEST_CELLS}")
    for key, pairs, neighbours in (("apart", foundation.apart, True), ("joined", foundation.joined, False)):
        for cell, other in pairs:
            both_there = cell in cells and other in cells
            if not both_there or cell == other or lie_together(cell, other) != neighbours:
                which = "neighbours" if neighbours else "no neighbours"
                yield Fault(("foundation", key), f"{cell} and {other} must be two cells that are {which}")


def _spaces(catalog: Catalog) -> Iterator[Fault]:
    spaces = catalog.spaces
    if not FEWEST_SPACES <= len(spaces) <= MOST_SPACES:
        yield Fault(("space",), f"{len(spaces)} spaces: there are {FEWEST_SPACES} to {MOST_SPACES}")
    if spaces and spaces[0].type != "go":
        yield Fault(("space", 0, "type"), "the first space is go")
    kinds = Counter(space.type for space in spaces)
    for kind in ("go", "jail"):
        if kinds[kind] != 1:
            yield Fault(("space",), f"{kinds[kind]} spaces are {kind}: exactly one is")
    spaces_by_deed = Counter(space.deed for space in spaces if space.type == "deed")
    deed_ids = {deed.id for deed in catalog.deeds} | set(DEED_IDS)
    for which, deeds in (
        ("no space has", deed_ids - set(spaces_by_deed)),
        ("several spaces have", _twice(spaces_by_deed) & deed_ids),
    ):
        if deeds:
            yield Fault(("space",), f"{which} the deed {' '.join(sorted(deeds))}: exactly one has"[:200])
    for number, space in enumerate(spaces):
        if space.type == "deed" and space.deed not in deed_ids:
            yield Fault(("space", number, "deed"), "no such deed: write D01 to D16")


def _twice(counted: Counter[str]) -> set[str]:
    return {counted_id for counted_id, times in counted.items() if times > 1}


def _sets(catalog: Catalog) -> Iterator[Fault]:
    colours = {deed.colour for deed in catalog.deeds}
    listed = {colour for colour, _ in catalog.sets}
    if colours != listed:
        odd = " ".join(sorted(colours ^ listed))[:200]
        yield Fault(("sets",), f"write the points of each colour of the deeds, and of no other: {odd}")
    for colour, worth in catalog.sets:
        if worth < 0:
            yield Fault(("sets", colour), f"{worth} is below 0")


def _deeds(catalog: Catalog) -> Iterator[Fault]:
    yield from ids_once("deed", [deed.id for deed in catalog.deeds], DEED_IDS)
    colours = Counter(deed.colour for deed in catalog.deeds)
    if len(colours) != COLOURS or set(colours.values()) != {OF_A_COLOUR}:
        said = ", ".join(f"{count} {colour}" for colour, count in sorted(colours.items()))
        yield Fault(("deed",), f"eight colours of two deeds each, not {said}"[:200])


def _deed(place: Place, deed: Deed) -> Iterator[Fault]:
    yield from check_name((*place, "name"), deed.name)
    yield from check_name((*place, "colour"), deed.colour)
    for key in ("price", "rent", "set_rent", "mortgage", "unmortgage"):
        amount = getattr(deed, key)
        if amount < UNIT or amount % UNIT:
            yield Fault((*place, key), f"{amount} is no positive multiple of {UNIT}")
    if deed.set_rent < deed.rent:
        yield Fault((*place, "set_rent"), f"{deed.set_rent} is below the rent of {deed.rent}")
    if deed.unmortgage < deed.mortgage:
        yield Fault((*place, "unmortgage"), f"{deed.unmortgage} is below the mortgage of {deed.mortgage}")
    numbers = deed.numbers
    if not numbers or len(set(numbers)) != len(numbers) or any(number not in TOTALS for number in numbers):
        yield Fault((*place, "numbers"), "write different totals of two dice, 2 to 12, at least one")


def _references(catalog: Catalog) -> Iterator[Fault]:
    players = sorted(reference.player for reference in catalog.references)
    kinds = sorted(reference.kind for reference in catalog.references)
    if players != sorted(PLAYERS):
        yield Fault(("reference",), f"one reference card for each of {' '.join(PLAYERS)}")
    if kinds != sorted(KINDS):
        yield Fault(("reference",), f"each kind is somebody's own once: {' '.join(KINDS)}")
    for index, card in enumerate(catalog.references):
        yield from check_name(("reference", index, "token"), card.token)
