"""The journal on pages: entries in words, their correction with a preview, and earlier positions."""

import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import partial

from companion.engine.game import BANKER, Refused
from companion.engine.journal import Json
from companion.game_api.messages import FieldType, field_types
from companion.game_api.stage import CorrectableFigure, FigureAmount
from companion.game_api.ui import GameUI, SheetRequest, TableView, Values
from companion.service.table.amend import in_words
from companion.service.table.history import AMENDED, HISTORY_EVENTS, REDONE, UNDONE, amendable, effective_json, names_of
from companion.service.table.past import ExplainedChange, explain, overview_at, position_json_at
from companion.service.table.table import Request, Table
from companion.web.http.caches import fragments
from companion.web.http.language import timezone

UNDO_EVENTS = frozenset({UNDONE, REDONE})


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalRow:
    """One entry in words as it is effective now: the act, what followed (``after``), whose it was, and its time.

    ``walked``: it undid or redid another entry; ``corrected``: it put something right.
    """

    seq: int
    act: str
    after: tuple[str, ...]
    player: str | None
    time: str
    undone: bool
    amended: bool
    walked: bool
    corrected: bool
    amendable: bool


def entry_rows(scene: TableView, most: int = 24, until: int | None = None) -> list[JournalRow]:
    """Return the latest entries in words, newest first; ``until``: of that number of first entries."""
    return _rows_of(scene, scene.entries[:until][-most:], (scene.table, scene.words.language, timezone()))


BLOCK = 8
"""Neighbouring entries that are drawn together once there are so many."""


@dataclass(frozen=True, slots=True)
class RowBlock:
    """Entries to be drawn as one fragment: which ones and for whom (``key``), and all that their rows depend on."""

    key: tuple[Hashable, ...]
    values: tuple[object, ...]
    rows: Callable[[], Sequence[JournalRow]]


def entry_blocks(scene: TableView, most: int = 24, crops: AbstractSet[int] = frozenset()) -> Iterator[RowBlock]:
    """Return the latest entries, newest first, to be drawn; ``crops``: the numbers of those with a picture."""
    reader, end = (scene.table, scene.words.language, timezone()), len(scene.entries)
    first = max(0, end - most)
    while end > first:
        start = end - BLOCK if end % BLOCK == 0 and end - BLOCK >= first else end - 1
        shown = scene.entries[start:end]
        write = partial(_rows_of, scene, shown, reader)
        # What speaks of other entries is another line where these are: then lines are compared instead.
        compared = write() if any(HISTORY_EVENTS & names_of(entry["events"]) for entry in shown) else shown
        pictures = crops and crops & {entry["seq"] for entry in shown}
        yield RowBlock((*reader, start, end), (compared, scene.names, scene.catalog, pictures), write)
        end = start


def _rows_of(scene: TableView, entries: Sequence[Json], reader: tuple[Hashable, ...]) -> list[JournalRow]:
    rows = [_entry_row_kept(scene, entry, reader) for entry in reversed(entries)]
    return [row for row in rows if row.act]


BEFORE, AFTER = 8, 30
"""Entries that are shown beside the one that is put right: those that led there, and those that follow from it."""


def _rows_around(scene: TableView, seq: int) -> list[JournalRow]:
    until = min(len(scene.entries), seq + AFTER)
    return entry_rows(scene, until - max(0, seq - BEFORE - 1), until)


def _entry_row_kept(scene: TableView, entry: Json, reader: tuple[Hashable, ...]) -> JournalRow:
    """Return one entry in words, those of an earlier page of ``reader`` where the entry is still the same."""
    compute = partial(entry_row, scene, entry, scene.entries)
    if HISTORY_EVENTS & names_of(entry["events"]):
        return compute()
    return fragments().get(("entry", entry["seq"], *reader), (entry, scene.names, scene.catalog), compute)


def entry_row(scene: TableView, entry: Json, entries: Sequence[Json]) -> JournalRow:
    """Return one entry in words as it is effective now."""
    events = list(effective_json(entry)["events"])
    first, rest = (events[0], events[1:]) if events else ({}, [])
    words = scene.words
    after = tuple(words.event(event, scene.names, scene.catalog) for event in rest if event["event"] not in scene.quiet)
    return JournalRow(
        seq=entry["seq"],
        act=_act(scene, entry, entries),
        after=tuple(_outcome(scene, first)) if first.get("event") == AMENDED else after,
        player=first.get("player") if first.get("player") in scene.names else None,
        time=words.moment(str(entry.get("at", ""))),
        undone=bool(entry.get("undone")),
        amended=bool(entry.get("amended")),
        walked=first.get("event") in UNDO_EVENTS,
        corrected=first.get("event") in scene.corrected | {AMENDED},
        amendable=amendable(entry),
    )


