"""Drawings on screens: SVG in the page, with words fitted by their usual width; and cards, chips, tracks and boards."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from typing import Literal

from markupsafe import Markup, escape

from companion.engine.journal import Json
from companion.game_api.boards import (
    CardRow,
    Cell,
    Chip,
    ChipRow,
    GameBoard,
    Piece,
    Surface,
    TableCard,
    chip_outline,
    fits_offer,
    piece_letters,
    pieces_of,
)
from companion.game_api.drawing import (
    BARRED,
    GO_ON,
    GROUND,
    HUES,
    INK,
    LAWN,
    LIT,
    OUTLINE,
    PAD,
    PAD_LEFT,
    PAD_RIGHT,
    PAPER,
    PLACE,
    PLACE_LINE,
    SECOND,
    TILE,
    TILE_LEFT,
    TILE_LINE,
    TILE_RIGHT,
    Disc,
    Drawing,
    DrawnShape,
    Polygon,
    Prose,
    Rectangle,
    TextLine,
)
from companion.game_api.stage import CountRow, Stage, StageSeat, Token, Transfer
from companion.game_api.ui import TableView, Values
from companion.web.default_ui.forms import Form
from companion.web.default_ui.lettering import LEADING, fit_prose, letters_wide

_GAP = 0.7
"""Between dashes, in dashes."""
_ANCHORS = {"left": "start", "middle": "middle", "right": "end"}
_ON_STAGE = {
    GROUND: "var(--edge)",
    SECOND: "var(--ink-2)",
    INK: "var(--ink)",
    PLACE: "var(--accent-soft)",
    PLACE_LINE: "var(--accent)",
    PAPER: "var(--sheet)",
    TILE: "var(--tile)",
    TILE_LINE: "var(--tile-line)",
    TILE_LEFT: "var(--tile-left)",
    TILE_RIGHT: "var(--tile-right)",
    LAWN: "var(--lawn)",
    PAD: "var(--pad)",
    PAD_LEFT: "var(--pad-left)",
    PAD_RIGHT: "var(--pad-right)",
    LIT: "var(--lit)",
    GO_ON: "var(--good)",
    BARRED: "var(--bad)",
    **{colour: f"var(--hue-{name.replace('_', '-')})" for name, colour in HUES.items()},
}
"""Colours that a page has in light and in the dark, for drawings that stand on it without paper of their own."""
_COLOUR = re.compile('"(#[0-9a-f]{6})"')
_APART = 0.16
"""Between tokens of a row, in widths of one."""


def as_stage_svg(drawing: Drawing, at: Literal["xMidYMid", "xMinYMid", "xMidYMax"] = "xMidYMid") -> Markup:
    """Write a drawing that stands on the page itself: lines, ground and free places in the page's own colours.

    ``at``: where it stands in a place of another shape: in the middle, at the left, or at the foot.
    """
    svg = str(_on_stage(as_svg(drawing))).replace("<svg ", f'<svg preserveAspectRatio="{at}" ', 1)
    return Markup(svg)  # noqa: S704 - words were escaped before


def _on_stage(svg: Markup) -> Markup:
    """Write colours as the page's own; outlines, the most of them, by a short class."""
    text = str(svg).replace(f'stroke="{OUTLINE}"', 'class="o"')
    text = _COLOUR.sub(lambda colour: f'"{_ON_STAGE.get(colour[1], colour[1])}"', text)
    return Markup(text)  # noqa: S704 - words were escaped before


def token_row(token: Token) -> tuple[Drawing, ...]:
    """Return the drawings that stand side by side for what a player has of something, the missing ones last."""
    if not token.most:
        return (token.drawn,)
    missing = () if token.missing is None else (token.missing,) * (token.most - token.count)
    return (*(token.drawn,) * min(token.count, token.most), *missing)


