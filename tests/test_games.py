"""The registry: which games are found, and what keeps one from being played without keeping the others from it."""

import pkgutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from pkgutil import resolve_name
from types import MappingProxyType
from typing import Annotated, Any

import numpy as np
import pytest
from click.testing import CliRunner

from calibration.mat import MatTracker, draw_mat, format_mat
from companion import bootstrap
from companion import games as own
from companion.adapters.catalogs import load_catalog
from companion.adapters.health import examine_installation
from companion.bootstrap import games
from companion.bootstrap.cameras import load_mats
from companion.bootstrap.games import name_faults
from companion.cli.play import play
from companion.config import DataFolder
from companion.game_api.capabilities import AnswerDescription, Capabilities
from companion.game_api.cards import CardKind, Label
from companion.game_api.catalog_parsing import Fault
from companion.game_api.manifest import Lazy, Manifest, Seats
from companion.game_api.messages import Holds, Messages, Person
from companion.service.table.history import HISTORY_EVENTS
from companion.web.default_ui.ui import DefaultUI
from companion.web.game_ui import ui_for
from tests.engine.tiny_game import MANIFEST, MESSAGES, NutCards, NutGame
from tests.engine.tiny_messages import StartGame

OWN = sorted(module.name for module in pkgutil.iter_modules(own.__path__))
"""The games of this package."""
HOUSE = Path(bootstrap.__file__).parents[1] / "games" / "master_builder" / "cards" / "decks" / "house.toml"
"""Some TOML: what stands in it is all the same to nuts."""


class Cards(NutCards):
    bundled = MappingProxyType({"house": HOUSE})


class CardsThatRaise(Cards):
    def labels(self, catalog: Any) -> list[Label]:
        raise LookupError(catalog["name"])


class NoFile(Cards):
    bundled = MappingProxyType({"house": Path("nowhere.toml")})


class Faulty(Cards):
    def parse(self, data: Mapping[str, object]) -> tuple[Any, Sequence[Fault]]:
        return data, [Fault(("nut", 0, "price"), "missing: write price = 5")]


def broken_rules(catalogs: Mapping[str, Any]) -> NutGame:
    raise KeyError(*catalogs)


NUTS = replace(MANIFEST, seats=Seats(("red", "blue"), 2, 2), cards=Cards)


def with_shape(shape: Any) -> Manifest:
    """Nuts whose forecasts are described as of this type."""
    described = AnswerDescription(summary="What nuts will come to.", meaning="The nuts.", shape=shape)
    return replace(NUTS, capabilities=lambda: Capabilities(descriptions={"forecast": described}))


Offered = Callable[[Any], None]


class Undo:
    """A command with a name of the house's own."""


class EntryAmended:
    """An event with a name of the house's own."""


@pytest.fixture
def offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Offered:
    """Install a distribution whose entry point gives what a test says."""

    def offer(what: Any) -> None:
        about = tmp_path / "nuts_elsewhere-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: nuts-elsewhere\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text("[companion.games]\nelsewhere = nuts_elsewhere:GAME\n")
        if isinstance(what, str):
            (tmp_path / "nuts_elsewhere.py").write_text(what)
        else:
            module = type(sys)("nuts_elsewhere")
            module.__dict__["GAME"] = what
            monkeypatch.setitem(sys.modules, "nuts_elsewhere", module)
        monkeypatch.syspath_prepend(str(tmp_path))

    return offer


def test_a_game_from_elsewhere_is_found_after_those_of_the_house(offered: Offered) -> None:
    offered(NUTS)
    result = games.find_games()

    assert list(result.manifests) == [*OWN, "nuts"]
    assert dict(result.broken) == {}
    assert result.manifest().name == "master_builder"
    assert result.manifest("nuts") is NUTS


@pytest.mark.parametrize(
    ("written", "why"),
    [
        (
            "from companion.gamekit.manifest import Manifest",
            "it was written for version 1 of the plug-in API; this companion has version 2",
        ),
        ("import nothing_of_this_name", "ModuleNotFoundError: No module named 'nothing_of_this_name'"),
        ("GAME = 1 / 0", "ZeroDivisionError: division by zero"),
        ("GAME = 'nuts'", "its entry point gives str, not a Manifest"),
        ("OTHER = 1", "AttributeError: module 'nuts_elsewhere' has no attribute 'GAME'"),
    ],
)
def test_a_game_that_cannot_be_loaded_is_named_and_the_others_run(offered: Offered, written: str, why: str) -> None:
    sys.modules.pop("nuts_elsewhere", None)
    offered(written)
    result = games.find_games()

    assert list(result.manifests) == OWN
    assert dict(result.broken) == {"elsewhere": why}


@pytest.mark.parametrize("name", OWN)
def test_every_part_that_a_game_names_is_there(name: str) -> None:
    manifest = games.find_games().manifest(name)
    parts = [getattr(manifest, field.name) for field in fields(Manifest)]

    for part in (part for part in parts if isinstance(part, Lazy)):
        assert resolve_name(part.name) is not None


