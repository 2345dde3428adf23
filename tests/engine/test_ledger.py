import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine.ledger import (
    BANK,
    BOX,
    Ledger,
    Posting,
    Transaction,
    UnbalancedError,
    player_account,
    transfer,
)

ACCOUNTS = (BANK, BOX, player_account("blue"), player_account("red"), "contract:C03")
accounts = st.sampled_from(ACCOUNTS)
amounts = st.integers(-700_000, 700_000)
postings = st.lists(st.builds(Posting, accounts, amounts), max_size=6)


@st.composite
def balanced(draw: st.DrawFn) -> Transaction:
    """Any postings, and one more that makes them sum to zero."""
    some = draw(postings)
    return Transaction((*some, Posting(draw(accounts), -sum(posting.amount for posting in some))))


@given(postings)
def test_a_transaction_that_does_not_sum_to_zero_cannot_be_built(some: list[Posting]) -> None:
    total = sum(posting.amount for posting in some)
    if total == 0:
        assert Transaction(tuple(some)).postings == tuple(some)
    else:
        with pytest.raises(UnbalancedError, match=f"sum to {total},"):
            Transaction(tuple(some))


@given(balanced(), amounts.filter(bool))
def test_a_balanced_transaction_cannot_be_made_into_another(transaction: Transaction, more: int) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        transaction.postings = ()  # type: ignore[misc]
    first, *others = transaction.postings
    with pytest.raises(UnbalancedError):
        dataclasses.replace(transaction, postings=(Posting(first.account, first.amount + more), *others))


@given(st.lists(balanced(), max_size=12))
def test_whatever_is_posted_all_balances_together_are_nothing(transactions: list[Transaction]) -> None:
    ledger = Ledger()
    for transaction in transactions:
        ledger = ledger.post(transaction)
    assert ledger.total(ACCOUNTS) == 0
    assert sum(amount for _, amount in ledger.balances) == 0


@given(st.lists(balanced(), max_size=6))
def test_a_balance_is_the_sum_of_its_postings(transactions: list[Transaction]) -> None:
    ledger = Ledger()
    for transaction in transactions:
        ledger = ledger.post(transaction)
    for account in ACCOUNTS:
        posted = (p.amount for transaction in transactions for p in transaction.postings if p.account == account)
        assert ledger.balance(account) == sum(posted)


def test_posting_leaves_the_ledger_before_it_alone() -> None:
    before = Ledger().post(transfer(BOX, BANK, 695_000))
    after = before.post(transfer(BANK, player_account("blue"), 40_000))
    assert before.balance(BANK) == 695_000
    assert (after.balance(BANK), after.balance(player_account("blue"))) == (655_000, 40_000)
    assert after.balance("nobody") == 0


def test_balances_are_summed_by_the_beginning_of_their_names() -> None:
    ledger = Ledger()
    for contract, premium in (("C01", 5_000), ("C02", 10_000)):
        ledger = ledger.post(transfer(BANK, f"contract:{contract}", premium))
    ledger = ledger.post(transfer(BANK, player_account("blue"), 1_000))
    assert ledger.starting_with("contract:") == 15_000
    assert ledger.starting_with("player:") == 1_000


def test_ledgers_with_the_same_balances_are_the_same_in_whatever_order_they_came_about() -> None:
    first = Ledger().post(transfer("a", "b", 5)).post(transfer("a", "c", 7))
    other = Ledger().post(transfer("a", "c", 7)).post(transfer("a", "b", 5))
    assert first == other
    assert hash(first) == hash(other)
    assert first != other.post(transfer("b", "c", 1))
    assert first != first.balances
    assert Ledger(first.balances) == first
    assert repr(Ledger([("a", 1)])) == "Ledger((('a', 1),))"