class StageSprite:
    """Small drawings of a page that are there many times: each is written once, and used by its number."""

    def __init__(self) -> None:
        """Hold no drawing yet."""
        self._numbers: dict[Drawing, int] = {}

    def use(self, drawing: Drawing) -> Markup:
        """Write an SVG element that shows a drawing."""
        return self._placed((drawing,), drawing.width)

    def row(self, token: Token) -> Markup:
        """Write an SVG element that shows tokens side by side, at the left of a place of any width."""
        parts = token_row(token)
        return self._placed(parts, token.drawn.width * (1 + _APART) * max(1, token.most))

    @property
    def symbols(self) -> Markup:
        """Write the drawings that were used."""
        return Markup("").join(
            Markup('<symbol id="drawn-{}" viewBox="0 0 {} {}">{}</symbol>').format(
                number, _n(drawing.width), _n(drawing.height), _on_stage(_shapes(drawing))
            )
            for drawing, number in self._numbers.items()
        )

    def _placed(self, parts: tuple[Drawing, ...], width: float) -> Markup:
        uses = Markup("").join(
            Markup('<use href="#drawn-{}" x="{}" width="{}" height="{}"/>').format(
                self._numbers.setdefault(replace(part, says=""), len(self._numbers)),
                _n(place * part.width * (1 + _APART)),
                _n(part.width),
                _n(part.height),
            )
            for place, part in enumerate(parts)
        )
        return Markup(
            '<svg class="drawn" preserveAspectRatio="{}" viewBox="0 0 {} {}" aria-hidden="true">{}</svg>'
        ).format(
            "xMidYMid" if len(parts) == 1 else "xMinYMid",
            _n(width),
            _n(max((part.height for part in parts), default=1)),
            uses,
        )


def as_svg(drawing: Drawing) -> Markup:
    """Write a drawing as an SVG element that is as large as its place."""
    label = Markup('role="img" aria-label="{}"').format(drawing.says) if drawing.says else Markup('aria-hidden="true"')
    parts = _shapes(drawing)
    size = f"0 0 {_n(drawing.width)} {_n(drawing.height)}"
    named = "drawn free" if drawing.stands_free else "drawn"
    return Markup('<svg class="{}" viewBox="{}" {} focusable="false">{}</svg>').format(named, size, label, parts)


def _shapes(drawing: Drawing) -> Markup:
    # Figures and colours are a game's own, and words are escaped one by one.
    return Markup("".join(_part(shape) for shape in drawing.shapes))  # noqa: S704


def _n(number: float) -> str:
    return f"{number:.1f}".rstrip("0").rstrip(".")


def _width(thick: float) -> str:
    return f"{thick:.2f}".rstrip("0").rstrip(".")


def _painted(shape: Rectangle | Disc | Polygon) -> str:
    line = ""
    if shape.line:
        line = f' stroke="{shape.line}" stroke-width="{_width(shape.thick)}"'
    if shape.line and shape.dash:
        line += f' stroke-dasharray="{_n(shape.dash)} {_n(shape.dash * _GAP)}"'
    return f' fill="{shape.fill or "none"}"{line}'


def _part(shape: DrawnShape) -> str:
    """Write a shape: figures and colours are the game's own, words are escaped."""
    match shape:
        case Rectangle():
            corner = f' rx="{_n(shape.round)}"' if shape.round else ""
            size = f'width="{_n(shape.width)}" height="{_n(shape.height)}"'
            return f'<rect x="{_n(shape.x)}" y="{_n(shape.y)}" {size}{corner}{_painted(shape)}/>'
        case Disc():
            return f'<circle cx="{_n(shape.x)}" cy="{_n(shape.y)}" r="{_n(shape.radius)}"{_painted(shape)}/>'
        case Polygon():
            points = " ".join(f"{_n(x)},{_n(y)}" for x, y in shape.points)
            return f'<{"polygon" if shape.closed else "polyline"} points="{points}"{_painted(shape)}/>'
        case TextLine():
            wide = shape.size * letters_wide(shape.words, bold=shape.bold, heading=shape.heading)
            size_of_type = shape.size * min(1.0, shape.room / wide) if shape.room and wide else shape.size
            return _line(shape, shape.words, shape.x, shape.y, size_of_type)
        case Prose():
            return _prose(shape)


