"""Men at Work on the stage: what is to be built, what has just happened, what everybody has."""

import pytest

from companion.game_api.drawing import Drawing, Rectangle, TextLine
from companion.game_api.stage import Stage, StageFact
from companion.game_api.ui import SheetRequest, TableView
from companion.games.men_at_work import GAME
from companion.games.men_at_work.drawings.instructions import instruction
from companion.games.men_at_work.drawings.pieces import GIRDERS
from companion.games.men_at_work.rules.catalog import PIECES
from companion.games.men_at_work.ui.stage import MenAtWorkStage
from companion.web.default_ui.ui import DefaultUI
from companion.words import LANGUAGES, Words
from tests.games.men_at_work.building_site import SITE, Site, house_deck, plain_boss

MOST_WORDS = 22


def scene(site: Site, language: str = "en", viewer: str = "banker") -> TableView:
    """See a site as its tablet does."""
    overview = site.table.overview
    assert overview is not None
    shown = site.table.show(viewer)
    return TableView(
        "t",
        shown["version"],
        shown["position"],
        overview,
        tuple(site.table.offers(viewer)),
        site.table.catalog_json(),
        Words(language, GAME),
        tuple(site.table.journal(viewer)),
    )


def stage(site: Site, language: str = "en") -> Stage:
    return MenAtWorkStage().stage(scene(site, language))


def faces(drawn: Drawing | None) -> set[str | None]:
    """Return the colours of a drawing's girders."""
    assert drawn is not None
    tones = {tones.face: colour for colour, tones in GIRDERS.items()}
    return {tones[str(shape.fill)] for shape in drawn.shapes if isinstance(shape, Rectangle) and shape.fill in tones}


def steps(site: Site) -> list[tuple[str, str]]:
    return [(step.label, step.state) for step in stage(site).steps]


def buttons(site: Site) -> dict[str, list[str]]:
    """Return what each offer's buttons are called, by the offer."""
    forms = DefaultUI(GAME).values(scene(site), None)["forms"]
    return {form.command["do"]: [button.says for button in form.buttons or form.picks] for form in forms}


def with_award(site: Site) -> None:
    """Let the first player win an award."""
    site.boss("GOP")
    site.turn("become_highest", "GOP")
    site.do("done", colour="orange", highest=True)


# ------------------------------------------------------------------------------------ what is to be built
def test_the_girder_is_drawn_in_both_colours_that_may_be_used_with_its_place_and_its_words() -> None:
    site = Site("blue", "grey")

    site.turn("become_highest", "GBW")

    shown = stage(site)
    assert (shown.kicker, shown.title) == ("A girder, black or white", "To the top")
    assert shown.text[0].startswith("It becomes the highest")
    assert {"black", "white"} <= faces(shown.picture)
    assert {"black", "white"} <= faces(shown.upright)
    assert shown.now == "place the girder, with one hand"


@pytest.mark.parametrize("language", LANGUAGES)
def test_three_colours_shows_the_two_that_are_not_to_be_placed(language: str) -> None:
    site = Site("blue", "grey")

    site.turn("two_other_colours", "GOW")

    shown = stage(site, language)
    letters = {line.words for line in shown.picture.shapes if isinstance(line, TextLine)} if shown.picture else set()
    assert faces(shown.picture) == {"orange", "white", "purple", "black"}
    assert {Words(language, GAME).say_in("colour", colour)[:1].upper() for colour in ("purple", "black")} <= letters


def test_a_worker_stands_on_either_girder() -> None:
    site = Site("blue", "grey")

    site.turn("one_brick", "HPB")

    shown = stage(site)
    assert shown.kicker == "A worker on purple or black"
    assert faces(shown.picture) == {"purple", "black"}
    assert shown.now == "place the worker, with one hand"


def test_the_head_shows_the_turn_the_boss_and_the_steps() -> None:
    site = Site("blue", "grey", "red")

    assert stage(site).facts == (
        StageFact("Turn", "1"),
        StageFact("Boss in the pile"),
        StageFact("Awards needed", "4"),
    )
    assert steps(site) == [("Turn up a card", "now"), ("Build", "later")]

    site.boss("GOP")
    site.turn("become_highest", "GOP")
    assert StageFact("Boss on duty") in stage(site).facts
    assert steps(site) == [("Turn up a card", "done"), ("Build", "now"), ("Highest piece", "later")]