def _act(scene: TableView, entry: Json, entries: Sequence[Json]) -> str:
    first = next(iter(effective_json(entry)["events"]), None)
    if first is None:
        return ""
    if first["event"] in UNDO_EVENTS:
        target = next((other for other in entries if other["seq"] == first.get("entry")), None)
        act = _act(scene, target, entries) if target else ""
        sentence = "Undone: {act}" if first["event"] == "EntryUndone" else "Redone: {act}"
        return scene.words.say(sentence, act=act)
    if first["event"] == AMENDED:
        return scene.words.say("Corrected: {act}", act=_amended_act(scene, first, entries))
    return scene.words.event(first, scene.names, scene.catalog)


def _amended_act(scene: TableView, outcome: Json, entries: Sequence[Json]) -> str:
    """Return what stood before: as the entry was given."""
    target = next((other for other in entries if other["seq"] == outcome["entry"]), None)
    events = target["events"] if target else ()
    return scene.words.event(events[0], scene.names, scene.catalog) if events else ""


def _outcome(scene: TableView, outcome: Json) -> list[str]:
    """Return what an amend has led to: what stands instead, and how many later entries it touched."""
    words, entry = scene.words, outcome["entry"]
    instead = next((decided["events"] for decided in outcome["decided"] if decided["entry"] == entry), ())
    lines = [words.event(event, scene.names, scene.catalog) for event in instead[:1]] or [words.say("Removed")]
    changed = sum(decided["entry"] != entry for decided in outcome["decided"])
    refused = sum(seq != entry for seq in outcome["left_out"])
    if changed:
        lines.append(words.several("{count} later entry changed", "{count} later entries changed", changed))
    if refused:
        lines.append(words.several("{count} later entry removed", "{count} later entries removed", refused))
    return lines


# Correcting an entry: the form for another command, and a preview of its effects


@dataclass(frozen=True)
class ChangedEntry:
    """One entry of a preview in words: its act, the lines that go, the lines that come, and why it is refused."""

    seq: int
    player: str | None
    act: str
    was: list[str]
    now: list[str]
    why: str | None = None


@dataclass(frozen=True)
class AmendPreview:
    """The effects of an amend in words.

    ``money``: player, cash before and after.  ``then``: the scene after the amend, with its sentence.
    """

    entry: ChangedEntry
    changes: list[ChangedEntry]
    refused: list[ChangedEntry]
    money: list[tuple[str, int | None, int | None]]
    then: TableView
    sentence: str
    places: Json
    command: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class AmendSheet:
    """The sheet on which a standing entry is put right.

    ``around``: the entries around it, newest first.  ``form``: the game's values for the replacement, and after a
    preview its lines; ``no``: why the replacement is refused.
    """

    entry: Json
    do: str
    row: JournalRow
    around: list[JournalRow]
    may_leave: bool
    form: Values
    preview: AmendPreview | None
    no: str | None


def amend_sheet(scene: TableView, ui: GameUI, ask: SheetRequest) -> AmendSheet | None:
    """Return the amend sheet for entry ``seq``; ``None`` if that entry does not stand.

    The preview is for ``instead``, the new command as JSON, ``null`` to remove the entry; ``draft`` is a command that
    was previewed before and may be changed further.
    """
    args, table = ask.args, ask.table
    entry = _effective_entry(scene, args.get("seq", ""))
    if entry is None:
        return None
    command: Json = entry["command"]
    chosen, instead = _parse_replacement(args.get("instead", ""))
    draft = instead or _parse_replacement(args.get("draft", ""))[1] or command
    draft = draft if draft.get("do") == command["do"] else command
    form, preview, no = ui.amending.asked(scene, table, entry, draft, ask), None, None
    if chosen:
        try:
            preview = _preview(scene, ui, table, {"do": "amend", "seq": entry["seq"], "with": instead})
            if instead is not None:
                form = form | ui.amending.lines(scene, command, instead)
        except Refused as refused:
            no = scene.words.refusal(refused.rule, refused.details, scene.names, scene.catalog)
    return AmendSheet(
        entry=entry,
        do=command["do"],
        row=entry_row(scene, entry, scene.entries),
        around=_rows_around(scene, entry["seq"]),
        may_leave=entry["seq"] != 1,
        form=form,
        preview=preview,
        no=no,
    )


def _effective_entry(scene: TableView, seq: str) -> Json | None:
    """Find a standing entry of the game itself, with the command and events that it stands with."""
    entry = next((entry for entry in scene.entries if str(entry["seq"]) == seq), None)
    if entry is None or not amendable(entry):
        return None
    return {**entry, **effective_json(entry)}