@pytest.mark.parametrize("name", OWN)
def test_every_name_by_which_a_game_of_the_house_refers_to_its_own_parts_is_there(name: str) -> None:
    manifest = games.find_games().manifest(name)
    cards = manifest.cards()

    for file in cards.bundled.values():
        deck = load_catalog(file, cards)
        assert list(name_faults(manifest, deck, games.RESERVED_VERBS, HISTORY_EVENTS)) == []


def with_messages(commands: tuple[type, ...], events: tuple[type, ...] = MESSAGES.events) -> Manifest:
    return replace(NUTS, messages=lambda: Messages(commands, events))


def with_names(**names: Any) -> Manifest:
    """Nuts whose messages name these events."""
    return replace(NUTS, messages=lambda: replace(MESSAGES, **names))


def with_words(tmp_path: Path, *entries: str) -> Manifest:
    """Nuts with these sentences."""
    (tmp_path / "en.po").write_text("\n\n".join(['msgid ""\nmsgstr "Language: en\\n"', *entries]) + "\n")
    return replace(NUTS, words=tmp_path)


@dataclass(frozen=True, slots=True)
class BuyNut:
    """A command with a card of a table that the catalog does not have."""

    player: Person
    nut: Annotated[str, Holds("card", "nutts")]


class MisspeltRules(NutGame):
    """Rules that say under another name what is secret."""

    secret_of = None  # type: ignore[assignment]

    def secrets_of(self, event: Any) -> str | None:
        return str(event.player)


def misspelt_rules(catalogs: Mapping[str, Any]) -> Any:
    del catalogs
    return MisspeltRules()


class NoCards(NutCards):
    bundled = MappingProxyType({})


@pytest.mark.parametrize(
    ("manifest", "why"),
    [
        (
            replace(NUTS, api_version=99),
            "it was written for version 99 of the plug-in API; this companion has",
        ),
        (replace(NUTS, name="Nuts!"), "its name 'Nuts!' must be small letters, digits and underscores"),
        (replace(NUTS, name="master_builder"), "another game is called master_builder too"),
        (replace(NUTS, label_code="nu"), "its label code 'nu' must be two capital letters"),
        (replace(NUTS, label_code="MB"), "its label code MB is that of master_builder"),
        (replace(NUTS, kinds=(CardKind("nut", "X[0-9]+"),)), "its nut cards look like the command card X01"),
        (replace(NUTS, seats=Seats(("red", "puce"), 2, 2)), "there is no badge for its seat puce: red, blue"),
        (replace(NUTS, beginnings=("begin",)), "it has no command begin to begin a table with"),
        (replace(NUTS, rules=broken_rules), "KeyError: 'house'"),
        (replace(NUTS, cards=CardsThatRaise), "LookupError: House deck"),
        (replace(NUTS, cards=NoFile), "CatalogError: nowhere.toml"),
        (replace(NUTS, cards=Faulty), f"CatalogError: {HOUSE}:1: "),
        (replace(NUTS, cards=NoCards), "it brings no catalog to play with"),
        (with_messages((StartGame, Undo)), "its command undo is one of the house's own"),
        (with_messages((StartGame,), (EntryAmended,)), "its event EntryAmended is one of the house's own"),
        (with_names(secret=frozenset({"BidRaise"})), "its messages name 'BidRaise' under secret, which is no event"),
        (
            with_names(secret=frozenset({"BidRaised"}), revealing=frozenset({"NutSolt"})),
            "its messages name 'NutSolt' under revealing, which is no event of it",
        ),
        (with_names(quiet=frozenset({"NutSolt"})), "its messages name 'NutSolt' under quiet, which is no event of it"),
        (
            with_names(secret=frozenset({"BidRaised"}), revealed_by={"BidRaised": frozenset({"NutSolt"})}),
            "its messages name 'NutSolt' under revealed_by, which is no event of it",
        ),
        (
            with_names(banker_sees=frozenset({"BidRaised"})),
            "its messages name 'BidRaised' under banker_sees, which is no secret event of it",
        ),
        (replace(NUTS, rules=misspelt_rules), "its rules have no function secret_of"),
        (
            replace(NUTS, kinds=(CardKind("nut", "N[0-9]", "nuts"),)),
            "no card of its catalog is of the kind nut (N[0-9])",
        ),
        (
            replace(NUTS, kinds=(CardKind("nut", "[a-z]+", "nutts"),)),
            "its kind nut names the table 'nutts', which its catalog does not have",
        ),
        (with_shape(list[int]), "the shape of its forecast is no JSON object"),
        (with_shape(object()), "PydanticSchemaGenerationError: Unable to generate pydantic-core schema"),
        (with_messages((StartGame, BuyNut)), "BuyNut.nut holds cards of 'nutts', which its catalog does not have"),
    ],
)
def test_a_game_that_does_not_fit_into_the_house_is_told_why(offered: Offered, manifest: Manifest, why: str) -> None:
    offered(manifest)
    result = games.find_games()

    assert list(result.manifests) == OWN
    assert result.broken["elsewhere"].startswith(why)


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (
            'msgctxt "event"\nmsgid "NutSolt"\nmsgstr "{player} gets a nut"',
            "en.po has a sentence for the event 'NutSolt', which it does not have",
        ),
        (
            'msgctxt "event"\nmsgid "BidRaised.high"\nmsgstr "{player} bids "\n"{amoumt}"',
            "en.po: the sentence for 'BidRaised.high' has {amoumt}, which is no field of it",
        ),
        (
            'msgctxt "question"\nmsgid "bit"\nmsgstr "{player} asks"',
            "en.po has a sentence for the command 'bit', which it does not have",
        ),
        ('msgctxt "command"\nmsgid "bit"\nmsgstr "Bid"', "en.po names the command 'bit', which it does not have"),
        (
            'msgctxt "command card"\nmsgid "X66"\nmsgstr "Done"',
            "en.po names the command card 'X66', which it does not have",
        ),
    ],
)
def test_a_sentence_that_nothing_of_a_game_says_is_a_fault(
    offered: Offered, tmp_path: Path, entry: str, why: str
) -> None:
    plural = 'msgid "{count} nut"\nmsgid_plural "{count} nuts"\nmsgstr[0] "{count} nut"\nmsgstr[1] "{count} nuts"'
    offered(with_words(tmp_path, plural, entry, 'msgctxt "event"\nmsgid "NutSold"\nmsgstr "{player}"'))

    assert games.find_games().broken == {"elsewhere": why}


