"""Figures of a position as lines of a page, and offers as forms, field by field."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, replace
from dataclasses import fields as dataclass_fields
from typing import Any

from companion.engine.game import BANKER
from companion.engine.journal import Json
from companion.game_api.messages import FieldType, Holds, Messages, field_types
from companion.game_api.ui import OfferTexts, OfferValue, OfferWording, TableView, TextContext

HIDDEN = frozenset({"name"})
DEEPEST = 2


@dataclass(frozen=True, slots=True)
class DisplayLine:
    """A figure of a position: its ``label`` and what it says."""

    key: str
    label: str
    says: str


def figure_lines(scene: TableView, part: Any) -> list[DisplayLine]:
    """Return the figures of a part of a position, those that say something."""
    if not isinstance(part, Mapping):
        return []
    lines = (
        DisplayLine(str(key), scene.words.named("field", str(key)), figure(scene, str(key), value))
        for key, value in part.items()
        if key not in HIDDEN
    )
    return [line for line in lines if line.says]


def figure(scene: TableView, key: str, value: Any) -> str:
    """Put a figure into words as the game does, or as any value."""
    own = scene.words.described_figure(key, value, scene.names, scene.catalog)
    return phrase(scene, value) if own is None else own


def _called(scene: TableView, value: str) -> str:
    """Name a card, or an id of the game's own as its words under ``value`` do."""
    card = str(scene.words.card(value, scene.catalog))
    return str(scene.words.say_in("value", value)) if card == value else card


def phrase(scene: TableView, value: Any, depth: int = 0) -> str:
    """Put a value into words: players by name, cards by title, lists with *and*."""
    match value:
        case None | "":
            return ""
        case bool():
            return str(scene.words.say("yes") if value else scene.words.say("no"))
        case str():
            return str(scene.names.get(value) or _called(scene, value))
        case Mapping() if depth < DEEPEST:
            parts = [(phrase(scene, str(key)), phrase(scene, part, depth + 1)) for key, part in value.items()]
            return ", ".join(scene.words.say("{name}: {value}", name=name, value=says) for name, says in parts if says)
        case list() | tuple():
            return str(scene.words.listed(words for part in value if (words := phrase(scene, part, depth + 1))))
        case _:
            return str(value)


MAX_INLINE_CHOICES = 8
MAX_BUTTON_CHOICES = 3
"""Choices of a single field that are a button each, at most."""
_EMPTY: Mapping[str, Callable[[], Any]] = {"some_of": list, "bag": dict, "parts": dict}
_MONEY = FieldType("", Holds("money"))
"""What an amount within parts holds, such as that of a side of a deal."""
COVERED_STEPS = 1000
"""How many steps an amount of money may be put up to where the tablet covers how much there is."""
SHORT_LABEL_LETTERS = 4
"""Letters, at most, of a label that needs no line of its own, such as the name of a cell."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One value that a field may hold: as the form sends it, in words; ``also`` is merged into the command as JSON.

    ``most``: how many of it there may be, in a bag; ``at``: how many are chosen at first.  ``drawn``: how it is drawn,
    in games that draw it; ``on_page``: the words that the game has for it.  ``is_card``: it is a card of the catalog.
    """

    value: str
    says: str
    also: Json | None = None
    most: int = 0
    at: int = 0
    drawn: str = ""
    on_page: OfferValue | None = None
    is_card: bool = False

    @property
    def fills(self) -> str:
        """Return what a bag holds once this is chosen, as a page reads it."""
        return "" if self.on_page is None or not self.on_page.fills else json.dumps(dict(self.on_page.fills))


