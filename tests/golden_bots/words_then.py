"""English as it was when the kept games were played: their sentences and sums were made of it."""

import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path

from babel.messages.pofile import read_po, write_po

from companion.game_api.manifest import Manifest
from companion.words import Words

KEPT = Path(__file__).resolve().parents[1] / "games"
LANGUAGE = "en"
FIELDS_BY_ID = ("bank", "blocks", "deck", "doubles", "money_in_play", "sites", "tray", "unsold")
"""Fields of a position that refusals named by their ids."""
CHANGED_SENTENCES = {
    "men_at_work": (("refused", "awards_cannot_be", "{player} can have 0 to {most} awards."),),
    "monopoly_builder": (
        ("moment", "penthouse cost", "floor {floor} costs {chips}"),
        ("event", "ClaimsLapsed", "Rents not claimed in time are lost: {payers}"),
        ("refused", "position_faulty", "This position cannot be: {faults}."),
        ("refused", "no_such_height.most", "A height is 0 to 4, not {height}."),
        ("refused", "cannot_pay.free", "{player} cannot pay {amount}."),
        ("refused", "cannot_pay.bid", "{player} cannot pay {amount}."),
        *(("field", field, field) for field in FIELDS_BY_ID),
    ),
}
"""Sentences, by context and name, as they were until they were changed: ``golden/en.po`` lacks them."""
LATER_SENTENCES = {
    "men_at_work": (
        ("event", "CardCorrected.discard", "CardCorrected"),
        ("event", "TurnCorrected.clean", "TurnCorrected"),
    ),
    "monopoly_builder": (
        ("moment", "act in jail", "act"),
        ("moment", "act by trades", "act"),
        ("event", "Freed.paid", "Freed.fee"),
    ),
}
"""Sentences, by context, in place of which another one was said when these games were kept."""


@cache
def words_then(manifest: Manifest) -> Words:
    """Return a game's English words with the sentences that ``golden/en.po`` keeps instead of today's."""
    assert manifest.words is not None
    file = f"{LANGUAGE}.po"
    with (manifest.words / file).open("rb") as today, (KEPT / manifest.name / "golden" / file).open("rb") as kept:
        catalog, then = read_po(today, locale=LANGUAGE), read_po(kept, locale=LANGUAGE)
    for message in then:
        if message.id:
            catalog.delete(message.id, message.context)
            catalog.add(message.id, message.string, context=message.context)
    for context, name, said in CHANGED_SENTENCES.get(manifest.name, ()):
        catalog.delete(name, context)
        catalog.add(name, said, context=context)
    for context, later, earlier in LATER_SENTENCES.get(manifest.name, ()):
        then_said = then.get(earlier, context)
        assert then_said is not None
        catalog.delete(later, context)
        catalog.add(later, then_said.string, context=context)
    with tempfile.TemporaryDirectory() as folder:
        with (Path(folder) / file).open("wb") as merged:
            write_po(merged, catalog)
        return Words(LANGUAGE, replace(manifest, words=Path(folder)))
