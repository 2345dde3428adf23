"""Texts and details of refusals."""

from companion.engine.game import Refused


def test_a_refusal_tells_its_rule_in_logs_and_where_it_is_shown_raw() -> None:
    refused = Refused("wage_limit", limit=30_000)

    assert repr(refused) == "Refused('wage_limit')"
    assert str(refused) == "wage_limit (limit=30000)"