def _prose(prose: Prose) -> str:
    lines, size = fit_prose(prose.words, prose.width, prose.height / LEADING, prose.size)
    text = TextLine(prose.x, prose.y, size, "", colour=prose.colour)
    return "".join(
        _line(text, line, prose.x, prose.y + size * (0.8 + number * LEADING), size) for number, line in enumerate(lines)
    )


def _line(text: TextLine, words: str, x: float, y: float, size: float) -> str:
    turned = f' transform="rotate({_n(text.turned)} {_n(x)} {_n(y)})"' if text.turned else ""
    bold = ' font-weight="700"' if text.bold else ""
    bold = ' font-family="var(--voice)" font-weight="600"' if text.heading else bold
    anchor = f' text-anchor="{_ANCHORS[text.align]}"' if text.align != "left" else ""
    place = f'x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}"'
    return f'<text {place} fill="{text.colour}"{anchor}{bold}{turned}>{escape(words)}</text>'


# Rows of cards, chips, tracks and boards.

_LINE_OF_TRACK = 10
"""Maximum number of spaces of a track in a line where the screen is wide."""
_LINES_OF_CARDS = (5, 20)
"""Maximum number of cards in one line, and in two, on the big screen."""
_LINE_OF_LONG_NAMES = 4
_SHORT, _USUAL = 8, 11
"""Letters of the longest word of a card's name: it is set smaller where there are more."""
MOST_TOLD_APART = 4
"""Maximum number of pieces of a cell that a large screen tells apart; more are listed below the board, too."""
ROOMY = 7
"""A board of so few columns has room for several pieces in a cell of a phone."""


def _name_size(name: str) -> str:
    longest = max(map(len, name.replace("-", " ").split()), default=0)
    return "short" if longest <= _SHORT else "usual" if longest <= _USUAL else "long"


def _is_crowded(cell: Cell, board: GameBoard) -> bool:
    return len(cell.pieces) > (MOST_TOLD_APART if board.columns <= ROOMY else 1)


