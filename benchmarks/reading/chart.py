"""The figures as a chart: SVG, drawn here, light on dark and dark on light."""

from collections.abc import Sequence

from benchmarks.reading.tables import Row

WIDTH, LEFT, TOP, BAR, GAP = 760, 150, 40, 14, 22
COLOURS = {
    "zxing-cpp": "#8a8f98",
    "zxing-cpp x2": "#6d7c93",
    "pyzbar": "#b08d57",
    "cv2": "#a8746c",
    "cv2 aruco": "#946a86",
    "ours, any text": "#5b9a8b",
    "ours, deck": "#1f7a4d",
}


def chart(rows: Sequence[Row], suite: str, title: str) -> str:
    """Return one group of bars for each case of a suite, a bar for each reader."""
    cases = list(dict.fromkeys(row.case for row in rows if row.suite == suite))
    parts, y = [], TOP
    for case in cases:
        parts.append(f'<text class="case" x="8" y="{y + 12}">{case}</text>')
        for row in (row for row in rows if row.suite == suite and row.case == case):
            length = (WIDTH - LEFT - 190) * row.recall / 100
            parts.append(
                f'<rect x="{LEFT}" y="{y}" width="{length:.1f}" height="{BAR - 2}" fill="{COLOURS[row.reader]}"/>'
            )
            label = f"{row.recall:.1f} % · {row.reader} · {row.ms:.0f} ms"
            parts.append(f'<text x="{LEFT + length + 6:.1f}" y="{y + 10}">{label}</text>')
            y += BAR
        y += GAP
    style = (
        "text{font:11px sans-serif;fill:#24292f}.case,.title{font-weight:bold;font-size:13px}"
        "@media(prefers-color-scheme:dark){text{fill:#e6e6e6}}"
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" width="{WIDTH}" height="{y}" role="img">'
    body = "\n".join(parts)
    caption = f'<title>{title}</title><style>{style}</style>\n<text class="title" x="8" y="20">{title}</text>'
    return f"{head}\n{caption}\n{body}\n</svg>\n"
