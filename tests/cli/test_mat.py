"""``companion mat``: a sheet, or the reason why there is none."""

from pathlib import Path

import pypdfium2
import pytest

from tests.cli.conftest import Run


@pytest.mark.parametrize(
    ("options", "summary"),
    [
        ([], "Whole table, A2: 1 sheet of A2"),
        (["--mat", "a3", "--language", "de"], "Shared cards, A3: 1 sheet of A3"),
        (["--paper", "a4"], "Whole table, A2: 8 sheets of A4"),
        (["--paper", "letter"], "Whole table, A2: 8 sheets of Letter"),
    ],
)
def test_a_mat_is_written_and_its_sheets_are_told(tmp_path: Path, options: list[str], summary: str, run: Run) -> None:
    out = tmp_path / "mat.pdf"

    ended = run("mat", *options, "--data", tmp_path / "data", out)

    assert (ended.code, ended.out) == (0, [])
    assert ended.err == [f"{summary} in {out}"]
    document = pypdfium2.PdfDocument(out)
    words = document[0].get_textpage().get_text_range()
    document.close()
    assert ("Leseplatz" in words) == ("de" in options)


def test_a_mat_that_is_not_known_or_broken_is_one_line(tmp_path: Path, run: Run) -> None:
    out, data = tmp_path / "mat.pdf", tmp_path / "data"

    unknown = run("mat", "--mat", "b7", "--data", data, out)

    assert (unknown.code, unknown.out) == (2, [])
    assert unknown.err == ["companion: mat 'b7' is not known: a2, a3, table, site, deeds, town"]
    (data / "mats").mkdir(parents=True)
    (data / "mats" / "mine.toml").write_text("name = ")
    broken = run("mat", "--data", data, out)
    assert broken.code == 2
    assert len(broken.err) == 1
    assert "mine.toml" in broken.err[0]
    assert not out.exists()
