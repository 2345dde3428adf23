"""Cards on the mat compared with the books."""

from companion.games.master_builder.rules.reading import Elsewhere, Fewer, differences
from companion.games.master_builder.rules.state import worker_card
from tests.scenario import Scenario


def hired() -> Scenario:
    given = Scenario("blue", "yellow")
    given.hire(blue=("W01", "W02", "W28", "W29", "W30"), yellow=("W03", "W04", "W05", "W06", "W07"))
    return given


def list_differences(given: Scenario, **lying: str) -> list[Elsewhere | Fewer]:
    position = given.table.position
    assert position is not None
    return list(differences(position.state, lying))


def everybody(given: Scenario) -> dict[str, str]:
    position = given.table.position
    assert position is not None
    return {worker.id: player.id for player in position.state.players for worker in player.crew}


def test_what_lies_as_the_books_say_is_no_difference() -> None:
    given = hired()

    assert list_differences(given, **everybody(given), W40="market") == []
    assert list_differences(given) == []


def test_a_worker_in_another_players_zone_is_told() -> None:
    given = hired()

    assert list_differences(given, **{**everybody(given), "W01": "yellow"}) == [Elsewhere("W01", "yellow", "blue")]


def test_a_worker_whom_nobody_has_hired_lies_with_a_player() -> None:
    given = hired()

    assert list_differences(given, W40="blue") == [Elsewhere("W40", "blue", "supply")]
    assert list_differences(given, W01="market") == [Elsewhere("W01", "market", "blue")]
    assert list_differences(given, W01="contracts") == [Elsewhere("W01", "contracts", "blue")]


def test_the_table_shows_fewer_of_a_type_than_the_books_say() -> None:
    given = hired()
    lying = everybody(given)
    position = given.table.position
    assert position is not None
    kinds = {card: worker_card(position.state, card).type for card in lying}
    gone = "W28"
    same = sum(kinds[card] == kinds[gone] and lying[card] == "blue" for card in lying)
    del lying[gone]

    assert list_differences(given, **lying) == [Fewer("blue", kinds[gone], same, same - 1, (gone,))]


def test_of_a_zone_in_which_nothing_is_seen_nothing_is_missing() -> None:
    given = hired()
    lying = {card: zone for card, zone in everybody(given).items() if zone == "yellow"}

    assert list_differences(given, **lying) == []


def test_what_lies_on_the_tray_says_nothing() -> None:
    given = hired()

    assert list_differences(given, W01="tray", W40="tray", E05="blue", Y05="contracts", C01="event") == []


def test_contracts_lie_where_the_books_have_them() -> None:
    given = hired()
    given.reveal("C01", "C02", "C03")

    assert list_differences(given, C01="contracts") == []
    assert list_differences(given, C01="blue") == [Elsewhere("C01", "blue", "display")]
    assert list_differences(given, C09="contracts") == [Elsewhere("C09", "contracts", "deck")]
    given.do("open_auction", player="blue", contract="C01", bid=2_000)
    given.do("pass", player="yellow")
    assert list_differences(given, C01="blue") == []
    assert list_differences(given, C01="contracts") == [Elsewhere("C01", "contracts", "blue")]
    given.do("correct_card", card="C02", to="removed", reason="torn")
    assert list_differences(given, C02="contracts") == [Elsewhere("C02", "contracts", "removed")]


def test_a_worker_who_is_lent_may_lie_with_either_until_the_phase_is_over() -> None:
    # given a worker lent to yellow while they build
    given = Scenario("blue", "yellow", variants=["loaning_workers"])
    given.hire(blue=("W01", "W02", "W28", "W29", "W30"), yellow=("W03", "W04", "W05", "W06", "W07"))
    given.to("build")
    given.do("hire_out", owner="blue", worker="W01", borrower="yellow", price=0)

    # then no screen asks for that card, wherever of the two it lies
    for zone in ("blue", "yellow"):
        assert list_differences(given, **{**everybody(given), "W01": zone}) == []
    assert list_differences(given, W01="market") == [Elsewhere("W01", "market", "blue")]

    # and once workers are back it is blue's alone
    given.to("hire", 2)
    assert list_differences(given, W01="yellow") == [Elsewhere("W01", "yellow", "blue")]
