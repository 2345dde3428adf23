"""Monopoly Builder as it is drawn: on paper its cards, board and money, on screens the town as it stands."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.engine.journal import Json
from companion.game_api.drawing import (
    CARD_HEIGHT,
    CARD_WIDTH,
    GROUND,
    INK,
    Disc,
    Drawing,
    DrawnShape,
    Extra,
    Polygon,
    Rectangle,
    TextLine,
    moved,
)
from companion.game_api.drawing import SECOND as SECOND_INK
from companion.game_api.ui import Language, TableView
from companion.games.monopoly_builder.drawings.cards import chance, deed, on_paper, reference
from companion.games.monopoly_builder.drawings.chips import BACKS, KINDS, ON_KINDS, PAPER, SECOND, chip
from companion.games.monopoly_builder.drawings.isometric import (
    BLOCKS,
    DEEP,
    EDGE,
    HIGH,
    SIDE,
    WIDE,
    badge,
    project,
    without_covered_words,
)
from companion.games.monopoly_builder.drawings.ring import draw_spaces, lying_chips, ring, spaces_of, tokens
from companion.games.monopoly_builder.drawings.town import cell_of, cells_of, pads, plan_view, town_view
from companion.games.monopoly_builder.rules.catalog import Foundation
from companion.games.monopoly_builder.rules.scoring import SMALLEST_GROUP, groups_of

LEADS, FOLLOWS = INK, SECOND_INK
THICK, _THIN = 6.0, 2.6


def largest_groups(catalog: Json, board: Json, *, do_ties_score: bool = True) -> list[tuple[frozenset[str], bool]]:
    """Return each owner's largest group, of two buildings at least, and whether it would score now."""
    foundation = Foundation(
        tuple(catalog["foundation"]["rows"]),
        *(tuple((cell, other) for cell, other in catalog["foundation"][key]) for key in ("apart", "joined")),
    )
    owners = dict.fromkeys(building["owner"] for building in board.values())
    shapes_found = [
        max(groups_of([cell for cell, building in board.items() if building["owner"] == owner], foundation), key=len)
        for owner in owners
    ]
    shapes_found = [group for group in shapes_found if len(group) >= SMALLEST_GROUP]
    most = max(map(len, shapes_found), default=0)
    does_most_score = do_ties_score or sum(len(group) == most for group in shapes_found) == 1
    return [(group, len(group) == most and does_most_score) for group in shapes_found]


def outlines(
    catalog: Json, board: Json, left: float, top: float, cell: float, *, do_ties_score: bool = True
) -> list[Polygon]:
    """Draw a line round each of these groups, a thick one where it would score now."""
    shapes: list[Polygon] = []
    groups = largest_groups(catalog, board, do_ties_score=do_ties_score)
    for group, leads in sorted(groups, key=lambda group_and_lead: group_and_lead[1]):
        colour, thick = (LEADS, THICK) if leads else (FOLLOWS, _THIN)
        for ends in _edges(group):
            points = tuple((left + x * cell, top + y * cell) for x, y in ends)
            shapes.append(Polygon(points, line=colour, thick=thick, closed=False))
    return shapes


