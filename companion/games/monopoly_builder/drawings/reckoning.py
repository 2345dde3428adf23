"""The reckoning as a staircase: each player's sources of points, one step on top of the other, up to his sum."""

from collections.abc import Sequence

from companion.engine.journal import Json
from companion.game_api.drawing import Disc, Drawing, DrawnShape, Rectangle, TextLine
from companion.game_api.ui import TableView
from companion.games.monopoly_builder.drawings.chips import KINDS, ON_KINDS, SECOND

SOURCES = ("buildings", "sets", "billionaire", "community")
WIDTH, ROW = 240.0, 38.0
_LEFT, _RIGHT = 30.0, 22.0
_HIGH, _RISE = 9.0, 6.0
_NARROWEST = 17.0
"""Wide enough for a step's figure and name."""


def reckoning(scene: TableView) -> Drawing | None:
    """Draw the final standings, the best first; nothing before the end."""
    standings: Sequence[Json] | None = scene.position["standings"]
    if not standings:
        return None
    room = WIDTH - _LEFT - _RIGHT - _NARROWEST * len(SOURCES)
    scale = max(0.0, room) / max(1, *(line["points"] for line in standings))
    shapes: list[DrawnShape] = []
    for place, line in enumerate(standings):
        shapes += _player(line, scene, place * ROW, scale)
    return Drawing(WIDTH, ROW * len(standings), tuple(shapes), _said(standings, scene))


def _player(line: Json, scene: TableView, top: float, scale: float) -> list[DrawnShape]:
    player, foot = line["player"], top + ROW - 5
    fill, ink = KINDS[player], ON_KINDS[player]
    shapes: list[DrawnShape] = [
        Disc(14, foot - _HIGH / 2 - 6, 8, fill=fill, line="#221d18", thick=0.5),
        TextLine(14, foot - _HIGH / 2 - 2.6, 9, scene.initials.get(player, ""), "middle", bold=True, colour=ink),
    ]
    x, y = _LEFT, foot - _HIGH
    for source in SOURCES:
        amount = int(line[source])
        if not amount:
            continue
        wide = _NARROWEST + amount * scale
        shapes += [
            Rectangle(x, y, wide, _HIGH, fill=fill, line="#221d18", thick=0.5, round=0.8),
            TextLine(x + wide / 2, y + 6.9, 6.4, f"+{amount}", "middle", bold=True, colour=ink),
            TextLine(
                x + wide / 2, y - 1.6, 4.0, scene.words.named("field", source), "middle", colour=SECOND, room=wide + 4
            ),
        ]
        x, y = x + wide, y - _RISE
    # Beside the last step; who has none stands on the ground.
    standing = min(y + _RISE, foot - _HIGH)
    return [*shapes, TextLine(x + 3, standing + _HIGH - 0.4, 12, str(line["points"]), bold=True)]


def _said(standings: Sequence[Json], scene: TableView) -> str:
    """Return it for those who do not see it."""
    parts: list[str] = []
    for line in standings:
        steps = (f"{scene.words.named('field', source)} {line[source]}" for source in SOURCES if line[source])
        parts.append(f"{scene.names.get(line['player'], '')} {line['points']}: {', '.join(steps)}".rstrip(": "))
    return ". ".join(parts)