class SurfaceDrawing:
    """Draws what lies on the table as values for templates; knows which forms the taps on it replace."""

    def __init__(self, surfaces: Sequence[Surface], scene: TableView, forms: Sequence[Form]) -> None:
        """Store what is drawn, for whom, and the forms of what they may do."""
        self._scene, self._surfaces = scene, surfaces
        self._forms = {form.like: form for form in forms}
        self._letters = piece_letters(surfaces)
        self._tapped: dict[str, list[Json]] = {}

    def values(self) -> list[Values]:
        """Return each surface as the templates read it."""
        return [self._values(surface) for surface in self._surfaces]

    def without_tapped(self, forms: Sequence[Form]) -> list[Form]:
        """Return forms, those marked of which the taps that ``values`` has met give every value of a field."""
        return [replace(form, tapped=self._field_of_taps(form)) for form in forms]

    def _field_of_taps(self, form: Form) -> str:
        taps = self._tapped.get(form.like, ())
        for field in form.fields:
            given = {command.get(field.name) for command in taps}
            if field.kind == "one_of" and given.issuperset(choice.value for choice in field.choices):
                return field.name
        return ""

    def _values(self, surface: Surface) -> Values:
        """Return a surface; ``columns`` are those of a wide screen, ``crowd`` the most pieces on a space of a track.

        ``wide``: some of its pieces have two letters.
        """
        cells: list[Json | None] = []
        values: Values = {"title": surface.title, "rows": 0, "columns": 1, "crowds": [], "cells": cells, "long": False}
        values |= {"crowd": 0, "wide": any(len(self._letters_of(piece)) > 1 for piece in pieces_of((surface,)))}
        if isinstance(surface, ChipRow):
            chips = [{"piece": self._piece(chip), "count": count} for chip, count in surface.chips]
            return {**values, "kind": "chips", "chips": chips}
        if isinstance(surface, CardRow):
            cards = [self._card(card) for card in surface.cards]
            lines = sum(len(cards) > most for most in _LINES_OF_CARDS) + 1
            long = any(card["size"] == "long" for card in cards)
            columns = max(1, min(ceil(len(cards) / lines), _LINE_OF_LONG_NAMES if long else len(cards)))
            return {**values, "kind": "cards", "cards": cards, "columns": columns, "long": long}
        cells += [None if cell is None else self._cell(cell) for cell in surface.laid()]
        if isinstance(surface, GameBoard):
            shared_cells = [self._shared_cell(cell) for cell in surface.cells if _is_crowded(cell, surface)]
            return {**values, "kind": "board", "crowds": shared_cells, "columns": surface.columns, "rows": surface.rows}
        shared_cells = [self._shared_cell(cell) for cell in surface.laid() if len(cell.pieces) > 1]
        most = max((len(shared["pieces"]) for shared in shared_cells), default=0)
        columns = min(len(cells), _LINE_OF_TRACK)
        return {**values, "kind": "track", "crowd": most, "crowds": shared_cells, "columns": columns}

    def _cell(self, cell: Cell) -> Values:
        words = self._scene.words
        height = words.say("height {height}", height=cell.height) if cell.height else ""
        said = (cell.name, "" if cell.label in cell.name else cell.label, height, *map(self._said, cell.pieces))
        return {
            "says": ", ".join(part for part in said if part),
            "label": cell.label,
            "shade": cell.shade,
            "height": cell.height,
            "pieces": [self._piece(piece) for piece in cell.pieces],
            "tap": self._tap(cell),
        }

    def _shared_cell(self, cell: Cell) -> Values:
        """Return the pieces of a cell that has no room for each of them, at least on a phone."""
        pieces = [self._piece(piece) for piece in cell.pieces]
        return {"name": cell.label or cell.name, "pieces": pieces, "on_phones": len(pieces) <= MOST_TOLD_APART}

    def _card(self, card: TableCard) -> Values:
        figures = (f"{label} {figure}" for label, figure in card.facts)
        said = (card.name, *figures, card.text, *map(self._said, card.pieces))
        return {
            "says": ", ".join(part for part in said if part),
            "card": card,
            "size": _name_size(card.name),
            "drawn": "" if card.drawn is None else as_stage_svg(replace(card.drawn, says="")),
            "pieces": [self._piece(piece) for piece in card.pieces],
            "tap": self._tap(card),
        }

    def _piece(self, piece: Piece) -> Values:
        if isinstance(piece, Chip):
            return {
                "player": "",
                "says": piece.says,
                "letters": self._letters_of(piece),
                "drawn": as_stage_svg(chip_outline(piece)),
            }
        return {"player": piece.player, "says": self._said(piece), "letters": self._letters_of(piece), "drawn": ""}

    def _letters_of(self, piece: Piece) -> str:
        if isinstance(piece, Chip) or piece.says:
            return self._letters.get(piece.says, "")
        return self._scene.initials.get(piece.player, "?")

    def _said(self, piece: Piece) -> str:
        """Return what a piece is called."""
        if isinstance(piece, Chip):
            return piece.says
        player = self._scene.names.get(piece.player, piece.player)
        return self._scene.words.say("{name}: {value}", name=player, value=piece.says) if piece.says else player

    def _tap(self, place: Cell | TableCard) -> Json | None:
        """Return what a tap on a place does: its whole command, or the form in which the rest is chosen.

        ``None`` where no offer allows its command, or several do, so that it would not be clear who gives it.
        """
        if place.command is None:
            return None
        command = place.command
        fitting = [offer for offer in self._scene.offers if fits_offer(command, offer)]
        if len(fitting) != 1:
            return None
        (offer,) = fitting
        settled = self._scene.command(offer)
        rest = [name for name in offer["fields"] if name not in command]
        title = self._scene.words.verb(offer["do"])
        form = self._form_of(offer, settled)
        if form is not None:
            self._tapped.setdefault(form.like, []).append(command)
        if not rest:
            return {"title": title, "command": {**settled, **command}, "like": "", "chosen": {}}
        if form is None:
            return None
        chosen = {name: value for name, value in command.items() if name in offer["fields"]}
        return {"title": title, "command": {}, "like": form.like, "chosen": chosen}

    def _form_of(self, offer: Json, settled: Json) -> Form | None:
        """Return the form of an offer: its own, or the one in which offers of its kind are joined."""
        player = offer.get("player")
        joined = (form for form in self._forms.values() if form.wording.is_joined)
        alike = (form for form in joined if form.command["do"] == offer["do"] and form.player == player)
        opens = {name: field.get("least", field.get("count", 0)) for name, field in offer["fields"].items()}
        own = (form for form in self._forms.values() if form.command == settled and form.opens == opens)
        return next(own, None) or next(alike, None)


