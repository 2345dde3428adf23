"""The notes on the table: exact, with the fewest notes, and as much as the books say."""

from itertools import product

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from companion.engine.ledger import BANK, BOX, Posting, Transaction, transfer
from companion.game_api.notes import NoteBox, Payment, Purse, Slip, Tills, plus, transfers
from companion.service.table.notes import NoteBooks
from companion.service.table.table import Table
from tests.games.master_builder.test_random_games import RandomGame
from tests.opened import installed_games
from tests.web_pages.bot_tables import begin, tables_of

BOX_OF_FOUR = NoteBox((1_000, 5_000, 10_000, 50_000), (20, 15, 20, 8))
NONE = BOX_OF_FOUR.nothing
exchange, hand_over, pay = BOX_OF_FOUR.exchange, BOX_OF_FOUR.hand_over, BOX_OF_FOUR.pay
purse_of, worth = BOX_OF_FOUR.purse_of, BOX_OF_FOUR.worth
TWENTIES = NoteBox((20, 50), (20, 20))
"""Notes of which the larger one is no multiple of the smaller."""
BOX_OF_SIX = NoteBox((5, 10, 20, 50, 100, 500), (20,) * 6)
ADA, BEN, CLEO = "player:blue", "player:yellow", "player:red"
PURSES = st.tuples(*[st.integers(0, 3)] * 4)
SMALL = st.tuples(*[st.integers(0, 2)] * 4)
NAME, COMMANDS = "monopoly_builder", 120
FIVES_AND_ONES: Purse = (5, 1, 0, 0)
A_TEN: Purse = (0, 0, 1, 0)


def moved(*changes: Purse) -> int:
    """Count the notes that change hands."""
    return sum(abs(count) for change in changes for count in change) // 2


def all_between(payer: Purse, payee: Purse, amount: int) -> list[int]:
    """Count the notes of every exact exchange between two, by trying all."""
    ranges = [range(-there, position + 1) for position, there in zip(payer, payee, strict=True)]
    return [sum(map(abs, counts)) for counts in product(*ranges) if worth(counts) == amount]


