"""Checks of a catalog of Men at Work; every fault has its place in the file."""

from collections import Counter
from collections.abc import Iterator

from companion.engine.readable import is_readable
from companion.game_api.catalog_parsing import Fault
from companion.games.men_at_work.rules.catalog import BOSS, COLOURS, INSTRUCTIONS, KINDS, Catalog, Instruction, Kind
from companion.games.men_at_work.rules.state import FEWEST

LONGEST_NAME = 60
LONGEST_TEXT = 400
FEWEST_PIECES: dict[str, int] = {
    "orange": 2,
    "purple": 2,
    "black": 2,
    "white": 2,
    "workers": 2,
    "supports": 4,
    "beams": 1,
    "bricks": 1,
    "certificates": 15,
}
"""Less than this and the set-up, or five players, cannot be supplied."""
MOST_USED = 3
CARD_IDS = tuple(f"I{number:02d}" for number in range(1, INSTRUCTIONS + 1))


def catalog_faults(catalog: Catalog) -> Iterator[Fault]:
    """Find everything that is wrong with a catalog whose fields could be read."""
    yield from _length(("name",), catalog.name, LONGEST_NAME)
    yield from _box(catalog)
    yield from _boss(catalog)
    for index, instruction in enumerate(catalog.instructions):
        yield from _instruction(index, instruction)
    yield from _instructions(catalog)
    yield from _cards(catalog)


def _box(catalog: Catalog) -> Iterator[Fault]:
    box = catalog.box
    for name, least in FEWEST_PIECES.items():
        cards = getattr(box, name)
        if cards < least:
            place = ("box", "girders", name) if name in COLOURS else ("box", name)
            yield Fault(place, f"{cards} are too few: the game wants at least {least}")
    for players, needed in enumerate(box.awards_needed, FEWEST):
        wanted = ("box", "awards_needed", str(players))
        if needed < 1:
            yield Fault(wanted, f"{needed} is below 1: say how many awards win")
        elif (needed - 1) * players + 1 > box.awards:
            most = (needed - 1) * players + 1
            yield Fault(wanted, f"{needed} with {players} players may take {most} awards: there are {box.awards}")


def _boss(catalog: Catalog) -> Iterator[Fault]:
    boss = catalog.boss
    if boss.id != BOSS:
        yield Fault(("boss", "id"), f'write id = "{BOSS}"')
    yield from _length(("boss", "name"), boss.name, LONGEST_NAME)
    for language, name in boss.names:
        yield from _length(("boss", "names", language), name, LONGEST_NAME)


def _instruction(index: int, instruction: Instruction) -> Iterator[Fault]:
    place = ("instruction", index)
    yield from _length((*place, "id"), instruction.id, LONGEST_NAME)
    yield from _length((*place, "name"), instruction.name, LONGEST_NAME)
    yield from _length((*place, "text"), instruction.text, LONGEST_TEXT)
    for key, words, most in (("names", instruction.names, LONGEST_NAME), ("texts", instruction.texts, LONGEST_TEXT)):
        for language, said in words:
            yield from _length((*place, key, language), said, most)
    for piece, count in instruction.uses:
        if not 1 <= count <= MOST_USED:
            yield Fault((*place, "uses", piece), f"{count} is none of 1 to {MOST_USED}")


def _instructions(catalog: Catalog) -> Iterator[Fault]:
    if not catalog.instructions:
        yield Fault(("instruction",), "no instruction: write an [[instruction]] for each drawing on the cards")
    seen: set[str] = set()
    for index, instruction in enumerate(catalog.instructions):
        if instruction.id in seen:
            yield Fault(("instruction", index, "id"), f"{instruction.id} is there twice: give each its own id")
        seen.add(instruction.id)


def _cards(catalog: Catalog) -> Iterator[Fault]:
    counts = Counter(card.id for card in catalog.cards)
    missing = [card for card in CARD_IDS if card not in counts]
    if missing:
        yield Fault(("card",), f"missing: {' '.join(missing)} ({len(catalog.cards)} cards; I01 to I36, each once)")
    kinds: dict[str, Kind] = {instruction.id: instruction.kind for instruction in catalog.instructions}
    for index, card in enumerate(catalog.cards):
        place = ("card", index)
        if card.id not in CARD_IDS:
            yield Fault((*place, "id"), "no card of this game: cards are I01 to I36")
        elif counts[card.id] > 1:
            yield Fault((*place, "id"), f"{card.id} is there {counts[card.id]} times: each card once")
        for kind, named in zip(KINDS, (card.girder, card.worker), strict=True):
            if named not in kinds:
                yield Fault((*place, kind), "no such instruction: name the id of one of this file")
            elif kinds[named] != kind:
                yield Fault((*place, kind), f"{named} is for a {kinds[named]}: name one for a {kind}")


def _length(place: tuple[str | int, ...], words: str, most: int) -> Iterator[Fault]:
    if len(words) > most or not is_readable(words.replace("\u202f", " ")):
        yield Fault(place, f"write 1 to {most} characters in one line")
