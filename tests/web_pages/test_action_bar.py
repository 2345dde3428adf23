"""The bar of actions offers what there is: no zone without a mat, no counting where nobody has notes."""

from flask.testing import FlaskClient

from companion.service.services import Services
from tests.web_pages.conftest import At
from tests.web_pages.parts import part


def bar(page: str) -> str:
    return page[page.index('<footer class="action-bar">') :]


def test_cash_is_counted_from_the_bar_only_where_people_have_notes(
    banker: FlaskClient, services: Services, moment: At
) -> None:
    table, _ = moment("later_hire")
    assert 'data-sheet="count"' not in bar(part(banker, table, "tablet"))

    services.preferences.hand_notes(table, wanted=True)

    assert 'data-sheet="count"' in bar(part(banker, table, "tablet"))


def test_a_zone_is_spoken_of_only_where_a_mat_lies(banker: FlaskClient, moment: At) -> None:
    table, _ = moment("first_hire")
    assert "lay a card in your zone" not in part(banker, table, "tablet")