def test_a_misspelt_secret_is_named_by_doctor_and_by_play(offered: Offered, tmp_path: Path) -> None:
    # given a game whose secret bids are misspelt, so that everybody would see them
    offered(with_names(secret=frozenset({"BidRaise"})))

    # when it is examined and played
    installed = games.find_games()
    playable = bootstrap.load_games(installed, tmp_path)
    report = examine_installation(DataFolder(tmp_path), playable, installed.broken, None)
    file = tmp_path / "game.jsonl"
    file.write_text('{"do": "start_game", "game": "elsewhere", "players": []}\n')
    played = CliRunner().invoke(play, [str(file)])

    # then both say why it cannot be
    why = "its messages name 'BidRaise' under secret, which is no event of it"
    assert [finding.message for finding in report if finding.name == "game elsewhere"] == [why]
    assert (played.exit_code, played.stdout) == (1, "")
    assert f"the game elsewhere could not be loaded: {why}" in played.output


def test_a_mat_with_the_markers_of_another_is_recognised_in_its_place_and_named(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    # given a mat of one's own that was copied from another, and has kept its markers
    house = load_mats(games=games.find_games())
    copied = replace(house["a3"], name="copied_a3", title="Mine")
    (tmp_path / "mine.toml").write_text(format_mat(copied), "utf-8")

    # when a picture of it is examined
    mats = load_mats(tmp_path)
    seen = MatTracker(list(mats.values())).observe(0, np.pad(draw_mat(copied, 3.0), 40, constant_values=90))

    # then it is that one, and a line says which markers it shares with which mat
    assert seen is not None
    assert seen.mat.name == "copied_a3"
    assert mats.keys() == {"copied_a3", *house}
    assert "the mats copied_a3 and a3 have the same markers (68, 69, 70, 71)" in caplog.text


def test_a_game_whose_pages_and_mats_cannot_be_used_is_played_without_them_and_named(
    offered: Offered, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def no_face() -> Any:
        raise ImportError("its pages want a package that is not here")

    # given a game that brings a torn mat, and pages that cannot be loaded
    (tmp_path / "mats").mkdir()
    (tmp_path / "mats" / "a9.toml").write_text("name = ")
    manifest = replace(NUTS, ui=no_face, mats=tmp_path / "mats")
    offered(manifest)
    result = games.find_games()
    assert list(result.manifests) == [*OWN, "nuts"]

    # when its pages are asked for, then they are those of the default UI; the mats of the others are known
    assert isinstance(ui_for(manifest), DefaultUI)
    assert {"a2", "a3", "table"} <= load_mats(games=result).keys()
    assert "pages of nuts cannot be loaded" in caplog.text
    assert "a9.toml" in caplog.text

    # and then doctor names both
    folder = DataFolder(tmp_path / "data")
    loaded = bootstrap.load_games(result, folder.catalogs)
    named = {item.name: item for item in examine_installation(folder, loaded, result.broken)}
    assert named["pages of nuts"].message == "ImportError: its pages want a package that is not here"
    assert "a9.toml" in named["mats of nuts"].message
    assert not named["mats of nuts"].needed
    assert "mats of master_builder" not in named