def _parse_replacement(instead: str) -> tuple[bool, Json | None]:
    try:
        command = json.loads(instead)
    except (ValueError, RecursionError):
        return False, None
    return (True, command) if command is None or isinstance(command, dict) else (False, None)


def _preview(scene: TableView, ui: GameUI, table: Table, command: Json) -> AmendPreview:
    preview = table.preview(Request(command, BANKER, "tap"))
    after = replace(scene, position=preview["position"], offers=())
    preview = in_words(preview, lambda rule, details: after.words.refusal(rule, details, after.names, after.catalog))
    sentence, places = ui.sentence(after)
    entry, *later = [_changed_entry(scene, change) for change in preview["changes"]]
    return AmendPreview(
        entry=entry,
        changes=[entry for entry in later if entry.was or entry.now],
        refused=[_changed_entry(scene, change) for change in preview["refused"]],
        money=[(player, amounts["before"], amounts["after"]) for player, amounts in preview["money"].items()],
        then=after,
        sentence=sentence,
        places=places,
        command={**command, "confirm": True},
    )


def _changed_entry(scene: TableView, change: Json) -> ChangedEntry:
    before, after = _described(scene, change["before"]), _described(scene, change.get("after", ()))
    was, now = [line for line in before if line not in after], [line for line in after if line not in before]
    player = change["before"][0].get("player") if change["before"] else None
    return ChangedEntry(
        seq=change["seq"],
        player=player if player in scene.names else None,
        act=before[0] if before else "",
        was=was,
        now=now,
        why=change.get("refused"),
    )


def _described(scene: TableView, events: Sequence[Json]) -> list[str]:
    """Return what happened, and what followed as far as it is worth telling."""
    worth_saying = [event for place, event in enumerate(events) if place == 0 or event["event"] not in scene.quiet]
    return [scene.words.event(event, scene.names, scene.catalog) for event in worth_saying]


# A figure explained: what changed it, newest first


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeLine:
    """A change of a figure in words: ``balance`` is what it was then, ``title`` that of its ``rule`` (empty: none)."""

    seq: int
    says: str
    time: str
    amount: int
    balance: int
    rule: str
    title: str
    player: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedFigure:
    """How a figure came about.

    ``kind`` is what figure it is, such as ``player`` for money, and ``player`` whose; ``name`` is that player's or
    card's.
    """

    kind: str
    player: str | None
    name: str
    balance: int
    lines: list[ChangeLine]


def explained_figure(scene: TableView, table: Table, account: str, viewer: str) -> ExplainedFigure:
    """Return to a viewer how a figure came about.  Raises ``UnknownAccount`` and ``Forbidden``."""
    explanation = explain(table, account, viewer)
    kind, _, name = account.partition(":")
    return ExplainedFigure(
        kind=kind,
        player=name if name in scene.players else None,
        name=scene.names[name] if name in scene.names else scene.words.card(name, scene.catalog) if name else "",
        balance=explanation.balance,
        lines=[_change_line(scene, line) for line in reversed(explanation.lines)],
    )


def _change_line(scene: TableView, line: ExplainedChange) -> ChangeLine:
    player = line.event.get("player")
    return ChangeLine(
        seq=line.seq,
        says=scene.words.event(line.event, scene.names, scene.catalog),
        time=scene.words.moment(line.at),
        amount=line.amount,
        balance=line.balance,
        rule=line.rule,
        title=scene.words.say_in("rulebook", line.rule) if line.rule else "",
        player=player if player in scene.names else None,
    )


# Correcting a figure: which ones there are, what else it may be, and what follows from it


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureSheet:
    """The sheet on which a figure of the table is put right.

    ``figures``: those to choose from, or of all once ``figure`` is chosen; ``instead`` is its new value in words, with
    the ``command`` that sets it; ``follows``: what the journal will say; ``no``: why it cannot be; ``reason``: one is
    needed; ``explained``: how the figure came about, where it is an account of the ledger.
    """

    player: str | None
    figures: Sequence[CorrectableFigure]
    figure: CorrectableFigure | None = None
    instead: str = ""
    command: Json | None = None
    follows: Sequence[str] = ()
    no: str | None = None
    reason: bool = False
    explained: ExplainedFigure | None = None


