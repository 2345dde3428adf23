"""A whole box is taught without a mouse, in one go and in two sittings on two devices, and played with."""

from collections import Counter
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.conftest import TABLET, serving
from tests.browser.screens import PHONE, Troubles
from tests.browser.taught_by_hand import Hands, device
from tests.card_faces import card_faces, on_a_cloth
from tests.extent import of_all
from tests.pages import run_axe
from tests.service.taught import printed

SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
Sittings: TypeAlias = tuple[tuple[dict[str, int], str, int], ...]
MOST_TAPS = {"W": 3.0, "Y": 3.0, "C": 14.0, "E": 6.0}
"""On the average of the House deck's cards of a kind; typed words are not counted."""


TABLET_ALONE, TABLET_AND_PHONE = ((TABLET, "en-GB", 79),), ((TABLET, "en-GB", 45), (PHONE, "de-DE", 79))
BY_HAND = 8
"""Of so many cards one is taught by hand each time, the others through the service."""
A_SAMPLE = ((TABLET, "en-GB", 10),)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sittings", "step"),
    [
        pytest.param(A_SAMPLE, BY_HAND, id="a sample", marks=pytest.mark.nightly),
        pytest.param(TABLET_ALONE, 1, id="in one go", marks=pytest.mark.nightly),
        pytest.param(TABLET_AND_PHONE, 1, id="in two sittings", marks=pytest.mark.nightly),
    ],
)
def test_a_box_is_taught_and_played_with(browser: Browser, tmp_path: Path, sittings: Sittings, step: int) -> None:
    troubles, printed_cards = Troubles(), printed("master_builder")
    cards = list(printed_cards.items())[::step]
    taps: Counter[str] = Counter()
    taught = 0
    with serving(tmp_path / "data", "none") as running:
        # given a box of which each device teaches a part
        with device(browser, running.address, TABLET, troubles, "en-GB") as page:
            page.goto("/boxes")
            page.locator("[name=name]").fill("Our own box")
            page.locator("[name=name]").press("Enter")
            page.wait_for_url("**/boxes/our-own-box")
        boxes = running.services.boxes
        assert boxes is not None
        others = [card for card in printed_cards if card not in dict(cards)]
        for card in others:
            boxes.teach("our-own-box", card, printed_cards[card])
        for size, language, until in sittings:
            with device(browser, running.address, size, troubles, language) as page:
                page.goto("/boxes")
                page.locator(".box-line .filled").focus()
                page.keyboard.press("Enter")
                page.wait_for_url("**/boxes/our-own-box")
                hands = Hands(page)
                for card, values in cards[taught:until]:
                    assert page.evaluate(SIDEWAYS) <= 0
                    hands.teach(card, values)
                # the last card shows itself again once it is kept, so that only the count says that it is
                expect(page.locator("#teach progress")).to_have_attribute("value", str(len(others) + until))
                taps += hands.taps
                taught = until

        # when one entry is wrong
        size, language, _ = sittings[-1]
        with device(browser, running.address, size, troubles, language) as page:
            page.goto("/boxes/our-own-box?card=W01")
            expect(page.locator("#teach progress")).to_have_attribute("value", "79")
            hands = Hands(page)
            hands.fill(page.locator("[data-name='type']"), "type", "A")
            page.locator(".teach-foot .filled").press("Enter")

            # then the sums tell it, it is mended, and the box can be chosen for a game
            expect(page.locator(".teach-sums li").first).to_contain_text("workers of type")
            hands.teach("W01", dict(cards)["W01"])
            page.locator("[data-finish]").focus()
            page.keyboard.press("Enter")
            page.wait_for_url("**/boxes")
            page.goto("/")
            expect(page.locator("input[name=catalog][value='our-own-box']")).to_be_attached()

    if not others:  # the averages are those of the whole deck, not of a sample
        counts = Counter(card[0] for card, _ in cards)
        assert {kind: taps[kind] / counts[kind] <= most for kind, most in MOST_TAPS.items()} == dict.fromkeys(
            MOST_TAPS, True
        ), {kind: round(taps[kind] / counts[kind], 1) for kind in MOST_TAPS}
    assert troubles.seen == []


