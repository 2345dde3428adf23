"""MW-54: what a catalog of Men at Work must be, every fault with its place."""

import copy
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.adapters.catalogs import load_catalog
from companion.game_api.catalog_parsing import CatalogError
from companion.games.men_at_work.rules.catalog import BACKS
from tests.games.kept_faults import fault_lines, kept, name_of, named
from tests.games.men_at_work.building_site import CARDS, house_deck

Data = dict[str, Any]


def data() -> Data:
    return copy.deepcopy(tomllib.loads(CARDS.bundled["house"].read_text(encoding="utf-8")))


def faults(change: Callable[[Data], None]) -> list[tuple[str, str]]:
    """The places and words of all faults of the bundled deck after a change."""
    changed = data()
    change(changed)
    _, all_faults = CARDS.parse(changed)
    return [(CARDS.spoken(fault.place, changed), fault.words) for fault in all_faults]


def test_the_bundled_deck_is_sound_invented_and_evenly_mixed() -> None:
    deck = house_deck()
    assert deck.invented
    assert Counter(card.back for card in deck.cards) == dict.fromkeys(BACKS, 3)
    assert set(Counter(card.girder for card in deck.cards).values()) == {3}
    assert set(Counter(card.worker for card in deck.cards).values()) == {4}
    assert len({(card.girder, card.worker) for card in deck.cards}) == 36


def test_every_instruction_says_in_three_languages_what_to_do() -> None:
    for instruction in house_deck().instructions:
        assert set(dict(instruction.names)) == set(dict(instruction.texts)) == {"fr", "de"}, instruction.id


def test_a_card_has_a_label_on_either_side_and_backs_are_alike() -> None:
    labels = list(CARDS.labels(house_deck()))
    backs = [label for label in labels if label.side == "back"]
    assert len(labels) == 74
    assert {label.code for label in backs} == set(BACKS)


def _set(*keys: Any, to: Any) -> Callable[[Data], None]:
    def change(data: Data) -> None:
        inner: Any = data
        for key in keys[:-1]:
            inner = inner[key]
        inner[keys[-1]] = to

    return change


DAMAGES = [
    pytest.param(lambda data: data["card"].pop(), "card", id="mw-54 35 cards"),
    pytest.param(_set("card", 0, "back", to="GPO"), "card I01, back", id="mw-54 back GPO"),
    pytest.param(_set("card", 0, "back", to="none"), "card I01, back", id="mw-54 only the boss is plain"),
    pytest.param(_set("card", 2, "girder", to="two_bricks"), "card I03, girder", id="mw-54 a worker's instruction"),
    pytest.param(_set("card", 2, "worker", to="flying"), "card I03, worker", id="unknown instruction"),
    pytest.param(_set("card", 2, "id", to="I01"), "card", id="card twice"),
    pytest.param(_set("card", 2, "id", to="J01"), "card", id="no card"),
    pytest.param(_set("box", "awards_needed", "4", to=5), "box, awards_needed.4", id="mw-54 17 awards of 13"),
    pytest.param(_set("box", "awards_needed", "2", to=0), "box, awards_needed.2", id="no award wins"),
    pytest.param(_set("box", "girders", "white", to=1), "box, girders.white", id="girders"),
    pytest.param(_set("box", "certificates", to=14), "box, certificates", id="certificates"),
    pytest.param(_set("box", "supports", to=True), "box, supports", id="true is no number"),
    pytest.param(_set("boss", "id", to="RITA"), "boss, id", id="boss"),
    pytest.param(_set("boss", "back", to="plain"), "boss, back", id="back of the boss"),
    pytest.param(_set("instruction", 0, "needs", to=["wind"]), "instruction balance, needs.1", id="needs"),
    pytest.param(_set("instruction", 4, "uses", to={"workers": 4}), "instruction with_worker, uses.workers", id="4"),
    pytest.param(_set("instruction", 4, "uses", to={"cranes": 1}), "instruction with_worker, uses.cranes", id="uses"),
    pytest.param(_set("instruction", 0, "for", to="crane"), "instruction balance, for", id="for"),
    pytest.param(_set("instruction", 1, "id", to="balance"), "instruction balance, id", id="instruction twice"),
    pytest.param(_set("instruction", to=[]), "instruction", id="no instruction"),
    pytest.param(_set("game", to="master_builder"), "game", id="other game"),
    pytest.param(_set("wind", to=1), "wind", id="unknown key"),
    pytest.param(_set("name", to=""), "name", id="no name"),
    pytest.param(_set("box", "girders", to=7), "box, girders", id="girders in one number"),
    pytest.param(_set("box", "girders", "white", to="many"), "box, girders.white", id="girders in words"),
    pytest.param(_set("box", "girders", "pink", to=3), "box, girders.pink", id="a colour that is none"),
    pytest.param(_set("box", "awards_needed", to={"2": 5}), "box, awards_needed", id="awards for two alone"),
    pytest.param(_set("boss", "name", to=" "), "boss, name", id="a boss without a name"),
    pytest.param(_set("boss", "names", to={"de": ""}), "boss, names.de", id="a boss without a name in German"),
    pytest.param(_set("instruction", 0, "id", to=""), "instruction no. 1, id", id="an instruction without an id"),
    pytest.param(_set("instruction", 0, "name", to="n" * 61), "instruction balance, name", id="a long name"),
    pytest.param(_set("instruction", 0, "text", to="t" * 401), "instruction balance, text", id="a long text"),
    pytest.param(_set("instruction", 0, "names", to={"fr": ""}), "instruction balance, names.fr", id="no French name"),
    pytest.param(_set("instruction", 0, "texts", to={"fr": ""}), "instruction balance, texts.fr", id="no French text"),
    pytest.param(
        _set("instruction", 0, "uses", to={"workers": 0}), "instruction balance, uses.workers", id="none used"
    ),
    pytest.param(lambda data: data["card"][0].pop("back"), "card I01, back", id="no back"),
]


@pytest.mark.parametrize(("change", "place"), DAMAGES)
def test_a_fault_is_told_with_its_place(change: Callable[[Data], None], place: str) -> None:
    box_faults = faults(change)
    assert box_faults
    assert any(fault_place.startswith(place) for fault_place, _ in box_faults), box_faults


@pytest.mark.parametrize("name", [name_of(damage) for damage in DAMAGES])
def test_every_fault_is_told_in_the_words_that_are_kept(name: str) -> None:
    assert fault_lines(CARDS, named(DAMAGES, name)) == kept("men_at_work")[name]


def test_mw_54_a_faulty_file_is_told_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "box.toml"
    text = CARDS.bundled["house"].read_text(encoding="utf-8")
    file.write_text(text.replace("4 = 4, 5 = 3", "4 = 5, 5 = 3"), encoding="utf-8")
    with pytest.raises(CatalogError) as error:
        load_catalog(file, CARDS)
    assert "awards_needed.4" in str(error.value)