def test_each_kind_of_piece_has_its_number_in_reserve_and_on_the_site() -> None:
    site = Site("blue", "grey")

    reserve, on_site = stage(site).counts

    assert (reserve.label, on_site.label) == ("Reserve", "Site")
    assert [part.count for part in reserve.counts] == [site.reserve(piece) for piece in PIECES]
    assert [part.count for part in on_site.counts] == [site.on_site(piece) for piece in PIECES]


def test_where_nobody_counts_there_is_nothing_to_count() -> None:
    assert stage(Site("blue", "grey", rules={"counts": False})).counts == ()


# ------------------------------------------------------------------------------------ what has just happened
def test_an_accident_fills_the_stage_and_is_said_by_name_before_what_is_expected() -> None:
    site = Site("blue", "grey")
    site.turn("become_highest", "GOP")

    site.do("accident", colour="orange")

    shown = stage(site)
    assert (shown.tone, shown.title) == ("alarm", "Accident")
    assert shown.text == ("Blue loses a certificate.", "Blue was placing an orange girder.")
    assert shown.lost is not None
    assert (shown.lost.count, shown.lost.most) == (2, 3)
    assert shown.news == (
        "Blue has an accident and loses a certificate. Certificates left: 2. Blue was placing an orange girder."
    )
    assert shown.seats["blue"].state == "hit"
    assert shown.now == "clean up what fell"


def test_an_accident_by_a_tap_alone_is_shown_with_the_question_for_its_colour_and_after_it() -> None:
    site = Site("blue", "grey")
    site.turn("become_highest", "GOP")

    # a tap or a card says no colour
    site.do("accident")

    question = stage(site)
    assert (question.tone, question.title) == ("alarm", "Accident")
    assert question.text == ("Blue loses a certificate.", "Which colour was it: orange or purple?")
    assert question.now == "say which colour it was"

    # the answer leads on, and is no second accident to whoever listens
    site.do("say_colour", colour="purple")

    answered = stage(site)
    assert (answered.tone, answered.title) == ("alarm", "Accident")
    assert answered.text == ("Blue loses a certificate.", "Blue was placing a purple girder.")
    assert answered.seats["blue"].state == "hit"
    assert (answered.news, answered.now) == ("", "clean up what fell")

    site.do("cleaned")
    assert stage(site).tone == ""


def test_an_accident_is_shown_while_the_highest_piece_is_asked_for() -> None:
    site = Site("blue", "grey", rules={"award_after_accident": "asked"})
    site.boss("GOP")
    site.turn("become_highest", "GOP")

    site.do("accident")
    site.do("say_colour", colour="orange")

    shown = stage(site)
    assert (shown.tone, shown.title) == ("alarm", "Accident")
    assert shown.text == ("Blue loses a certificate.", "Is it the highest piece now?")


def test_an_accident_that_is_over_is_not_told_at_a_cleaning_that_a_correction_asks_for() -> None:
    # given an accident with nothing to clean up, and a turn after it
    site = Site("blue", "grey")
    site.turn("become_highest", "GBW")
    site.do("accident", colour="white")
    site.do("correct_turn", player="grey", clean=False, reason="nothing fell")
    site.quiet_turn()

    # when something is to be cleaned up after all
    site.do("correct_turn", player="blue", clean=True, reason="a brick lies there")

    # then nobody was placing that girder
    assert site.phase == "clean"
    assert not any("Blue was placing" in says for says in stage(site).text)


def test_the_colour_of_what_was_built_is_asked_beside_its_picture() -> None:
    site = Site("blue", "grey")
    site.turn("become_highest", "GOP")

    site.do("done")

    shown = stage(site)
    assert (shown.tone, shown.text) == ("", ("Which colour was it: orange or purple?",))


def test_pieces_that_the_instruction_names_are_shown_and_not_said_once_more() -> None:
    site = Site("blue", "grey")
    site.turn("two_beams", "HOP")

    said = DefaultUI(GAME).values(scene(site), None)["moment"]
    assert said.endswith("two beams on his arms.")
    assert stage(site).text[-1] == "From the reserve: 2 beams."


@pytest.mark.parametrize("instruction", [instruction.id for instruction in house_deck().instructions])
def test_what_a_card_asks_is_said_in_about_twenty_words(instruction: str) -> None:
    site = Site("blue", "grey")
    site.turn(instruction, {"girder": "GOW", "worker": "HOP"}[house_deck().instruction(instruction).kind])

    said = DefaultUI(GAME).values(scene(site), None)["moment"]

    assert 8 <= len(said.split()) <= MOST_WORDS