@pytest.mark.nightly
def test_cards_are_pictured_while_they_are_taught_and_known_without_labels_at_the_table(
    browser: Browser, tmp_path: Path
) -> None:
    troubles, cards, faces = Troubles(), printed("master_builder"), card_faces("master_builder")
    with serving(tmp_path / "data", "sim:3") as running:
        simulated_table, boxes = running.simulated_table, running.services.boxes
        assert simulated_table is not None
        assert boxes is not None
        box = boxes.begin("master_builder", "Our box").id
        with device(browser, running.address, TABLET, troubles, "en-GB") as page:
            # given a camera that was told how the empty place looks, and takes each new card by itself
            page.goto(f"/boxes/{box}")
            page.locator("[data-photo-do=place]").press("Enter")
            page.locator("[data-photo-auto]").press("Space")

            # when cards are laid on one pile, each taught as soon as its picture stands beside the fields
            hands = Hands(page)
            for card in ("W01", "W02", "W03"):
                simulated_table.clear()
                simulated_table.lay_unlabelled(card, faces[card])
                expect(page.locator(".teach-photo img")).to_be_visible()
                hands.teach(card, cards[card])
                expect(page.locator(".teach-photo img")).to_be_hidden()
            simulated_table.clear()

            # and two of one print are sent by hand
            for card in ("W04", "W06"):
                page.goto(f"/boxes/{box}?card={card}")
                picture = {"name": "card.jpg", "mimeType": "image/jpeg", "buffer": on_a_cloth(card)}
                page.locator(".teach-photo [type=file]").set_input_files(picture)  # type: ignore[arg-type]
                expect(page.locator(".teach-photo img")).to_be_visible()
            expect(page.locator(".teach-photo .alike")).to_contain_text("W04")
            assert run_axe(page).response["violations"] == []
            assert page.evaluate(SIDEWAYS) <= 0

            # then a game with this box knows the bare card, asks, and hires on a tap; an alike one is told
            for card, values in cards.items():
                boxes.teach(box, card, values)
            boxes.finish(box)
            table = begun(page, box)
            page.goto(f"/tables/{table}")
            running.looked_on()  # the camera looks at the empty table first
            simulated_table.lay_unlabelled("W02", faces["W02"])
            expect(page.locator("#proposal")).to_contain_text("W02")
            simulated_table.lay_unlabelled("W06", faces["W06"])
            expect(page.locator("#unknown-card")).to_contain_text("looks like W0")
            page.locator("#proposal .filled").first.press("Enter")
            expect(page.locator("#state")).to_have_attribute("data-version", "2")
    assert troubles.seen == []


def begun(page: Page, catalog: str) -> str:
    """Begin a game with a box, as a program of the banker's would."""
    players = [{"id": "blue", "name": "Ada"}, {"id": "yellow", "name": "Bartholomew"}]
    start = {"do": "start_game", "game": "master_builder", "catalog": catalog, "first": "blue", "players": players}
    answer = page.request.post("/api/v1/tables", data=start, headers={"Origin": page.url.split("/boxes")[0]})
    assert answer.status == 201, answer.text()
    return str(answer.json()["id"])


@pytest.mark.nightly
def test_an_own_board_is_laid_out_with_its_foundation_and_played_with(browser: Browser, tmp_path: Path) -> None:
    troubles, cards = Troubles(), printed("monopoly_builder")
    with serving(tmp_path / "data", "none") as running:
        # given ring and foundation laid out on a phone, drawn as one goes
        with device(browser, running.address, PHONE, troubles, "de-DE") as page:
            page.goto("/boxes")
            page.locator("[name=game][value=monopoly_builder]").press("Space")
            page.locator("[name=name]").fill("Our board")
            page.locator("[name=name]").press("Enter")
            page.wait_for_url("**/boxes/our-board")
            hands = Hands(page)
            for space in cards["BOARD"]["ring"][1:3]:
                hands.tap(page.locator(f"[data-add-step='{space}']"))
            expect(page.locator(".teach-preview .wide")).to_contain_text("D02")
            hands.tap(page.locator("[data-remove-step]"))
            hands.tap(page.locator("[data-remove-step]"))
            for card in ("BOARD", "TOWN"):
                hands.teach(card, cards[card])
                assert page.evaluate(SIDEWAYS) <= 0
            expect(page.locator(".teach-card")).to_have_attribute("data-card", "F1")

        # when the rest is taught on the tablet, one deed with a price that no money pays
        with device(browser, running.address, TABLET, troubles, "en-GB") as page:
            page.goto("/boxes/our-board")
            hands = Hands(page)
            for card in list(cards)[2:]:
                hands.teach(card, cards[card] if card != "D09" else {**cards[card], "price": 7})
            expect(page.locator(".teach-sums li")).to_contain_text(["D09"])
            page.goto("/boxes/our-board?card=D09")
            hands.teach("D09", cards["D09"])

            # then it adds up, and can be chosen for a game
            page.locator("[data-finish]").press("Enter")
            page.wait_for_url("**/boxes")
            page.goto("/?game=monopoly_builder")
            expect(page.locator("input[name=catalog][value='our-board']")).to_be_attached()
    assert troubles.seen == []


