"""The parts of a figure: each with its card, its rule and its amount."""

from companion.engine.explanation import Addend
from companion.games.master_builder.rules.explanation import loans, sites, workers
from companion.games.master_builder.rules.state import State
from tests.scenario import Scenario


def state_of(given: Scenario) -> State:
    assert given.table.position is not None
    state: State = given.table.position.state
    return state


def test_wages_are_the_workers_one_by_one_the_dearest_first() -> None:
    given = Scenario("blue", "yellow")
    for worker in ("W28", "W01"):
        given.do("hire_worker", player="blue", worker=worker)
        given.do("hire_worker", player="yellow", worker="W29" if worker == "W28" else "W30")
    wages = {worker.id: worker.due for worker in state_of(given).player("blue").crew}

    parts = workers(state_of(given), "blue")

    assert parts == (
        Addend("worker", wages["W01"], "wage_track", card="W01"),
        Addend("worker", wages["W28"], "wage_track", card="W28"),
    )
    assert wages["W01"] > wages["W28"]


def test_debts_are_the_loans_by_kind_and_number() -> None:
    given = Scenario("blue", "yellow", rules={"loans": "voluntary_anytime_but_phase2"})
    for loan in ("small", "large", "small"):
        given.do("borrow", player="blue", loan=loan)

    assert loans(state_of(given), "blue") == (
        Addend("small", 26_000, "repaying", count=2, each=13_000),
        Addend("large", 38_000, "repaying", count=1, each=38_000),
    )
    assert [part.amount for part in loans(state_of(given), "blue", -1)] == [-26_000, -38_000]
    assert loans(state_of(given), "yellow") == ()


def test_unfinished_contracts_tell_what_is_missing() -> None:
    given = Scenario("blue", "yellow")
    given.hire()
    given.reveal("C03", "C04", "C05")
    while given.position["phase"] == "contracts" and not given.player("blue")["contracts"]:
        player = given.position["waiting_for"][0]
        if given.position["auction"]:
            given.do("pass", player=player)
        else:
            given.do("open_auction", player=player, contract=min(given.position["display"]), bid=20_000)

    (part,) = sites(state_of(given), "blue")

    assert (part.kind, part.rule, part.card, part.count) == ("contract", "reckoning", "C03", 6)


def test_a_loan_changes_what_somebody_is_worth_by_its_rule_on_both_sides() -> None:
    given = Scenario("blue", "yellow", rules={"loans": "voluntary_anytime_but_phase2"})
    before = given.table.position
    given.do("borrow", player="blue", loan="small")
    event = given.table.game.codec.event(given.table.entries[-1].events[0])
    explainer = given.table.game.can.explainer
    assert explainer is not None

    changes = explainer.changes("worth:blue", before, event, given.table.position)  # type: ignore[arg-type]

    assert [(change.amount, change.rule) for change in changes] == [(10_000, "borrowing"), (-13_000, "borrowing")]
