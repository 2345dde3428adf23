"""The guide shows pictures that there are, and names buttons as the screens do."""

import re
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest
from PIL import Image

from companion.words import Words
from tests.guide import intent, other_games, printed, readme, scenes
from tests.guide.camera_man import PICTURES
from tests.guide.make import MOST_IN_ALL, most_bytes
from tests.opened import installed_games
from tests.words.spoken_sentences import of_game, of_house

GUIDE = PICTURES.parent
PAGES = sorted(GUIDE.glob("*.md"))
BOLD = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
GAMES = ("master_builder", "men_at_work", "monopoly_builder")
PICTURE = re.compile(r"!\[([^\]]*)\]\((?:docs/guide/)?pictures/(\w+)\.png\)")
README = GUIDE.parents[1] / "README.md"


@cache
def shown() -> dict[str, str]:
    """Every picture that the guide and the README show, with its text alternative."""
    return {name: said for page in (README, *PAGES) for said, name in PICTURE.findall(page.read_text(encoding="utf-8"))}


def on_screens(page: Path) -> set[str]:
    """All that screens say, in the language of a page of the guide."""
    said = of_house().union(*(of_game(name) for name in installed_games().manifests if name in GAMES))
    suffix = page.name.split(".")[1]
    language = "en" if suffix == "md" else suffix
    games = [installed_games().manifest(name) for name in GAMES]
    return {str(Words(language, game).template(sentence)) for sentence in said for game in games}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_button_that_the_guide_names_is_on_a_screen(page: Path) -> None:
    named = {" ".join(bold.split()) for bold in BOLD.findall(page.read_text(encoding="utf-8"))}

    assert sorted(named - on_screens(page)) == []


def test_the_pictures_are_those_that_the_guide_shows() -> None:
    assert {path.stem for path in PICTURES.glob("*")} == set(shown()), "python -m tests.guide.make"
    assert all(shown().values()), "who cannot see a picture is told what it shows"


def test_every_picture_can_be_taken_again() -> None:
    source = "".join(
        Path(str(module.__file__)).read_text(encoding="utf-8") for module in (scenes, other_games, printed, readme)
    )
    assert [
        name for name in shown() if f'"{name.removesuffix("_phone") if name.startswith(GAMES) else name}"' not in source
    ] == []


def test_pictures_are_small_and_whole() -> None:
    sizes = {path.stem: path.stat().st_size for path in PICTURES.glob("*.png")}

    assert [name for name, size in sizes.items() if size > most_bytes(name)] == []
    assert sum(sizes.values()) <= MOST_IN_ALL
    for name in sizes:
        with Image.open(PICTURES / f"{name}.png") as picture:
            assert picture.mode == "P", name
            picture.load()


def test_the_index_leads_to_every_page() -> None:
    index = (GUIDE / "README.md").read_text(encoding="utf-8")
    assert [page.name for page in PAGES if page.name != "README.md" and f"({page.name})" not in index] == []


def test_each_picture_of_intent_has_what_is_meant_to_differ() -> None:
    names = {each.name for each in (intent.LOBBY, *intent.INTENTS)}
    general = {"display-*", "phone-*"}

    unexplained = [
        name for name in names if not any(fnmatch(name, said) for said in intent.DIFFERENCES if said not in general)
    ]

    assert unexplained == []
    assert all(any(fnmatch(name, said) for name in names) for said in intent.DIFFERENCES)