@pytest.mark.nightly
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_can_be_used_by_everybody(browser: Browser, tmp_path: Path, scheme: str) -> None:
    with serving(tmp_path / "data", "none") as running:
        boxes = running.services.boxes
        assert boxes is not None
        boxes.begin("master_builder", "Box")
        boxes.begin("men_at_work", "Site")
        boxes.begin("monopoly_builder", "Town")
        with device(browser, running.address, TABLET, Troubles(), "fr-FR") as page:
            towns = [
                f"/boxes/town?card={card}" for card in of_all(("BOARD", "D01"), ("BOARD", "TOWN", "F1", "D01", "C01"))
            ]
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # light or dark
            cards = ("/boxes/box?card=C03", *of_all((), ("/boxes/box", "/boxes/box?card=E05", "/boxes/site")))
            for path in ("/boxes", *cards, *towns):
                page.goto(path)
                assert run_axe(page).response["violations"] == [], path
                assert page.evaluate(SIDEWAYS) <= 0


KEYS_COVERED = """() => [...document.querySelectorAll(".pad .button")].filter((key) => {
  const { x, y, width, height } = key.getBoundingClientRect();
  const sides = [[x + 2, y + height / 2], [x + width / 2, y + height / 2], [x + width - 2, y + height / 2]];
  return sides.some(([left, top]) => top < innerHeight && document.elementFromPoint(left, top) !== key);
}).map((key) => key.textContent)"""
"""The keys of the number pad that are not to be tapped over their whole width."""


@pytest.mark.nightly
def test_every_key_of_the_pad_can_be_tapped_and_a_missing_value_is_named(browser: Browser, tmp_path: Path) -> None:
    troubles = Troubles()
    with serving(tmp_path / "data", "none") as running:
        boxes = running.services.boxes
        assert boxes is not None
        boxes.begin("master_builder", "Box")
        with device(browser, running.address, TABLET, troubles, "en-GB") as page:
            for width in (1280, 1024, 900, 820, 801, 768, 600, 390, 320):
                page.set_viewport_size({"width": width, "height": 1600})
                page.goto("/boxes/box?card=W01")
                expect(page.locator(".pad .button").first).to_be_visible()

                assert page.evaluate(KEYS_COVERED) == [], width
                assert page.evaluate(SIDEWAYS) <= 0, width

            # when a card is kept of which nothing was entered, its first empty field says so
            page.set_viewport_size({"width": 1280, "height": 800})
            page.goto("/boxes/box?card=W01")
            page.locator(".teach-foot .filled").press("Enter")

            expect(page.locator(".teach-field.missing [role=alert]")).to_have_text(
                "Type is missing, or cannot be on this card."
            )
    assert [line for line in troubles.seen if "422" not in line] == []


def test_a_quick_hand_keeps_the_next_card_while_the_last_one_is_still_being_drawn(
    browser: Browser, tmp_path: Path
) -> None:
    troubles, cards = Troubles(), printed("master_builder")
    with (
        serving(tmp_path / "data", "none") as running,
        device(browser, running.address, TABLET, troubles, "en-GB") as page,
    ):
        # given a box whose cards are drawn late
        page.goto("/boxes")
        page.locator("[name=name]").fill("Our box")
        page.locator("[name=name]").press("Enter")
        page.wait_for_url("**/boxes/our-box")
        page.route("**/preview", lambda _: None)

        # when cards are entered one after the other, then each is kept, and the next one comes
        hands, first = Hands(page), list(cards)[:4]
        for card in first[:3]:
            hands.teach(card, cards[card])
        expect(page.locator(".teach-card")).to_have_attribute("data-card", first[3])