@dataclass(frozen=True, slots=True)
class OpenField:
    """An open field: ``kind`` as in the offer, what may be chosen, between which amounts, or of which parts it is.

    ``side``: the player whose things its parts are, in a deal of two.  ``start``: the amount at first; ``None``: the
    least.
    """

    name: str
    label: str
    kind: str
    choices: tuple[Choice, ...] = ()
    least: int = 0
    most: int = 0
    step: int = 1
    parts: tuple["OpenField", ...] = ()
    side: str = ""
    start: int | None = None

    @property
    def at(self) -> int:
        """Return the amount at first, between the limits."""
        return self.least if self.start is None else min(max(self.start, self.least), self.most)

    @property
    def arrangement(self) -> str:
        """How its choices are laid: a few as they come, many one under the other, many short ones side by side."""
        if any(choice.on_page is not None and choice.on_page.area is not None for choice in self.choices):
            return "plan"
        if len(self.choices) <= MAX_INLINE_CHOICES:
            return ""
        return "many brief" if all(len(choice.says) <= SHORT_LABEL_LETTERS for choice in self.choices) else "many"


@dataclass(frozen=True, slots=True)
class ActButton:
    """A button that gives a whole command: its title, and what sets it apart from others of that title."""

    title: str
    says: str
    command: Json
    drawn: str = ""


@dataclass(frozen=True, slots=True)
class Form:
    """An offer as it is drawn: ``command`` are its settled fields; without ``fields`` one button does it.

    ``tapped``: the field each of whose values is tapped on the table.  ``others``: the players whom it is about,
    besides whoever gives it.  ``by``: the players one of whom gives it, where several may: then it is said who.
    ``is_private``: its values are for its player's eyes, and stand on a sheet alone; ``is_gallery``: many pictures do.
    """

    title: str
    command: Json
    player: str | None
    urgency: str
    fields: tuple[OpenField, ...]
    settled: str
    wording: OfferWording = field(default_factory=OfferWording)
    tapped: str = ""
    others: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    is_private: bool = False
    is_gallery: bool = False

    @property
    def like(self) -> str:
        """Its settled and its open fields as one text, by which a page asks for its sheet."""
        return json.dumps({**self.command, "~": self.opens}, separators=(",", ":"), sort_keys=True)

    @property
    def begun(self) -> Json:
        """The command before anything is chosen: lists and mappings are there even where nothing is chosen for them."""
        return {**self.command, **{part.name: _EMPTY[part.kind]() for part in self.fields if part.kind in _EMPTY}}

    @property
    def opens(self) -> Mapping[str, int]:
        """Return its open fields, each with how much is chosen at least."""
        return {part.name: part.least for part in self.fields}

    @property
    def buttons(self) -> tuple[ActButton, ...]:
        """Return the buttons that do without a form: of an offer that leaves nothing open, or one choice of a few."""
        if self.wording.fold or (self.is_private and not self.fields):
            return ()
        if not self.fields:
            return (ActButton(self.title, self.below, self.command),)
        few = self._lone_choices if len(self._lone_choices) <= MAX_BUTTON_CHOICES and not self.is_private else ()
        return tuple(self._button(choice) for choice in few)

    @property
    def picks(self) -> tuple[ActButton, ...]:
        """Return a button for each choice that has a drawing, where there are too many for ``buttons``."""
        is_covered = bool(self.buttons or self.tapped or self.is_private)
        return () if is_covered else tuple(self._button(choice) for choice in self._lone_choices if choice.drawn)

    @property
    def asks_more(self) -> bool:
        """Return whether its buttons leave something that only the form can give."""
        if self.tapped and len(self.fields) == 1:
            return False
        return not self.buttons and len(self.picks) < max(1, len(self._lone_choices))

    @property
    def is_thrown(self) -> bool:
        """Return whether it asks for dice alone, which have room in a row."""
        return bool(self.fields) and all(field.kind == "dice" for field in self.fields)

    @property
    def is_long(self) -> bool:
        """Return whether it is a list to look through."""
        lists = (part.arrangement for part in self.fields if part.kind in ("one_of", "some_of"))
        return not self.is_gallery and "many" in lists

    @property
    def _lone_choices(self) -> tuple[Choice, ...]:
        return self.fields[0].choices if len(self.fields) == 1 and self.fields[0].kind == "one_of" else ()

    def _button(self, choice: Choice) -> ActButton:
        return ActButton(self.title, choice.says, {**self.command, self.fields[0].name: choice.value}, choice.drawn)

    @property
    def below(self) -> str:
        """Return what its button says in small type: what is settled, and what the game adds."""
        return " · ".join(part for part in (self.settled, self.wording.note) if part)

    @property
    def title_with_amount(self) -> str:
        """Return what its button says with the amount that is set, where it says one."""
        return self.wording.title if "{amount}" in self.wording.title else ""

    @property
    def fills_bag(self) -> bool:
        """Return whether a value that is chosen suggests how to pay."""
        return any(choice.fills for part in self.fields for choice in part.choices)

    @property
    def sides(self) -> tuple[str, ...]:
        """Return the two players of a deal, whoever offers it first; nobody where the form is no deal."""
        return tuple(field.side for field in self.fields if field.side)

    @property
    def on_sheet(self) -> bool:
        """Return whether there is so much to choose that it opens on a sheet of its own."""
        return bool(self.tapped) or self.is_private or self.is_gallery or "parts" in {part.kind for part in self.fields}


