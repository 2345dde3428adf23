"""The preparation of a table is remembered, of a limited number of tables."""

from companion.service.services import MOST_PREPARED, Preparations


def test_a_table_that_is_asked_for_keeps_its_ticks_however_many_others_there_are() -> None:
    # given a table whose mat was ticked, and one that nobody asks for any more
    preparations = Preparations()
    preparations.tick("old", "mat", done=True)
    preparations.tick("ours", "mat", done=True)

    # when more tables are laid than are remembered, and ours is looked at in between
    for number in range(MOST_PREPARED):
        preparations.saw(f"table {number}", ["W01"])
        preparations.saw("ours", ["W02"])

    # then ours has its tick and cards, the other is forgotten
    assert preparations.tick_of("ours", "mat") is True
    assert preparations.saw("ours", ["W03"]) == {"W02", "W03"}
    assert preparations.tick_of("old", "mat") is None
    assert preparations.ticks("old") == 0
