"""An address that leads nowhere shows people a page in their language, and programs a problem."""

import pytest
from flask.testing import FlaskClient

PAGE = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
NOWHERE = ("/nowhere", "/events/none", "/hall/none")
WORDS = {"en": "There is nothing here", "fr": "Il n\u2019y a rien ici", "de": "Hier ist nichts"}


@pytest.mark.parametrize("address", NOWHERE)
@pytest.mark.parametrize("language", WORDS)
def test_people_read_it_in_their_language_and_find_the_way_back(
    tablet: FlaskClient, address: str, language: str
) -> None:
    tablet.get(f"/?lang={language}")
    answer = tablet.get(address, headers=PAGE)
    assert (answer.status_code, answer.mimetype) == (404, "text/html")
    assert f"<h1>{WORDS[language]}</h1>" in answer.text
    assert 'href="/"' in answer.text


def test_programs_and_parts_of_pages_get_no_page(tablet: FlaskClient, banker: FlaskClient) -> None:
    for address in ("/tables/none?part=tablet", "/static/none.css"):
        assert "<main" not in tablet.get(address, headers=PAGE if "part" in address else {"Accept": "text/css"}).text
    assert banker.get("/api/v1/tables/none", headers=PAGE).get_json()["status"] == 404