def forms(scene: TableView, offers: Sequence[Json], messages: Messages) -> list[Form]:
    """Lay all offers out; the field types of their commands say what ids stand for."""
    return [_form(scene, offer, messages) for offer in offers]


def _form(scene: TableView, offer: Json, messages: Messages) -> Form:
    command, kind = scene.command(offer), messages.command(offer["do"])
    types = {field_type.name: field_type for field_type in field_types(kind).values()} if kind else {}
    usual = usual_values(kind)
    about = {
        key: value
        for key, value in command.items()
        if key not in ("do", "player", "by") and usual.get(key, MISSING) != value
    }
    settled = [_word(scene, value, types.get(key)) for key, value in about.items()]
    return Form(
        title=scene.words.verb(offer["do"]),
        command=command,
        player=_actor(offer),
        urgency=offer["urgency"],
        fields=tuple(_open(scene, name, field, types.get(name)) for name, field in offer["fields"].items()),
        settled=", ".join(word for word in settled if word),
        others=tuple(value for value in about.values() if isinstance(value, str) and value in scene.names),
    )


def _actor(offer: Json) -> str | None:
    """Return the player who may give the command; ``None`` where only the banker may."""
    by = offer.get("player") or offer.get("by")
    return None if by in (None, BANKER) else str(by)


def usual_values(kind: type[Any] | None) -> Json:
    """Return what a command holds where nothing else is said, which needs no words either."""
    return {dataclass_field.name: dataclass_field.default for dataclass_field in dataclass_fields(kind)} if kind else {}


def _open(scene: TableView, name: str, field: Json, holds: FieldType | None) -> OpenField:
    label, kind = scene.words.named("field", name), field["kind"]
    match kind:
        case "amount":
            is_covered = scene.covered and holds is not None and holds.holds is not None and holds.holds.kind == "money"
            most = field["least"] + COVERED_STEPS * field["step"] if is_covered else field["most"]
            return OpenField(name, label, kind, least=field["least"], most=most, step=field["step"])
        case "some_of":
            choices = _each(scene, field["values"], holds)
            return OpenField(name, label, kind, choices, least=field["least"], most=field["most"])
        case "one_of":
            return OpenField(name, label, kind, _each(scene, [*dict.fromkeys(field["values"])], holds))
        case "dice":
            faces = tuple(Choice(str(face), str(face)) for face in range(1, field["faces"] + 1))
            die, count = scene.words.named("field", "die"), field["count"]
            return OpenField(name, die, kind, faces, least=count, most=count)
        case "bag":
            meaning = holds.holds if holds is not None else None
            context = meaning.of if meaning is not None and meaning.kind == "choice" else "value"
            kinds = field["kinds"].items()
            choices = tuple(Choice(kind, scene.words.named(context, kind), most=most) for kind, most in kinds)
            return OpenField(name, label, kind, choices, least=field["least"], most=field["most"])
        case "parts":
            parts = tuple(
                _open(scene, part, part_field, _MONEY if part_field["kind"] == "amount" else None)
                for part, part_field in field["parts"].items()
            )
            named = tuple(replace(part, name=f"{name}.{part.name}") for part in parts)
            return OpenField(name, label, kind, parts=named)
        case _:
            whole = enumerate(field.get("values", ()))
            choices = tuple(Choice(str(number), phrase(scene, value), {name: value}) for number, value in whole)
            return OpenField(name, label, "whole", choices or (Choice("", scene.words.say("nothing"), {name: {}}),))