def all_among_three(payer: Purse, payee: Purse, changer: Purse, amount: int) -> list[int]:
    """Count the notes of every exact exchange among three, by trying all."""
    counts = []
    holdings = list(zip(payer, payee, changer, strict=True))
    for lost in product(*[range(-b - c, a + 1) for a, b, c in holdings]):
        if worth(lost) != amount:
            continue
        for gained in product(*[range(-c, a + b + 1) for a, b, c in holdings]):
            rest = [loss - other for loss, other in zip(lost, gained, strict=True)]
            if worth(gained) == 0 and all(b + r >= 0 for (_, b, _), r in zip(holdings, rest, strict=True)):
                counts.append((sum(map(abs, lost)) + sum(map(abs, gained)) + sum(map(abs, rest))) // 2)
    return counts


@drawn(payer=PURSES, payee=PURSES, amount=st.integers(0, 120))
@settings(deadline=None)
def test_two_exchange_the_fewest_notes_that_are_exact(payer: Purse, payee: Purse, amount: int) -> None:
    solution = exchange(payer, payee, amount * 1_000)
    ways = all_between(payer, payee, amount * 1_000)
    assert (solution is None) == (not ways)
    if solution is not None:
        lost, gained, _ = solution
        assert plus(lost, gained) == NONE
        assert worth(gained) == amount * 1_000
        assert min(*plus(payer, lost), *plus(payee, gained)) >= 0
        assert moved(lost, gained) == min(ways)


@drawn(payer=SMALL, payee=SMALL, changer=SMALL, amount=st.integers(0, 30))
@settings(max_examples=25, deadline=None)
def test_a_third_one_changes_with_the_fewest_notes(payer: Purse, payee: Purse, changer: Purse, amount: int) -> None:
    solution = exchange(payer, payee, amount * 1_000, changer)
    ways = all_among_three(payer, payee, changer, amount * 1_000)
    assert (solution is None) == (not ways)
    if solution is not None:
        assert plus(plus(*solution[:2]), solution[2]) == NONE
        assert (worth(solution[0]), worth(solution[1]), worth(solution[2])) == (-amount * 1_000, amount * 1_000, 0)
        after = [plus(purse, change) for purse, change in zip((payer, payee, changer), solution, strict=True)]
        assert min(count for purse in after for count in purse) >= 0
        assert moved(*solution) == min(ways)


def test_change_is_given_back_where_the_payer_has_no_small_notes() -> None:
    tills = Tills(((ADA, A_TEN), (BANK, FIVES_AND_ONES)))
    after, handed = hand_over(tills, ADA, BANK, 3_000)
    assert handed == Payment(ADA, BANK, 3_000, ((ADA, (2, 1, -1, 0)), (BANK, (-2, -1, 1, 0))))
    assert purse_of(after, ADA) == (2, 1, 0, 0)


def test_somebody_else_changes_where_the_two_cannot() -> None:
    # given two who hold one large note each, and a third with small ones
    tills = Tills(((ADA, A_TEN), (BANK, NONE), (CLEO, NONE), (BEN, FIVES_AND_ONES)))
    after, handed = hand_over(tills, ADA, BANK, 3_000)
    assert worth(purse_of(after, BANK)) == 3_000
    assert worth(purse_of(after, BEN)) == 10_000
    assert [holder for holder, _ in handed.changes] == [ADA, BANK, BEN]


def test_what_is_short_goes_on_a_slip_that_is_settled_when_it_can_be() -> None:
    # given a bank that cannot pay all of it
    tills = Tills(((BANK, (1, 0, 0, 0)), (ADA, NONE), (BEN, (2, 0, 0, 0))))
    tills, handed = hand_over(tills, BANK, ADA, 3_000)
    assert handed.short == 2_000
    assert tills.slips == (Slip(BANK, ADA, 2_000),)

    # when a payment comes by which it still cannot, and one by which it can
    same, none = pay(tills, transfer(ADA, BEN, 1_000))
    assert same.slips == (Slip(BANK, ADA, 2_000),)
    assert [slip.payer for slip in none] == [ADA]
    tills, _ = pay(tills, transfer(BEN, BANK, 2_000))
    tills, done = pay(tills, transfer(BEN, ADA, 0))

    # then it is settled
    assert tills.slips == ()
    assert [(slip.payer, slip.payee, slip.amount) for slip in done] == [(BANK, ADA, 2_000)]


@pytest.mark.parametrize(
    ("postings", "pairs"),
    [
        (((ADA, -7), (BANK, 7), ("contract:C03", -5), (ADA, 5)), [(ADA, BANK, 7), ("contract:C03", ADA, 5)]),
        (((BOX, -695), (BANK, 615), (ADA, 40), (BEN, 40)), [(BANK, ADA, 40), (BANK, BEN, 40)]),
        (((ADA, -3), (BEN, -4), (BANK, 7)), [(ADA, BANK, 3), (BEN, BANK, 4)]),
        (((ADA, -3), (CLEO, 0), (BEN, -4), (BANK, 7)), [(ADA, BANK, 3), (BEN, BANK, 4)]),
        ((), []),
    ],
)
def test_postings_are_paired_as_people_pay(
    postings: tuple[tuple[str, int], ...], pairs: list[tuple[str, str, int]]
) -> None:
    transaction = Transaction(tuple(Posting(*posting) for posting in postings))
    assert list(transfers(transaction)) == pairs


@pytest.mark.parametrize("seed", range(3))
def test_in_a_whole_game_everybody_holds_what_the_books_say(seed: int) -> None:
    game, books = RandomGame(2 + seed, seed), NoteBooks()
    while not game.scenario.position["finished"]:
        game.step(game.scenario.position)
        holds_what_the_books_say(game.scenario.table, books, BOX_OF_FOUR)


def holds_what_the_books_say(table: Table, books: NoteBooks, box: NoteBox) -> None:
    position, shown = table.position, books.as_json(table, "banker")
    assert position is not None
    owed = {
        holder: sum(slip["amount"] * ((slip["to"] == holder) - (slip["from"] == holder)) for slip in shown["slips"])
        for holder in shown["holders"]
    }
    for holder, purse in shown["holders"].items():
        assert purse["worth"] + owed[holder] == position.ledger.balance(holder)
        assert min(purse["notes"].values()) >= 0
    for note, count in zip(box.denominations, box.stock, strict=True):
        assert sum(purse["notes"][str(note)] for purse in shown["holders"].values()) == count


def every_way(box: NoteBox, payer: Purse, payee: Purse, amount: int) -> list[int]:
    """Count the notes of every exact exchange between two, by trying all."""
    ranges = [range(-there, own + 1) for own, there in zip(payer, payee, strict=True)]
    return [sum(map(abs, counts)) for counts in product(*ranges) if box.worth(counts) == amount]


@drawn(
    payer=st.tuples(*[st.integers(0, 5)] * 2),
    payee=st.tuples(*[st.integers(0, 5)] * 2),
    amount=st.integers(0, 35).map(lambda tens: 10 * tens),
)
@settings(deadline=None)
def test_notes_need_not_be_multiples_of_each_other(payer: Purse, payee: Purse, amount: int) -> None:
    solution, ways = TWENTIES.exchange(payer, payee, amount), every_way(TWENTIES, payer, payee, amount)
    assert (solution is None) == (not ways)
    if solution is not None:
        lost, gained, _ = solution
        assert (plus(lost, gained), TWENTIES.worth(gained)) == ((0, 0), amount)
        assert min(*plus(payer, lost), *plus(payee, gained)) >= 0
        assert moved(lost, gained) == min(ways)


@drawn(payer=st.tuples(*[st.integers(0, 2)] * 6), amount=st.integers(0, 100).map(lambda fives: 5 * fives))
@settings(max_examples=25, deadline=None)
def test_six_kinds_of_notes_are_exchanged_as_exactly(payer: Purse, amount: int) -> None:
    solution, ways = (
        BOX_OF_SIX.exchange(payer, (1,) * 6, amount),
        every_way(BOX_OF_SIX, payer, (1,) * 6, amount),
    )
    assert (solution is None) == (not ways)
    if solution is not None:
        assert moved(*solution) == min(ways)


def test_thirty_are_paid_by_a_fifty_with_a_twenty_as_change() -> None:
    tills = Tills(((ADA, (0, 1)), (BANK, (1, 0))))
    after, handed = TWENTIES.hand_over(tills, ADA, BANK, 30)
    assert handed == Payment(ADA, BANK, 30, ((ADA, (1, -1)), (BANK, (-1, 1))))
    assert TWENTIES.purse_of(after, ADA) == (1, 0)


@drawn(
    payer=st.tuples(*[st.integers(0, 3)] * 2),
    payee=st.tuples(*[st.integers(0, 3)] * 2),
    amount=st.integers(0, 35).map(lambda tens: 10 * tens),
)
@settings(deadline=None)
def test_as_much_is_paid_as_notes_allow(payer: Purse, payee: Purse, amount: int) -> None:
    tills = Tills(((ADA, payer), (BANK, payee)))
    after, handed = TWENTIES.hand_over(tills, ADA, BANK, amount)

    payable = [less for less in range(0, amount + 1, 10) if every_way(TWENTIES, payer, payee, less)]
    assert handed.short == amount - max(payable)
    assert TWENTIES.worth(TWENTIES.purse_of(after, BANK)) == TWENTIES.worth(payee) + max(payable)


def test_what_is_no_money_is_paid_in_no_notes() -> None:
    transaction = Transaction((Posting(ADA, -3, "red"), Posting(BEN, 3, "red"), *transfer(ADA, BEN, 20).postings))
    assert list(transfers(transaction)) == [(ADA, BEN, 20)]


def test_in_a_game_of_monopoly_builder_everybody_holds_what_the_books_say() -> None:
    tables, books = tables_of({NAME: installed_games().manifest(NAME)}), NoteBooks()
    game = begin(tables, NAME)
    for _ in range(COMMANDS):
        holds_what_the_books_say(game.table, books, BOX_OF_SIX)
        if not game.play_on():
            break