def test_whoever_has_no_certificate_left_is_out_in_words_and_in_their_seat() -> None:
    site = Site("blue", "grey", "red", taken={"players": {"blue": {"certificates": 1}}, "turn": 4})

    site.do("accident")

    shown = stage(site)
    assert shown.text == ("Blue loses a certificate.", "Blue is out of the game.")
    assert (shown.seats["blue"].state, shown.seats["blue"].status) == ("passed", "out")


def test_the_boss_fills_the_stage_and_is_said() -> None:
    site = Site("blue", "grey")

    site.boss()

    shown = stage(site)
    assert (shown.tone, shown.title) == ("joy", "The boss")
    assert shown.news == "The boss is on duty. From now on the highest piece wins an award."


@pytest.mark.parametrize("is_seen", ["at once", "afterwards"])
@pytest.mark.parametrize(
    ("how", "there", "said"),
    [
        ("touch_support", {**SITE, "supports": 0}, "It needs a support; on the site: 0."),
        ("two_bricks", {**SITE, "bricks": 11}, "It takes 2 bricks; in the reserve: 1."),
    ],
    ids=["impossible", "exhausted"],
)
def test_why_the_front_that_stays_after_the_boss_cannot_be_built_is_shown_and_she_is_heard(
    how: str, there: dict[str, int], said: str, is_seen: str
) -> None:
    # given a boss without a back, who lay on top of the pile once an instruction was turned
    site = Site("blue", "grey", catalog=plain_boss(), variants=["foreman"], taken={"site": there, "turn": 4})
    back = {"girder": "GOP", "worker": "HOP"}[house_deck().instruction(how).kind]
    site.turn(how)
    site.boss(back if is_seen == "at once" else None)
    heard = stage(site).news
    if is_seen == "afterwards":
        assert stage(site).title == "The boss"
        site.do("show_back", back=back)

    # then the stage says why it cannot be built, with the figure
    shown = stage(site)
    assert site.phase in ("turn", "supply")
    assert said in " ".join(shown.text)
    assert shown.title != "The boss"
    assert heard.startswith("The boss is on duty.")


def test_the_back_that_is_seen_after_the_boss_does_not_let_her_be_said_again() -> None:
    # given a boss without a back on the pile, who is turned before any back was seen
    site = Site("blue", "grey", catalog=plain_boss())
    site.turn("become_highest")
    site.boss()
    assert stage(site).news.startswith("The boss is on duty.")

    site.do("show_back", back="GOP")

    assert stage(site).news == ""


def test_an_award_is_said_by_name_and_shown_with_those_still_needed() -> None:
    site = Site("blue", "grey")

    with_award(site)

    shown = stage(site)
    assert (shown.tone, shown.text, shown.news) == (
        "joy",
        ("Blue wins a first award. Awards still missing: 4.",),
        "Blue wins a first award. Awards still missing: 4.",
    )
    assert shown.lost is not None
    assert (shown.lost.title, shown.lost.count, shown.lost.most) == ("Awards", 1, 5)
    assert shown.now == "turn up a card"


def test_news_give_way_to_the_next_action() -> None:
    site = Site("blue", "grey")
    with_award(site)

    site.turn("balance", "GBW")

    shown = stage(site)
    assert (shown.tone, shown.news, shown.title) == ("", "", "Balanced")


def test_the_end_stands_as_piles_on_the_seats() -> None:
    site = Site("blue", "grey", taken={"players": {"blue": {"certificates": 1}}, "turn": 4})

    site.do("accident")

    shown = stage(site)
    assert shown.title == "Grey wins"
    assert set(shown.columns) == {"blue", "grey"}
    assert shown.columns["blue"].height == shown.columns["grey"].height
    assert shown.columns["grey"].says == "Certificates: 3, Awards: 0"
    assert (shown.seats["grey"].state, shown.seats["grey"].status) == ("leads", "1st")


# ------------------------------------------------------------------------------------ what everybody has
def test_certificates_and_awards_are_tokens_of_which_the_missing_ones_are_seen() -> None:
    site = Site("blue", "grey", experts=("grey",))

    certificates, awards = stage(site).seats["grey"].tokens

    assert (certificates.count, certificates.most) == (2, 2)
    assert (awards.count, awards.most, awards.missing is not None) == (0, 5, True)


def test_the_hook_is_in_the_seat_of_whoever_acts_and_the_next_one_is_named() -> None:
    shown = stage(Site("blue", "grey", "red"))

    assert {player: seat.tool is not None for player, seat in shown.seats.items()} == {
        "blue": True,
        "grey": False,
        "red": False,
    }
    assert shown.then == "grey"


