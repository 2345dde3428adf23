"""Everything in one run.

    python -m benchmarks.reading [TABLES] [--docs FOLDER]

Tables: labels of 25 mm and two foreign codes at any angle, one label in view when its middle is.  Times are of the
processor, on one core.  Photographs, and tables rendered elsewhere: those in the shared folder beside the checkout, if
any.
Rows are printed as JSON; with ``--docs`` the table and the chart in that folder are written too.
"""

import json
from dataclasses import asdict
from itertools import chain
from pathlib import Path

from benchmarks.arguments import create_parser
from benchmarks.reading.chart import chart
from benchmarks.reading.photographs import photographs
from benchmarks.reading.rendered import rendered
from benchmarks.reading.tables import Row, as_json, cases, measured
from companion.simulator.optics import SEVERITIES
from companion.vision.read import limit_opencv_to_one_core

TABLES = 6


def as_table(rows: list[Row]) -> str:
    """Return the rows in Markdown."""
    lines = ["| suite | case | reader | labels | read, % | wrong | ms |", "|---|---|---|---|---|---|---|"]
    lines += [
        f"| {row.suite} | {row.case} | {row.reader} | {row.labels} | {row.recall:.1f} | {row.wrong} | {row.ms:.0f} |"
        for row in rows
    ]
    severities = [f"- {name}: {json.dumps(asdict(severity))}" for name, severity in SEVERITIES.items()]
    return "\n".join(["# What is read", "", *lines, "", "Severities:", "", *severities, ""])


def main() -> None:
    """Run everything and print it."""
    parser = create_parser(__doc__, tables=TABLES)
    parser.add_argument("--docs", metavar="FOLDER", type=Path, help="write the table and the chart there too")
    options = parser.parse_args()
    docs: Path | None = options.docs
    limit_opencv_to_one_core()
    rows: list[Row] = []
    for case in cases():
        for row in measured(case, options.tables):
            rows.append(row)
            print(json.dumps(as_json(row)), flush=True)
    for row in chain(rendered(), photographs()):
        rows.append(row)
        print(json.dumps(as_json(row)), flush=True)
    if docs is not None:
        (docs / "reading-figures.md").write_text(as_table(rows), encoding="utf-8")
        svg = chart(rows, "severity", "Labels read in one frame of a whole table, 24 cards, 1080p")
        (docs / "reading-figures.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