def _each(scene: TableView, values: Sequence[str], holds: FieldType | None) -> tuple[Choice, ...]:
    is_card = holds is not None and holds.holds is not None and holds.holds.kind == "card"
    return tuple(Choice(value, _word(scene, value, holds), is_card=is_card) for value in values)


def _word(scene: TableView, value: object, field: FieldType | None) -> str:
    """Return a value by what its field holds; one of a choice by its own word."""
    if isinstance(value, str) and field is not None and field.holds is not None and field.holds.kind == "choice":
        return str(scene.words.named(field.holds.of, value))
    if type(value) is int and field is not None and field.holds is not None and field.holds.kind == "money":
        return str(scene.words.money(value))
    return phrase(scene, value)


# Offers as the game words them: with amounts, in its order, what is seldom wanted folded away.


@dataclass(frozen=True, slots=True)
class Fold:
    """Forms behind one button; ``title`` is empty where they stand on the page."""

    key: str
    title: str
    forms: tuple[Form, ...]

    @property
    def player(self) -> str | None:
        """Return whose forms they are, where they are one player's."""
        players = {form.player for form in self.forms}
        return next(iter(players)) if len(players) == 1 else None


def kept_private(laid: Sequence[Form], position: Json) -> list[Form]:
    """Return forms; private are choices made in secret, and those of cards that the position does not show."""
    seen, secretly = set(_texts_in(position)), "own_choice" in position
    hides = [bool(form.fields) if secretly else not seen.issuperset(_cards_of(form)) for form in laid]
    return [replace(form, is_private=form.player is not None and so) for form, so in zip(laid, hides, strict=True)]


def one_a_player(laid: Sequence[Form], title: str) -> list[Form]:
    """Return forms of which a player has one alone, where they may do without a choice, such as to pass.

    All they may do is on its sheet: a button of its own would tell everybody what they do, or cannot.
    """
    silent = {form.player for form in laid if form.urgency == "due" and not form.fields} - {None}
    bundled = [form for form in laid if form.urgency == "due" and form.player in silent]
    firsts = {form.player: form for form in reversed(bundled)}
    kept = [form for form in laid if form not in bundled or form is firsts[form.player]]
    return [replace(form, title=title, is_private=True) if form in bundled else form for form in kept]


