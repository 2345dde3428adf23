"""The printer over the HTTP interface and on the page: measured by a photograph, kept, forgotten."""

import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pytest
from flask.testing import FlaskClient

from calibration.printer_sheet import PrinterOffset
from companion.adapters.pictures import decode_posted_grey_picture, encode_jpeg
from companion.bootstrap.cameras import connect_camera
from companion.bootstrap.installation import open_installation
from companion.config import DataFolder
from companion.resources import packaged_path
from companion.service.access.logins import Caller
from companion.service.ports import InMemoryStore
from companion.service.printer import Printer
from companion.web import create_app
from tests.printing.test_printer_sheet import misprinted, pages, photographed

PRINTER = "/api/v1/printer"
ERROR = PrinterOffset("a4", "back", 0.9, 1.1, 1.002, 0.998)


@contextmanager
def opened_banker(data: DataFolder) -> Iterator[FlaskClient]:
    source, simulated_table = connect_camera("none")
    opened = open_installation(data, source, simulated_table)
    client = create_app(opened.services).test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {opened.services.logins.token(Caller('banker'))}"
    yield client
    opened.close()


@pytest.fixture
def banker(tmp_path: Path) -> Iterator[FlaskClient]:
    with opened_banker(DataFolder(tmp_path / "data")) as client:
        yield client


def test_a_photograph_is_measured_shown_and_forgotten(banker: FlaskClient, tmp_path: Path) -> None:
    photograph = encode_jpeg(photographed(misprinted(pages("a4", tmp_path)[1], "a4", ERROR), 12))
    assert "not measured yet" in banker.get("/boxes").get_data(as_text=True)

    answer = banker.put(PRINTER, data=photograph, content_type="image/jpeg").json

    assert answer is not None
    assert (answer["side"], answer["paper"]) == ("back", "a4")
    assert (answer["right"], answer["down"]) == (pytest.approx(0.9, abs=0.2), pytest.approx(1.1, abs=0.2))
    assert (answer["across"], answer["along"]) == (pytest.approx(1.002, abs=1e-3), pytest.approx(0.998, abs=1e-3))
    printer = banker.get(PRINTER).json
    assert printer is not None
    assert set(printer["sides"]) == {"back"}
    assert "mm to the right" in banker.get("/boxes").get_data(as_text=True)
    assert banker.delete(PRINTER).status_code == 204
    assert banker.get(PRINTER).json == {"sides": {}}


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_sheet_is_printed_from_the_page(banker: FlaskClient, paper: str) -> None:
    page = banker.get("/boxes").get_data(as_text=True)
    assert f"/calibrate/printer-{paper}.pdf" in page

    assert banker.get(f"/calibrate/printer-{paper}.pdf").data.startswith(b"%PDF")


@pytest.mark.parametrize(
    ("data", "status", "kind"),
    [(b"<svg/>", 415, "foreign_format"), (b"\xff\xd8\xfftorn", 422, "unreadable"), (b"", 400, "malformed")],
)
def test_what_is_no_photograph_is_refused(banker: FlaskClient, data: bytes, status: int, kind: str) -> None:
    answer = banker.put(PRINTER, data=data, content_type="image/jpeg")

    assert answer.json is not None
    assert (answer.status_code, answer.json["type"].rsplit("/", 1)[-1]) == (status, kind)


@pytest.mark.parametrize(("wish", "sentence"), [("fr", "On ne voit pas la feuille de test"), ("de", "Das Testblatt")])
def test_a_picture_without_a_sheet_is_told_in_the_readers_language(
    banker: FlaskClient, wish: str, sentence: str
) -> None:
    nothing = encode_jpeg(np.full((200, 300), 90, np.uint8))

    answer = banker.put(f"{PRINTER}?lang={wish}", data=nothing, content_type="image/jpeg")

    assert answer.json is not None
    assert answer.json["detail"].startswith(sentence)


def test_a_sheet_of_any_catalog_can_be_checked_on_the_page(tmp_path: Path) -> None:
    # given a catalog of one's own
    data = DataFolder(tmp_path / "data")
    data.catalogs.mkdir(parents=True)
    house = packaged_path("games", "men_at_work", "cards", "decks") / "house.toml"
    (data.catalogs / "mine.toml").write_bytes(house.read_bytes())

    # when the page is opened
    with opened_banker(data) as banker:
        page = banker.get("/boxes").get_data(as_text=True)

    # then it offers that beside the decks of the games
    for catalog in ("master_builder/house", "men_at_work/house", "men_at_work/mine"):
        assert f'<option value="{catalog}">' in page


@pytest.mark.parametrize(
    ("query", "wish", "sentence"),
    [
        ("only=Z99", "de", "Z99 ist nicht"),
        ("kind=a4-21&start=40", "fr", "Les autocollants d\u2019une feuille sont numérotés de 1 à 21."),
        ("bleed=9", "de", "Der Beschnitt ist 0 bis 5 mm breit."),
        ("bleed=wide", "fr", "wide n\u2019est pas un nombre"),
    ],
)
def test_a_setting_of_no_sheet_is_told_in_the_readers_language(
    banker: FlaskClient, query: str, wish: str, sentence: str
) -> None:
    picture = encode_jpeg(np.full((200, 300), 90, np.uint8))

    answer = banker.post(f"{PRINTER}/check?game=master_builder&{query}&lang={wish}", data=picture)

    assert answer.json is not None
    assert answer.status_code == 400
    assert answer.json["detail"].startswith(sentence)


@pytest.mark.parametrize("path", [PRINTER, f"{PRINTER}/check?game=master_builder"])
def test_a_photograph_in_another_format_is_told_in_the_readers_language(banker: FlaskClient, path: str) -> None:
    send = banker.put if path == PRINTER else banker.post

    answer = send(path, data=b"%PDF-1.7", headers={"Accept-Language": "fr"})

    assert answer.json is not None
    assert (answer.status_code, answer.json["detail"]) == (415, "Une photo doit être au format JPEG ou PNG.")


@pytest.mark.nightly
def test_a_photograph_of_something_else_says_what_to_do(banker: FlaskClient, tmp_path: Path) -> None:
    half = photographed(pages("a4", tmp_path)[0], 13)[:2800].copy()

    answer = banker.put(PRINTER, data=encode_jpeg(half), content_type="image/jpeg")

    assert answer.json is not None
    assert (answer.status_code, answer.json["type"].rsplit("/", 1)[-1]) == (422, "no_sheet")
    assert "photograph the whole sheet" in answer.json["detail"]


class MeetingStore(InMemoryStore[Mapping[str, PrinterOffset]]):
    """A store at which two readers wait for each other for a moment before either may write."""

    def __init__(self) -> None:
        super().__init__({})
        self.both = threading.Barrier(2)

    def read(self) -> Mapping[str, PrinterOffset]:
        value = super().read()
        with suppress(threading.BrokenBarrierError):
            self.both.wait(0.3)
        return value


def test_photographs_of_both_sides_at_one_moment_are_both_kept(tmp_path: Path) -> None:
    # given photographs of both sides of the sheet
    sheets = [encode_jpeg(photographed(page, 12)) for page in pages("a4", tmp_path)]
    store = MeetingStore()
    printer = Printer(store, decode_posted_grey_picture)

    # when they are measured at one moment
    with ThreadPoolExecutor(2) as pool:
        sides = {offset.side for offset in pool.map(printer.measure_sheet, sheets)}

    # then both are kept
    assert sides == {"front", "back"}
    assert set(store.read()) == sides