def enter_first_card(page: Page, values: dict[str, Any]) -> None:
    """Enter what a box's first card says, and tap no button."""
    page.goto("/boxes/box?card=W01")
    hands, form = Hands(page), page.locator(".teach-card")
    hands.card = "W01"
    for name, value in values.items():
        hands.fill(form.locator(f"[data-name='{name}']"), name, value)


def test_what_was_entered_on_a_card_is_kept_when_another_one_is_asked_for(browser: Browser, tmp_path: Path) -> None:
    troubles, cards = Troubles(), printed("master_builder")
    with (
        serving(tmp_path / "data", "none") as running,
        device(browser, running.address, TABLET, troubles, "en-GB") as page,
    ):
        # given a card whose values were entered, and no button tapped
        boxes = running.services.boxes
        assert boxes is not None
        boxes.begin("master_builder", "Box")
        enter_first_card(page, cards["W01"])

        # when another card is asked for by its number
        number = page.locator("[data-go] input")
        number.fill("W02")
        number.press("Enter")

        # then it comes, and the first one is kept
        expect(page.locator(".teach-card")).to_have_attribute("data-card", "W02")
        assert dict(boxes.get("box").cards) == {"W01": cards["W01"]}

        # when one is left of which something is missing, then that is said first
        page.locator(".teach-card .pad button").first.click()
        number.fill("W03")
        number.press("Enter")
        expect(page.locator(".teach-field.missing [role=alert]").first).to_be_visible()
        expect(page.locator(".teach-card")).to_have_attribute("data-card", "W02")
        number.fill("W03")
        number.press("Enter")
        expect(page.locator(".teach-card")).to_have_attribute("data-card", "W03")


@pytest.mark.parametrize("lost", ["contact", "the disk"])
def test_a_card_that_could_not_be_kept_stays_until_it_is(browser: Browser, tmp_path: Path, lost: str) -> None:
    cards = printed("master_builder")
    with (
        serving(tmp_path / "data", "none") as running,
        device(browser, running.address, TABLET, Troubles(), "en-GB") as page,
    ):
        # given a card whose values were entered, and that cannot be sent or stored just now
        boxes = running.services.boxes
        assert boxes is not None
        boxes.begin("master_builder", "Box")
        enter_first_card(page, cards["W01"])
        form = page.locator(".teach-card")

        def fail(route: Route) -> None:
            if lost == "contact":
                route.abort()
            else:
                route.fulfill(status=503, json={"detail": "The disk is full."})

        page.route("**/api/v1/boxes/box/cards/W01", fail)

        # when another card is asked for twice, then it is said twice why the first one stays
        number, line = page.locator("[data-go] input"), page.locator("#teach .wrong").first
        for _ in range(2):
            line.evaluate("(each) => { each.hidden = true; }")
            number.fill("W02")
            number.press("Enter")
            expect(line).to_be_visible()
            expect(form).to_have_attribute("data-card", "W01")

        # when it can be stored again, then nothing of it is lost
        page.unroute_all()
        number.fill("W02")
        number.press("Enter")
        expect(form).to_have_attribute("data-card", "W02")
        assert dict(boxes.get("box").cards) == {"W01": cards["W01"]}


def test_a_box_is_renamed_and_deleted_on_its_page(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path / "data", "none") as running:
        boxes = running.services.boxes
        assert boxes is not None
        for _ in range(2):
            boxes.begin("master_builder", "Box")
        with device(browser, running.address, TABLET, Troubles(), "en-GB") as page:
            page.goto("/boxes")
            expect(page.locator(".box-line h2")).to_have_text(["Box", "Box 2"])

            page.locator(".box-change summary").last.click()
            page.locator("[name=called]").last.fill("Grandma's")
            page.locator("[name=called]").last.press("Enter")
            expect(page.locator(".box-line h2")).to_have_text(["Box", "Grandma's"])

            page.locator(".box-change summary").first.click()
            page.locator("[data-delete-box]").first.click()
            expect(page.locator(".box-line h2")).to_have_text(["Grandma's"])
        assert [box.name for box in boxes.all()] == ["Grandma's"]