def figure_sheet(scene: TableView, ask: SheetRequest) -> FigureSheet:
    """Return the figures of a player, or of the table; after one was chosen its values, then what follows."""
    table: Table = ask.table
    corrections = table.game.part("corrections")
    every: Sequence[CorrectableFigure] = () if corrections is None else corrections.figures(scene)
    player = ask.args.get("player") if ask.args.get("player") in scene.players else None
    chosen = next((figure for figure in every if figure.key == ask.args.get("figure")), None)
    if chosen is None:
        return FigureSheet(player=player, figures=[figure for figure in every if figure.player == player])
    asked, command = _parse_replacement(ask.args.get("instead", ""))
    explained = explained_figure(scene, table, chosen.account, ask.viewer) if chosen.account else None
    sheet = FigureSheet(player=chosen.player, figures=every, figure=chosen, explained=explained)
    instead = _new_value(scene, chosen, command) if asked and command else None
    if command is None or instead is None:
        return sheet
    command = _moving(chosen.amount, command)
    needs_reason = any(field.name == "reason" for field in _fields_of(table, command))
    complete = {**command, "reason": scene.words.say("as it lies on the table")} if needs_reason else command
    try:
        events = table.foresee(Request(complete, BANKER, "tap"))
    except Refused as refused:
        return replace(sheet, no=scene.words.refusal(refused.rule, refused.details, scene.names, scene.catalog))
    follows = _described(scene, events)
    return replace(sheet, instead=instead, command=command, follows=follows, reason=needs_reason)


def _fields_of(table: Table, command: Json) -> Iterable[FieldType]:
    kind = table.game.messages.command(command.get("do", ""))
    return field_types(kind).values() if kind else ()


def _new_value(scene: TableView, figure: CorrectableFigure, command: Json) -> str | None:
    """Return the new value that a command gives a figure, in words; ``None`` where it is none of the figure's."""
    for choice in figure.choices:
        if choice.command == command:
            return choice.says
    given = {key: value for key, value in command.items() if key not in (figure.text, _amount_field(figure))}
    if given != figure.command:
        return None
    if figure.amount is not None and type(command.get(figure.amount.field)) is int:
        return str(scene.words.money(command[figure.amount.field]))
    text = command.get(figure.text) if figure.text else None
    return text if isinstance(text, str) else None


def _moving(amount: FigureAmount | None, command: Json) -> Json:
    """Return the command that moves what is missing, where a game moves an amount instead of setting it."""
    if amount is None or amount.more is None or amount.less is None:
        return command
    missing = command[amount.field] - amount.value
    return {**(amount.more if missing > 0 else amount.less), amount.field: abs(missing)}


def _amount_field(figure: CorrectableFigure) -> str:
    return "" if figure.amount is None else figure.amount.field


# Stepping back: the table after an earlier entry


@dataclass(frozen=True, slots=True, kw_only=True)
class PastPosition:
    """The table as it stood after an entry (``scene``, with its sentence), and the entries before and after it."""

    seq: int
    latest: int
    before: int | None
    after: int | None
    row: JournalRow
    scene: TableView
    sentence: str
    places: Values


def past_position(scene: TableView, ui: GameUI, table: Table, viewer: str, args: Mapping[str, str]) -> PastPosition:
    """Return how all stood after the entry ``seq``, or after the latest if there is no such entry."""
    latest = len(scene.entries)
    seq = _seq(scene, args)
    position = position_json_at(table, seq, viewer)["position"]
    earlier = replace(
        scene,
        position=position,
        overview=overview_at(table, seq),
        offers=(),
        proposals=(),
        entries=scene.entries[:seq],
        scores=(),
    )
    sentence, places = ui.sentence(earlier)
    return PastPosition(
        seq=seq,
        latest=latest,
        before=seq - 1 if seq > 1 else None,
        after=seq + 1 if seq < latest else None,
        row=entry_row(scene, scene.entries[seq - 1], scene.entries),
        scene=earlier,
        sentence=sentence,
        places=places,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryPicture:
    """The picture of an entry, whether it is ``there``, and the entries with pictures before and after it."""

    seq: int
    row: JournalRow
    there: bool
    before: int | None
    after: int | None


def entry_picture(scene: TableView, visible: frozenset[int], args: Mapping[str, str]) -> EntryPicture:
    """Return the picture of entry ``seq``; ``visible`` are the entries whose pictures the viewer may see."""
    seq = _seq(scene, args)
    return EntryPicture(
        seq=seq,
        row=entry_row(scene, scene.entries[seq - 1], scene.entries),
        there=seq in visible,
        before=max((number for number in visible if number < seq), default=None),
        after=min((number for number in visible if number > seq), default=None),
    )


def _seq(scene: TableView, args: Mapping[str, str]) -> int:
    """Read which entry is asked for; a wild wish means the latest."""
    wish, latest = args.get("seq", "").lstrip("0"), len(scene.entries)
    return int(wish) if wish.isascii() and wish.isdigit() and 1 <= int(wish[:10]) <= latest else latest