def read_tapped(text: str) -> Json:
    """Return the values that were tapped on the table, by field; none where the address of a form says nonsense."""
    try:
        tapped = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return tapped if isinstance(tapped, dict) else {}


# The stage: what its templates are drawn with.


def stage_values(stage: Stage) -> Values:
    """Return what the stage's templates are drawn with: sentences, and drawings as SVG."""
    sprite = StageSprite()
    values = {
        "stage": stage,
        "size": _headline_size(stage.title),
        "picture": as_stage_svg(stage.picture, "xMidYMax") if stage.picture else "",
        "upright": as_stage_svg(upright) if (upright := stage.upright or stage.picture) else "",
        "transfers": [transfer_values(transfer) for transfer in stage.transfers],
        "legend": as_stage_svg(stage.legend, "xMinYMid") if stage.legend else "",
        "plan": _plan_values(stage.plan) if stage.plan else None,
        "columns": {player: as_stage_svg(drawn, "xMidYMax") for player, drawn in stage.columns.items()},
        "lost": _row_values(stage.lost, sprite) if stage.lost else None,
        "counts": [_count_values(row, sprite) for row in stage.counts],
        "held": {player: _seat_values(seat, sprite) for player, seat in stage.seats.items()},
    }
    return {**values, "symbols": sprite.symbols}


def _plan_values(plan: Drawing) -> Values:
    """Return a picture whose places are tapped, with its size in the units of these places."""
    return {"svg": as_stage_svg(plan), "width": plan.width, "height": plan.height}


def transfer_values(transfer: Transfer) -> Values:
    """Return what goes from one player to another; its drawings stand alone, for parts of pages that are fetched."""
    pieces = [(part.drawn, part.count) for part in transfer.pieces]
    return {
        "giver": transfer.giver,
        "taker": transfer.taker,
        "amount": transfer.amount,
        "pieces": [{"says": drawn.says, "drawn": silent_svg(drawn), "count": count} for drawn, count in pieces],
        "named": [{"says": drawn.says, "drawn": silent_svg(drawn)} for drawn in transfer.named],
    }


def silent_svg(drawing: Drawing) -> str:
    """Write a drawing beside which the page says what it shows."""
    return as_stage_svg(replace(drawing, says=""))


def _headline_size(title: str) -> int:
    """Return how many steps smaller a headline is set: by its longest word, and by all of it."""
    longest = max((len(word) for word in title.replace("-", "- ").split()), default=0)
    steps = (_HEADLINE_LETTERS, _HEADLINE_WORD)
    return max(sum(count > most for most in mosts) for count, mosts in zip((len(title), longest), steps, strict=True))


def _seat_values(seat: StageSeat, sprite: StageSprite) -> Values:
    return {
        "tokens": [_row_values(token, sprite) for token in seat.tokens],
        "tool": as_stage_svg(seat.tool) if seat.tool else "",
    }


def _row_values(token: Token, sprite: StageSprite) -> Values:
    return {
        "title": token.title,
        "count": token.count,
        "row": sprite.row(token),
        "alone": not token.most,
    }


def _count_values(row: CountRow, sprite: StageSprite) -> Values:
    counts = [{"says": part.drawn.says, "drawn": sprite.use(part.drawn), "count": part.count} for part in row.counts]
    return {"label": row.label, "counts": counts}


_HEADLINE_LETTERS = (26, 38, 52)
_HEADLINE_WORD = (12, 14, 17)
"""Maximum letters of a headline, and of its longest word, in the largest type, the second and the third."""