def _edges(group: Collection[str]) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Return the sides of cells that the group does not lie on both sides of, as grid points."""
    cells = {(int(cell[1:]) - 1, ord(cell[0]) - ord("A")) for cell in group}
    for x, y in sorted(cells):
        sides = {
            (0, -1): ((x, y), (x + 1, y)),
            (0, 1): ((x, y + 1), (x + 1, y + 1)),
            (-1, 0): ((x, y), (x, y + 1)),
            (1, 0): ((x + 1, y), (x + 1, y + 1)),
        }
        yield from (ends for (across, down), ends in sides.items() if (x + across, y + down) not in cells)


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


SEATS = ("red", "purple", "green", "yellow")
NOTES = {5: "#e5e0d2", 10: "#d6e2ee", 20: "#dfe7dc", 50: "#f3e2b8", 100: "#ecd9e6", 500: "#eed3cf"}
NOTES_EACH = 20
NOTE_WIDTH, NOTE_HEIGHT = 88.0, 44.0
_GAP = 12.0
_LAWN, _OUTLINE_AT = 5.0, 5.0
"""Lawn between the ring and the town, and how high above the board groups are outlined: on the foundation."""


class MonopolyBuilderDrawings:
    """Draws deeds, Chance, board, references and money, and the board of a game."""

    def front(self, card: str, catalog: Mapping[str, Any], words: Language) -> Drawing:
        """Draw the front of a deed or a Chance card; of what else a box is taught by, the part that it is about."""
        if card in catalog["deeds"]:
            return deed(card, catalog, words)
        if card in catalog["chance"]:
            return chance(card, catalog, words)
        if card[0] not in "FR":
            return _board(catalog, words)
        player = SEATS[int(card[1:]) - 1] if card[0] == "R" else SEATS[0]
        values = catalog["references"].get(player, {"player": player, "kind": player, "token": ""})
        return reference(values, catalog, words)

    def back(self, card: str, catalog: Mapping[str, Any], words: Language) -> Drawing:
        """Draw the back of a pile."""
        del catalog
        table = "deeds" if card.startswith("D") else "chance"
        shapes: list[DrawnShape] = [
            Rectangle(0, 0, CARD_WIDTH, CARD_HEIGHT, fill=BACKS[table]),
            Rectangle(5, 5, CARD_WIDTH - 10, CARD_HEIGHT - 10, line="#ffffff", thick=0.6, round=3),
        ]
        for place, kind in enumerate(SEATS):
            shapes += chip(kind, CARD_WIDTH / 2 - 18 + 12 * place, 62, 4.6, words)
        title = words.named("deck", table)
        shapes.append(
            TextLine(CARD_WIDTH / 2, 42, 8, title, "middle", heading=True, colour="#ffffff", room=CARD_WIDTH - 16)
        )
        return Drawing(CARD_WIDTH, CARD_HEIGHT, tuple(shapes))

    def extras(self, catalog: Mapping[str, Any], words: Language) -> Mapping[str, Extra]:
        """Draw the board as a poster, a reference card for each seat, and money."""
        references = tuple(reference(card_values, catalog, words) for card_values in catalog["references"].values())
        notes = tuple(_note(worth, words) for worth in NOTES for _ in range(NOTES_EACH))
        return {
            "board": Extra(words.say("Board"), (_board(catalog, words),)),
            "references": Extra(words.say("Reference cards"), references),
            "money": Extra(words.say("Money"), notes),
        }

    def pictures(self, scene: TableView) -> Sequence[Drawing]:
        """Draw the town as it stands, with the ring of spaces round it; the reckoning."""
        drawn = (town_picture(scene), reckoning(scene))
        return tuple(drawing for drawing in drawn if drawing is not None)


def _board(catalog: Mapping[str, Any], words: Language) -> Drawing:
    """Draw the board from above, as a poster."""
    rows = catalog["foundation"]["rows"]
    side = SIDE - 2 * DEEP - 2 * _GAP - 36
    left = DEEP + _GAP + 18
    shapes: list[DrawnShape] = [Rectangle(0, 0, SIDE, SIDE, fill=PAPER), *ring(catalog, words, {})]
    if rows:
        shapes += plan_view(rows, left, left, side)
    return Drawing(SIDE, SIDE, tuple(shapes))


def town_picture(scene: TableView, dice: Sequence[int] = ()) -> Drawing:
    """Draw the board of a game from one corner: owners, chips, tokens, and the town within; the dice beside it."""
    catalog, position = scene.catalog, scene.position
    players, board = position["players"], position["board"]
    owners = {card: player for player, values in players.items() for card in values["deeds"]}
    mover, newest = _latest(scene, "TokenMoved", "player"), None
    if scene.entries and any(event["event"] == "FloorBuilt" for event in scene.entries[-1]["events"]):
        newest = _latest(scene, "FloorBuilt", "cell")
    spaces = spaces_of(catalog)
    lit = int(players[mover]["space"]) if mover in players and not players[mover]["bankrupt"] else None
    shapes: list[DrawnShape] = draw_spaces(catalog, scene.words, position["sites"], owners, lit)
    if rows := catalog["foundation"]["rows"]:
        side = SIDE - 2 * DEEP - 2 * _LAWN
        corner = DEEP + _LAWN
        cells = cells_of(rows, corner, corner, side)
        shapes += pads(cells, board)
        do_ties_score = position["rules"].get("bonus_ties") != "nobody"
        for outline in outlines(catalog, board, corner, corner, cell_of(rows, side), do_ties_score=do_ties_score):
            shapes.append(replace(outline, points=tuple(project(x, y, _OUTLINE_AT) for x, y in outline.points)))
        shapes += town_view(cells, board, scene.initials, newest)
    shapes += lying_chips(position, scene.words, spaces)
    shapes += tokens(players, scene.initials, spaces, mover)
    shapes = without_covered_words(shapes)
    for place, face in enumerate(dice):
        shapes += _die(face, 10 + place * (_DIE + 16), 10)
    # A penthouse or several tokens in the rear corner stand out above everything: then the picture is higher.
    tops = [y for shape in shapes if isinstance(shape, Polygon) for _, y in shape.points]
    tops += [shape.y - shape.radius - shape.thick / 2 for shape in shapes if isinstance(shape, Disc)]
    above = max(0.0, 4 - min(tops))
    return Drawing(WIDE, HIGH + above, moved(shapes, 0, above), _board_description(board, scene), stands_free=True)


_DIE = 96.0


def _die(face: int, x: float, y: float) -> list[DrawnShape]:
    """Draw a die as it was thrown."""
    places = {1: (4,), 2: (2, 6), 3: (2, 4, 6), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8)}
    shapes: list[DrawnShape] = [Rectangle(x, y, _DIE, _DIE, fill="#fffdf7", line=EDGE, thick=5, round=18)]
    step = _DIE / 4
    shapes += [Disc(x + step * (1 + at % 3), y + step * (1 + at // 3), 9, fill=EDGE) for at in places[face]]
    return shapes


BidStep = tuple[str, str, str]
"""Who bid, the letters of their badge, and the amount in words."""
_MOST_STEPS, _FEW_STEPS = 5, 3
"""Earlier bids that stand beside the highest one, and below it on a phone."""


def auction_picture(
    card: str, bids: Sequence[BidStep], catalog: Json, words: Language, *, says: str = "", is_narrow: bool = False
) -> Drawing:
    """Draw a deed as it lies on the table, the highest bid huge, and the ladder of earlier ones, the latest on top.

    ``is_narrow``: for a phone, the ladder below the highest bid.
    """
    shapes: list[DrawnShape] = [*on_paper(deed(card, catalog, words)).shapes]
    shapes.append(Rectangle(0, 0, CARD_WIDTH, CARD_HEIGHT, line=EDGE, thick=0.8, round=2))
    if not bids:
        return Drawing(CARD_WIDTH + (0 if is_narrow else 20), CARD_HEIGHT, tuple(shapes))
    (leader, letters, amount), *earlier = bids
    left = CARD_WIDTH + (6.0 if is_narrow else 9.0)
    size, room, most = (24, _STEP_WIDE, _FEW_STEPS) if is_narrow else (48, _FIGURE_WIDE, _MOST_STEPS)
    figure_foot, badge_size = (20, 13) if is_narrow else (52, 17)
    steps, first_step = (left, 54.0) if is_narrow else (left + _FIGURE_WIDE + _LADDER_GAP, 22.0)
    tones = BLOCKS[leader]
    shapes.append(TextLine(left, figure_foot, size, amount, bold=True, room=room))
    shapes += badge(leader, letters, (left + 9, figure_foot + 18), badge_size, tones.left, tones.on, edge=EDGE)
    ladder = earlier[:most]
    for place, (player, signed, bid) in enumerate(ladder):
        y = first_step + place * 13.5
        tones = BLOCKS[player]
        shapes += badge(player, signed, (steps + 5, y - 3), 9.5, tones.left, tones.on, edge=EDGE)
        shapes.append(TextLine(steps + 13, y, 8.5, bid, room=28, colour=INK))
        shapes.append(Polygon(((steps, y + 4.6), (steps + _STEP_WIDE, y + 4.6)), line=GROUND, thick=0.4, closed=False))
    width = steps + _STEP_WIDE + 1 if ladder or is_narrow else left + _FIGURE_WIDE
    return Drawing(width, CARD_HEIGHT, tuple(shapes), says)


_STEP_WIDE = 41.0
_FIGURE_WIDE, _LADDER_GAP = 92.0, 10.0
_COST_ROW, _COST_LEFT, _COST_CHIP = 15.0, 76.0, 5.8
_NAME_WIDE = 54.0
"""Room for a floor's name in a usual typeface; the rest is for one that is wide."""


