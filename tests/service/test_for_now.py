"""What stands now is answered once, however many screens ask."""

from companion.service.table.for_now import ForNow


def test_what_was_answered_is_answered_again_without_looking() -> None:
    looked: list[str] = []
    known, about = ForNow(), object()

    def find() -> str:
        looked.append("looked")
        return "three workers"

    assert [known.answer(about, "needs", find) for _ in range(3)] == ["three workers"] * 3
    assert looked == ["looked"]


def test_each_question_has_an_answer_of_its_own() -> None:
    known, about = ForNow(), object()
    assert known.answer(about, ("needs", "blue"), lambda: 1) == 1
    assert known.answer(about, ("needs", "red"), lambda: 2) == 2


def test_another_position_is_looked_at_anew() -> None:
    known = ForNow()
    assert known.answer(object(), "needs", lambda: 1) == 1
    assert known.answer(object(), "needs", lambda: 2) == 2


def test_an_answer_of_nothing_is_remembered_too() -> None:
    known, about = ForNow(), object()
    assert known.answer(about, "forecast", lambda: None) is None
    assert known.answer(about, "forecast", lambda: "late") is None
