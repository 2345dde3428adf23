"""Forms filled with what a command says: of a deal that was asked for, and those that put an entry of a game right."""

from dataclasses import MISSING, replace
from typing import Any

from companion.engine.journal import Json
from companion.game_api.edit_forms import changeable, other_members
from companion.game_api.ui import SheetRequest, TableView, Values
from companion.service.table.past import position_json_before
from companion.service.table.table import Table
from companion.web.default_ui.forms import Choice, Form, OpenField, forms, usual_values


def turned_round(form: Form, command: Json) -> Json | None:
    """Return what the form of a deal holds where the other one has asked for it with ``command``.

    What they would give, the form gets, and the other way round; ``None`` where it has no field for something.
    """
    mine, yours = (part for part in form.fields if part.side)
    chosen = {mine.name: command.get(yours.name) or {}, yours.name: command.get(mine.name) or {}}
    for side in (mine, yours):
        fields = {part.name.rpartition(".")[2] for part in side.parts}
        if any(value and name not in fields for name, value in chosen[side.name].items()):
            return None
    return chosen


def filled_deal(form: Form, chosen: Json) -> Form:
    """Return the form of a deal that holds at first what ``chosen`` names; what it cannot hold is left out."""
    sides: list[OpenField] = []
    for side in form.fields:
        named = chosen.get(side.name) if side.side else None
        values: Json = named if isinstance(named, dict) else {}
        parts = tuple(_holding(part, values.get(part.name.rpartition(".")[2])) for part in side.parts)
        sides.append(replace(side, parts=parts))
    return replace(form, fields=tuple(sides))


def _holding(part: OpenField, value: object) -> OpenField:
    match value:
        case int() if part.kind == "amount":
            return replace(part, start=value)
        case dict() if part.kind == "bag":
            counts: dict[str, object] = value
            return replace(part, choices=tuple(_counted(choice, counts.get(choice.value)) for choice in part.choices))
        case list() if part.kind == "some_of":
            return replace(part, choices=tuple(replace(each, at=int(each.value in value)) for each in part.choices))
        case _:
            return part


def _counted(choice: Choice, count: object) -> Choice:
    return replace(choice, at=min(max(count, 0), choice.most)) if isinstance(count, int) else choice


def _may_say(form: Form, command: Json) -> bool:
    """Return whether a form can be filled with all that a command says."""
    is_simple = all(part.kind not in ("parts", "whole") and command.get(part.name) is not None for part in form.fields)
    return bool(form.fields) and is_simple and _is_settled(form, command, set())


def _filled(part: OpenField, value: Any) -> OpenField:
    """Return an open field as it is once ``value`` was chosen; a choice of one, and dice, are marked by the page."""
    match part.kind:
        case "amount":
            return replace(part, start=value)
        case "bag":
            return replace(
                part, choices=tuple(replace(choice, at=value.get(choice.value, 0)) for choice in part.choices)
            )
        case "some_of":
            return replace(
                part, choices=tuple(replace(choice, at=int(choice.value in value)) for choice in part.choices)
            )
        case _:
            return part


def _says_no_more(form: Form, command: Json, names: set[str]) -> bool:
    """Return whether all that a form leads to can be said by changing the fields of these names in a command."""
    return {part.name for part in form.fields} <= names and _is_settled(form, command, names)


def _is_settled(form: Form, command: Json, but: set[str]) -> bool:
    return all(command.get(key) == value for key, value in form.command.items() if key not in but)


class DefaultAmendForms:
    """An entry is left out, changed in its fields, or another command that was offered then takes its place."""

    def asked(self, scene: TableView, table: Table, entry: Json, draft: Json, ask: SheetRequest) -> Values:
        """Return the form of the entry's own fields, and what else could have been done at that moment, a form each."""
        before = position_json_before(table, entry["seq"], ask.viewer)
        if before is None:
            others: list[Form] = []
        else:
            then = replace(
                scene, position=before["position"], overview=before["overview"], offers=tuple(before["offers"])
            )
            others = forms(then, then.offers, table.game.messages)
        fields = changeable(table.game.messages, scene, draft)
        usual = usual_values(table.game.messages.command(draft["do"]))
        says = {**{key: value for key, value in usual.items() if value is not MISSING}, **draft}
        same = None if fields else next((form for form in others if _may_say(form, says)), None)
        if fields:  # the entry's own form does the same
            others = [other for other in others if other.command["do"] != draft["do"]]
        names = {field.name for field in (same.fields if same else fields)}
        return {
            "fields": fields,
            "rest": other_members(draft, fields),
            "same": same and replace(same, fields=tuple(_filled(part, says[part.name]) for part in same.fields)),
            "says": says,
            "others": [form for form in others if not _says_no_more(form, says, names)],
        }

    def lines(self, scene: TableView, command: Json, instead: Json) -> Values:
        """Return no lines beside the events."""
        del scene, command, instead
        return {}
