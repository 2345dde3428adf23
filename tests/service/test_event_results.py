"""Results over all tables of an event: places first, then the deciding figure, whichever way it wins."""

from companion.service.table.event_seating import PlayerResult, TableNow, results_of


def finished(name: str, *rows: tuple[str, int, int]) -> TableNow:
    summary = {
        "finished": True,
        "players": [{"id": player, "name": player} for player, *_ in rows],
        "standings": [{"player": player, "points": points, "rank": rank} for player, points, rank in rows],
    }
    return TableNow(name, tuple(player for player, *_ in rows), name, summary)


def test_over_all_tables_winners_come_first_then_the_figure_and_equals_share_a_rank() -> None:
    tables = [
        finished("1", ("Ada", 10, 1), ("Ben", 9, 2)),
        finished("2", ("Cleo", 7, 1), ("Dan", 7, 1), ("Eve", 3, 3)),
        finished("3", ("Fritz", 9, 2), ("Gina", 4, 1)),
        TableNow("4", ("Hugo",), None, None),
    ]

    def line(result: PlayerResult) -> tuple[int, str]:
        return result.rank, result.name

    ranked = list(map(line, results_of(tables)))
    assert ranked == [(1, "Ada"), (2, "Cleo"), (2, "Dan"), (4, "Gina"), (5, "Ben"), (5, "Fritz"), (7, "Eve")]


def test_where_the_lowest_figure_wins_at_every_table_the_lower_one_is_better_over_all() -> None:
    tables = [
        finished("1", ("Ada", 60, 1), ("Ben", 71, 2)),
        finished("2", ("Cleo", 58, 1), ("Dan", 58, 1), ("Eve", 90, 3)),
    ]
    ranked = [(result.rank, result.name) for result in results_of(tables)]
    assert ranked == [(1, "Cleo"), (1, "Dan"), (3, "Ada"), (4, "Ben"), (5, "Eve")]

    # but not where one table decided otherwise
    tables.append(finished("3", ("Fritz", 59, 1), ("Gina", 40, 2)))
    ranked = [(result.rank, result.name) for result in results_of(tables)]
    assert ranked[:4] == [(1, "Ada"), (2, "Fritz"), (3, "Cleo"), (3, "Dan")]