# ------------------------------------------------------------------------------------ full hands
def test_done_is_one_button_a_colour() -> None:
    site = Site("blue", "grey")

    site.turn("become_highest", "GBW")

    assert buttons(site)["done"] == ["black", "white"]


def test_cards_that_fit_the_back_are_pictures_and_so_is_the_boss() -> None:
    site = Site("blue", "grey")
    site.turn("become_highest", "GBW")
    site.do("done", colour="white")

    picks = buttons(site)["turn_card"]
    cards = site.table.catalog_json()["cards"]

    fitting = {name for name, card in cards.items() if card["back"] == "GBW" and name not in site.position["discard"]}
    assert {pick.partition(" ")[0] for pick in picks[:-1]} == fitting
    assert picks[-1] == "The boss"


def test_where_no_back_was_seen_every_card_left_is_a_picture_on_a_sheet_of_its_own() -> None:
    site = Site("blue", "grey")
    shown, ui = scene(site), DefaultUI(GAME)
    cards = site.table.catalog_json()["cards"]

    # given a form of the page without drawings, which would be much to send with every change
    (form,) = (form for form in ui.values(shown, None)["forms"] if form.command["do"] == "turn_card")
    assert (form.on_sheet, form.is_long, form.picks) == (True, False, ())

    # when its sheet is opened, then a tap on a picture gives the command
    picks = ui.sheet(shown, "offer", SheetRequest({"like": form.like}, "banker", "blue", site.table))["form"].picks
    assert {pick.command["card"] for pick in picks} == {*cards, "BOSS"}
    assert all(pick.drawn.startswith("<svg") for pick in picks)


@pytest.mark.parametrize("how", ["first", "again"])
def test_a_card_of_the_hand_is_a_picture_and_not_ranked_by_what_the_pile_shows(how: str) -> None:
    # given an action, or one that nobody can carry out, so that another card may be turned instead
    site = Site("blue", "grey", variants=("foreman",), rules={"counts": False})
    site.turn("become_highest", "GBW")
    if how == "again":
        site.do("impossible")
        assert "turn_card" in site.position["expects"]
    shown = scene(site)

    # then the cards of the hand are many pictures, which stand on a sheet of their own
    forms = DefaultUI(GAME).values(shown, None)["forms"]
    form = next(form for form in forms if form.command["do"] == "use_foreman_card")
    assert form.is_gallery

    # when its sheet is opened
    sheet = DefaultUI(GAME).sheet(shown, "offer", SheetRequest({"like": form.like}, "banker", "blue", site.table))
    card, on = sheet["form"].fields

    # then every card that was not seen is a picture, in the order of the box, and is asked where to lay it
    unseen = [name for name in shown.catalog["cards"] if name not in site.position["discard"]]
    assert (card.name, on.name) == ("card", "on")
    assert [choice.value for choice in card.choices] == sorted(unseen)
    assert all(choice.drawn.startswith("<svg") for choice in card.choices)
    assert len({choice.drawn for choice in card.choices}) > len(unseen) // 2


def test_backs_are_pictures_the_likeliest_first() -> None:
    site = Site("blue", "grey")
    turned = site.card_for("balance")
    site.do("turn_card", card=turned)

    picks = buttons(site)["show_back"]

    back = site.table.catalog_json()["cards"][turned]["back"]
    assert len(picks) == 12
    assert picks[-1] == Words("en", GAME).say_in("back", back)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_of_the_stage_is_in_every_language(language: str) -> None:
    site = Site("blue", "grey")
    said: list[Stage] = [stage(site, language)]
    site.turn("become_highest", "GOP")
    said.append(stage(site, language))
    site.do("accident", colour="orange")
    said.append(stage(site, language))
    site.do("cleaned")
    with_award(site)
    said.append(stage(site, language))

    sentences = " ".join(" ".join((scene.title, scene.kicker, scene.now, scene.news, *scene.text)) for scene in said)
    assert "{" not in sentences
    if language != "en":
        assert " the " not in sentences


def test_a_card_is_chosen_by_both_of_its_panels() -> None:
    site = Site("blue", "grey")
    site.turn("become_highest", "GOW")
    site.do("done", colour="orange")
    shown = scene(site)

    drawn = MenAtWorkStage().choices(shown, "card", ["I02", "I15"])

    assert set(drawn) == {"I02", "I15"}
    for card, picture in drawn.items():
        panels = [
            instruction(shown.catalog["cards"][card][panel], "any", "", 0, 0, 1) for panel in ("girder", "worker")
        ]
        assert len(picture.shapes) == sum(map(len, panels)) + 1
        assert set(panels[0]) < set(picture.shapes)