def _texts_in(part: Any) -> Iterator[str]:
    """Yield every text of a part of a position, keys among them."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, Mapping | list | tuple):
        for value in (*part.keys(), *part.values()) if isinstance(part, Mapping) else part:
            yield from _texts_in(value)


def _cards_of(form: Form) -> list[str]:
    return [choice.value for field in form.fields for choice in field.choices if choice.is_card]


def telling_of(scene: TableView) -> TextContext:
    """Return what a game words anything with."""
    return TextContext(
        words=scene.words,
        card=lambda card: scene.words.card(card, scene.catalog),
        person=lambda player: scene.names.get(player, player),
        catalog=scene.catalog,
        ahead=scene.ahead,
    )


def worded_forms(scene: TableView, offers: Sequence[Json], messages: Messages, texts: OfferTexts | None) -> list[Form]:
    """Lay all offers out as their game words them; joined ones as one form, where the first of them stands."""
    if texts is None:
        return forms(scene, offers, messages)
    telling = telling_of(scene)
    laid: dict[str, Form] = {}
    for offer, form in zip(offers, forms(scene, offers, messages), strict=True):
        wording = texts.offer(offer, scene.position, telling)
        named = replace(form, wording=wording, fields=tuple(_looking(part, wording) for part in form.fields))
        if wording.title and not named.title_with_amount:
            named = replace(named, title=wording.title, settled="" if wording.note else form.settled)
        key = json.dumps(form.command, sort_keys=True) if wording.is_joined else f"{len(laid)}"
        laid[key] = _joined(laid[key], named) if key in laid else named
    return list(laid.values())


def with_outlook(scene: TableView, form: Form) -> Form:
    """Return a bid with what it leaves of the bidder's money, where that is seen and the game says nothing of it."""
    purse = None if form.player is None else scene.players[form.player].get("cash")
    if form.command["do"] != "bid" or form.wording.outlooks or form.player is None or type(purse) is not int:
        return form
    says = scene.words.say("Leaves {left}", left="{left}")
    return replace(form, wording=replace(form.wording, outlooks={form.player: (purse, ((purse, says),))}))


def said_once(laid: Sequence[Form]) -> list[Form]:
    """Return forms of which those that several players may give alike, such as bids, are one that asks who."""
    groups: dict[str, Form] = {}
    for place, form in enumerate(laid):
        alike = form.player is not None and [field.kind for field in form.fields] == ["amount"] and not form.settled
        amount = form.fields[0] if alike else None
        rest = {key: value for key, value in form.command.items() if key != "player"}
        key = json.dumps([rest, amount.least, amount.step]) if amount else f"{place}"
        first = groups.setdefault(key, form)
        if first is form or amount is None:
            continue
        groups[key] = replace(
            first,
            command=rest,
            player=None,
            urgency="due" if "due" in (first.urgency, form.urgency) else first.urgency,
            wording=replace(first.wording, outlooks={**first.wording.outlooks, **form.wording.outlooks}),
            fields=(replace(amount, most=max(first.fields[0].most, amount.most)),),
            by=tuple(player for player in (*first.by, first.player, form.player) if player),
        )
    return list(groups.values())


def _looking(part: OpenField, wording: OfferWording) -> OpenField:
    """Return a field with the words that the game has for its values."""
    if part.kind == "parts":
        parts = tuple(_looking(inner, wording) for inner in part.parts)
        return replace(part, parts=parts, side=wording.sides.get(part.name, ""))
    if part.kind not in ("one_of", "some_of"):
        return part
    choices = (
        choice if on_page is None else replace(choice, says=on_page.says, on_page=on_page)
        for choice, on_page in ((choice, wording.values.get(choice.value)) for choice in part.choices)
    )
    return replace(part, choices=tuple(choices))


def _joined(first: Form, second: Form) -> Form:
    """Return one form for both: each field holds what it may hold in either."""
    fields = {part.name: part for part in first.fields}
    for part in second.fields:
        if part.name in fields:
            choices = {choice.value: choice for choice in (*fields[part.name].choices, *part.choices)}
            most = max(fields[part.name].most, part.most)
            fields[part.name] = replace(fields[part.name], choices=tuple(choices.values()), most=most)
        else:
            fields[part.name] = part
    return replace(first, fields=tuple(fields.values()))


def folded_forms(scene: TableView, laid: Iterable[Form]) -> list[Fold]:
    """Put forms behind the buttons that the game folds them away behind; one that is a button itself needs none."""
    by_key: dict[str, list[Form]] = {}
    for place, form in enumerate(laid):
        by_key.setdefault(form.wording.fold or f"-{place}", []).append(form)
    folds: list[Fold] = []
    for key, together in by_key.items():
        fold = together[0].wording.fold
        is_button = len(together) == 1 and (not together[0].fields or together[0].on_sheet)
        title = scene.words.named("fold", fold) if fold and not is_button else ""
        folds.append(Fold(key, title, tuple(together)))
    return folds
