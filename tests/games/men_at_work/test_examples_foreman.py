"""Acceptance examples MW-15, MW-36 to MW-38: variant foreman."""

from tests.games.men_at_work.building_site import SITE, Site

THREE = ("blue", "red", "grey")


def foreman(lying: dict[str, int] | None = None, **rules: str) -> Site:
    site = {"site": {**SITE, **lying}} if lying else {}
    return Site(*THREE, variants=["foreman"], rules=rules, taken=site)


def test_mw_15_hands_of_two_come_out_of_the_pile() -> None:
    site = Site(*THREE, variants=["foreman"])
    assert [site.player(seat)["hand"] for seat in THREE] == [2, 2, 2]
    assert site.position["deck"] == 31


def test_mw_15_on_the_discard_it_is_a_new_how() -> None:
    site = foreman()
    site.turn("near_end", "GOP")
    assert site.action["on_highest"] is False
    card = site.card_for("one_brick")
    site.do("use_foreman_card", card=card, on="discard")
    assert (site.player("blue")["hand"], site.position["discard"][-1], len(site.position["discard"])) == (1, card, 2)
    assert (site.action["card"], site.action["piece"]) == (card, "girder")


def test_mw_15_on_the_pile_it_is_a_new_what() -> None:
    site = foreman()
    site.turn("near_end", "GOP")
    deck = site.position["deck"]
    card, back = next(
        (card_id, card["back"])
        for card_id, card in site.table.catalog_json()["cards"].items()
        if card["back"].startswith("H") and card_id not in site.position["discard"]
    )
    site.do("use_foreman_card", card=card, on="deck")
    assert (site.position["deck"], site.position["back"], site.action["piece"]) == (deck + 1, back, "worker")
    assert site.action["on_highest"] is True


def test_mw_36_an_impossible_action_waits_for_a_card_of_either_kind() -> None:
    site = foreman({"supports": 0})
    site.turn("touch_support", "GOP")
    assert site.position["expects"] == ["turn_card", "use_foreman_card", "accident"]
    helmet = with_back(site, "H")
    site.do("use_foreman_card", card=helmet, on="deck")
    assert site.phase == "place"
    assert site.refuses("use_foreman_card", card=site.card_for("one_brick"), on="discard") == "not_now"


def test_mw_36_where_any_may_be_played_a_second_is_taken() -> None:
    site = foreman({"supports": 0}, foreman_plays="any")
    site.turn("touch_support", "GOP")
    site.do("use_foreman_card", card=with_back(site, "H"), on="deck")
    site.do("use_foreman_card", card=with_back(site, "G"), on="deck")
    assert site.player("blue")["hand"] == 0


def test_mw_37_an_exhausted_action_waits_for_a_card_or_ends() -> None:
    site = foreman({"bricks": 12})
    site.turn("one_brick", "HOP")
    assert (site.phase, site.position["expects"]) == ("supply", ["use_foreman_card", "pass", "accident"])
    site.do("use_foreman_card", card=site.card_for("near_end"), on="discard")
    assert site.phase == "place"


def test_mw_37_who_passes_lets_construction_stop() -> None:
    site = foreman({"bricks": 12})
    site.turn("one_brick", "HOP")
    site.do("pass")
    assert site.position["ended_by"] == "exhausted"


def test_mw_37_without_a_card_it_ends_at_once() -> None:
    site = Site(variants=["foreman"], taken={"site": {**SITE, "bricks": 12}, "players": {"blue": {"hand": 0}}})
    site.turn("one_brick", "HOP")
    assert site.position["ended_by"] == "exhausted"


def test_mw_38_the_next_card_is_the_one_that_was_played() -> None:
    site = foreman()
    site.turn("near_end", "HOP")
    top, other = _two(site)
    site.do("use_foreman_card", card=top, on="deck")
    site.do("done", **colour(site))
    assert site.refuses("turn_card", card=other) == "played_card_on_top"
    site.do("turn_card", card=top)
    assert site.position["discard"][-1] == top


def test_mw_38_a_card_that_was_turned_is_in_no_hand() -> None:
    site = foreman()
    site.turn("near_end", "HOP")
    turned = site.position["discard"][0]
    assert site.refuses("use_foreman_card", card=turned, on="discard") == "seen_before"
    assert site.refuses("use_foreman_card", card="BOSS", on="discard") == "unknown_card"


def test_mw_38_nor_is_one_that_was_turned_before_the_pile_was_shuffled_again() -> None:
    hands = {seat: {"hand": 1} for seat in THREE}
    taken = {"discard": [f"I{card:02d}" for card in range(1, 34)], "boss": {"on_duty": True}, "players": hands}
    site = Site(*THREE, variants=["foreman"], taken=taken)
    assert site.phase == "reshuffle"
    site.do("reshuffle")
    site.do("turn_card", card="I34", back="HOP")
    assert site.phase == "place"
    assert site.refuses("use_foreman_card", card="I05", on="discard") == "seen_before"
    site.do("use_foreman_card", card="I35", on="discard")


def with_back(site: Site, piece: str) -> str:
    """Some card in nobody's sight yet whose back shows a girder or a helmet."""
    cards = site.table.catalog_json()["cards"]
    seen = {event["card"] for entry in site.table.entries for event in entry.events if "card" in event}
    return next(
        str(card_id) for card_id, card in cards.items() if card["back"].startswith(piece) and card_id not in seen
    )


def _two(site: Site) -> tuple[str, str]:
    unseen = [card for card in ("I20", "I21", "I22") if card not in site.position["discard"]]
    return unseen[0], unseen[1]


def colour(site: Site) -> dict[str, str]:
    """The first colour, where one is asked for."""
    colours = site.action["colours"]
    return {"colour": colours[0]} if site.action["piece"] == "girder" else {}