def floor_costs(catalog: Json, names: Sequence[str], next_floors: Collection[int], words: Language) -> Drawing:
    """Draw what each floor costs, chip by chip; ``next_floors`` in ink, the others lighter."""
    shapes: list[DrawnShape] = []
    for floor, (name, cost) in enumerate(zip(names, catalog["floors"], strict=True), start=1):
        y = (floor - 0.5) * _COST_ROW
        is_next = floor in next_floors
        colour = INK if is_next else SECOND_INK
        shapes.append(TextLine(0, y + 3.4, 9.6, name, colour=colour, bold=is_next, room=_NAME_WIDE))
        kinds = [kind for kind, count in cost.items() for _ in range(count)]
        for place, kind in enumerate(kinds):
            x = _COST_LEFT + _COST_CHIP + place * (2 * _COST_CHIP + 2)
            if kind == "any":
                shapes.append(Disc(x, y, _COST_CHIP - 0.5, line=colour, thick=0.8))
                shapes.append(Disc(x, y, 1.2, fill=colour))
            else:
                shapes += chip(kind, x, y, _COST_CHIP, words)
    most = max(sum(cost.values()) for cost in catalog["floors"])
    wide = _COST_LEFT + most * (2 * _COST_CHIP + 2)
    return Drawing(wide, len(names) * _COST_ROW, tuple(shapes))


