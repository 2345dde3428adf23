"""A game that can do no more than be played is asked for nothing else."""

import pytest

from companion.engine.game import Refused
from companion.service.table.notes import NoteBooks
from companion.service.table.table import Request
from tests.service.house_tables import NUTS, OPEN, nut_table


def test_what_a_game_does_not_have_is_refused_in_so_many_words() -> None:
    table = nut_table(None, OPEN)
    with pytest.raises(Refused, match="not_in_this_game"):
        table.advice.forecast("banker", "ada")
    with pytest.raises(Refused, match="not_in_this_game"):
        table.advice.suggestion("banker", "ada")
    with pytest.raises(Refused, match="not_in_this_game"):
        NoteBooks().as_json(table, "banker")


def test_nothing_differs_where_nobody_compares() -> None:
    assert nut_table(None, OPEN).differences({"hazel": "anywhere"}) == []


def test_a_preview_of_money_needs_only_the_ledger() -> None:
    table = nut_table(None, OPEN)
    gift = {"do": "give", "from": "bank", "to": "ada", "amount": 5}
    table.submit(Request(gift, "banker", "tap"))
    amend = {"do": "amend", "seq": 3, "with": None}
    preview = table.preview(Request(amend, "banker", "tap"))
    assert preview["money"]["ada"] == {"before": 15, "after": 10}
    assert NUTS["players"] == list(preview["money"])
