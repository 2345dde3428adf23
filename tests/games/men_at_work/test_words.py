"""Sentences of Men at Work that field types alone do not give."""

from companion.games.men_at_work import GAME
from companion.words import Words
from tests.games.men_at_work.building_site import Site


def test_pieces_are_told_by_their_number() -> None:
    site = Site()
    site.turn("two_bricks", "HOP")
    event = site.do("done")[0]
    assert Words("en", GAME).event(event, site.table.names()) == "Blue places a worker and 2 bricks"
    assert Words("de", GAME).event(event, site.table.names()) == "Blue setzt einen Arbeiter und 2 Ziegel"


def test_a_card_is_told_by_its_panels_and_a_back_by_what_it_shows() -> None:
    site = Site()
    catalog = site.table.catalog_json()
    words = Words("en", GAME)
    panels = catalog["cards"]["I01"]
    names = [catalog["instructions"][panels[side]]["name"] for side in ("girder", "worker")]
    assert words.card("I01", catalog) == f"I01 ({names[0]} / {names[1]})"
    assert words.card("BOSS", catalog) == "The boss"
    assert words.card("HBW", catalog) == "a worker on black or white"