_ACCOUNT_WIDE, _LINE_HIGH, _SUM_HIGH = 120.0, 22.0, 34.0


def account_of(line: Json, words: Language) -> Drawing:
    """Draw the account of a player as a tower: a storey for each source, the same for all."""
    player = line["player"]
    tones, high = BLOCKS[player], len(SOURCES) * _LINE_HIGH + _SUM_HIGH
    shapes: list[DrawnShape] = [
        TextLine(_ACCOUNT_WIDE / 2, _SUM_HIGH - 8, 26, str(line["points"]), "middle", bold=True),
    ]
    for place, source in enumerate(reversed(SOURCES)):
        top, points = _SUM_HIGH + place * _LINE_HIGH, int(line[source])
        fill = tones.top if points else None
        shapes.append(Rectangle(0, top, _ACCOUNT_WIDE, _LINE_HIGH, fill=fill, line=tones.left, thick=1))
        ink = (tones.on if tones.on != "#ffffff" else "#1d1512") if points else SECOND
        shapes.append(TextLine(6, top + 14.6, 10, words.named("field", source), colour=ink, room=_ACCOUNT_WIDE * 0.66))
        figure = str(points) if points else "0"
        shapes.append(TextLine(_ACCOUNT_WIDE - 6, top + 15.4, 13, figure, "right", bold=True, colour=ink))
    return Drawing(_ACCOUNT_WIDE, high, tuple(shapes), f"{line['points']}")


def standing_events(scene: TableView) -> list[Json]:
    """Return the events of all entries that stand, as amends have left them, the earliest first."""
    return [event for entry in scene.entries if not entry.get("undone") for event in _events_of(entry)]


def _events_of(entry: Json) -> Sequence[Json]:
    amended: Json = entry.get("amended") or entry
    events: Sequence[Json] = amended.get("events", entry["events"])
    return events


def _latest(scene: TableView, kind: str, field: str) -> str | None:
    """Return a field of the latest event of a kind."""
    latest = (str(event[field]) for event in reversed(standing_events(scene)) if event["event"] == kind)
    return next(latest, None)


def _board_description(board: Mapping[str, Any], scene: TableView) -> str:
    """Return who has built what where, for those who do not see it."""
    built = (
        f"{cell} {scene.names.get(building['owner'], '')} {building['height']}" for cell, building in board.items()
    )
    return ": ".join(part for part in (scene.words.say("Board"), scene.words.listed(built)) if part)


def _note(worth: int, words: Language) -> Drawing:
    figure = words.money(worth)
    shapes: tuple[DrawnShape, ...] = (
        Rectangle(0, 0, NOTE_WIDTH, NOTE_HEIGHT, fill=NOTES[worth]),
        Rectangle(4, 4, NOTE_WIDTH - 8, NOTE_HEIGHT - 8, line=SECOND, thick=0.5, round=2),
        TextLine(NOTE_WIDTH / 2, NOTE_HEIGHT / 2 + 5, 14, figure, "middle", bold=True, room=NOTE_WIDTH - 24),
        TextLine(8, 11.5, 4.4, figure, bold=True),
        TextLine(NOTE_WIDTH - 8, NOTE_HEIGHT - 8.5, 4.4, figure, "right", bold=True),
        *_house(tuple(NOTES).index(worth) + 1),
    )
    return Drawing(NOTE_WIDTH, NOTE_HEIGHT, shapes)


def _house(floors: int) -> list[DrawnShape]:
    """Draw a house of so many floors, which tells notes apart without their colour: the more, the more it is worth."""
    left, wide, foot, high = 9.0, 9.0, NOTE_HEIGHT - 7.0, 3.0
    top = foot - floors * high
    shapes: list[DrawnShape] = [
        Rectangle(left, foot - floor * high, wide, high, line=SECOND, thick=0.4) for floor in range(1, floors + 1)
    ]
    shapes += [
        Rectangle(left + 1.4 + 3.6 * side, foot - floor * high + 0.9, 2.4, 1.3, fill=SECOND)
        for floor in range(1, floors + 1)
        for side in range(2)
    ]
    return [*shapes, Polygon(((left - 1, top), (left + wide + 1, top), (left + wide / 2, top - 3.4)), fill=SECOND)]
