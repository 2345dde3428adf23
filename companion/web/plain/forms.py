"""Offers as forms: each open field is drawn by its kind."""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.engine.json_values import Json
from companion.gamekit.seen import Seen
from companion.web.plain.figures import said


@dataclass(frozen=True, slots=True)
class Choice:
    """One value that a field may hold: as the form sends it, in words; ``also`` is merged into the command as JSON."""

    value: str
    says: str
    also: Json | None = None


@dataclass(frozen=True, slots=True)
class Open:
    """An open field: ``kind`` as in the offer, what may be chosen, or between which amounts."""

    name: str
    label: str
    kind: str
    choices: tuple[Choice, ...] = ()
    least: int = 0
    most: int = 0
    step: int = 1


@dataclass(frozen=True, slots=True)
class Form:
    """An offer as it is drawn: ``command`` are its settled fields; without ``fields`` one button does it."""

    title: str
    command: Json
    player: str | None
    urgency: str
    fields: tuple[Open, ...]
    settled: str


def forms(scene: Seen, offers: Sequence[Json]) -> list[Form]:
    """Lay all offers out."""
    return [_form(scene, offer) for offer in offers]


def _form(scene: Seen, offer: Json) -> Form:
    command = scene.command(offer)
    settled = [said(scene, held) for key, held in command.items() if key not in ("do", "player")]
    return Form(
        title=scene.words.verb(offer["do"]),
        command=command,
        player=offer.get("player") or offer.get("by"),
        urgency=offer["urgency"],
        fields=tuple(_open(scene, name, field) for name, field in offer["fields"].items()),
        settled=", ".join(one for one in settled if one),
    )


def _open(scene: Seen, name: str, field: Json) -> Open:
    label, kind = scene.words.named("field", name), field["kind"]
    match kind:
        case "amount":
            return Open(name, label, kind, least=field["least"], most=field["most"], step=field["step"])
        case "some_of":
            choices = _each(scene, field["values"])
            return Open(name, label, kind, choices, least=field["least"], most=field["most"])
        case "one_of":
            return Open(name, label, kind, _each(scene, field["values"]))
        case _:
            whole = enumerate(field.get("values", ()))
            choices = tuple(Choice(str(number), said(scene, one), {name: one}) for number, one in whole)
            return Open(name, label, "whole", choices or (Choice("", scene.words.say("nothing"), {name: {}}),))


def _each(scene: Seen, values: Sequence[str]) -> tuple[Choice, ...]:
    return tuple(Choice(value, said(scene, value)) for value in values)
