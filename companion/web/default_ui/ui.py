"""The default UI for any game: every offer is a form, every player a panel, every figure of the position a line."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.engine.journal import Json
from companion.game_api.boards import CardRow, open_cards
from companion.game_api.capabilities import Flights
from companion.game_api.choices import Trade
from companion.game_api.drawing import Drawing, Drawings
from companion.game_api.edit_forms import FormField, changeable
from companion.game_api.guard import guard, load_part
from companion.game_api.handbook import Handbook
from companion.game_api.manifest import Manifest
from companion.game_api.messages import field_types
from companion.game_api.stage import Stage, StageDirector, StageFact, TakeOverForms
from companion.game_api.ui import OfferTexts, ScreenSeat, SeatFact, SheetRequest, TableView, Values
from companion.web.default_ui.amend_forms import DefaultAmendForms, filled_deal, turned_round
from companion.web.default_ui.drawing_view import (
    SurfaceDrawing,
    as_stage_svg,
    as_svg,
    read_tapped,
    silent_svg,
    stage_values,
    transfer_values,
)
from companion.web.default_ui.forms import (
    Choice,
    DisplayLine,
    Form,
    OpenField,
    figure_lines,
    folded_forms,
    forms,
    kept_private,
    one_a_player,
    phrase,
    said_once,
    telling_of,
    with_outlook,
    worded_forms,
)
from companion.web.default_ui.house_choices import lay_out_choices, unusual_choices
from companion.words import Words, handbook

# What one player asks of another, put into words field by field.


def put_into_words(manifest: Manifest, scene: TableView, command: Json) -> dict[str, str]:
    """Return what each field of a command holds; records are told as the game tells them in its events."""
    kind = manifest.messages().command(command["do"])
    types = {field_type.name: field_type for field_type in field_types(kind).values()} if kind else {}
    telling = telling_of(scene)
    words_by_field: dict[str, str] = {}
    for name, value in command.items():
        holds = types[name].holds if name in types else None
        if holds is not None and holds.kind == "record" and manifest.event_texts is not None:
            texts = load_part(manifest, "event_texts")
            words_by_field[name] = phrase(scene, value) if texts is None else texts.record(holds.of, value, telling)
        else:
            words_by_field[name] = phrase(scene, value)
    return words_by_field


class DefaultUI:
    """User interface of a game that brings no pages of its own."""

    folder = "plain"
    corrected_events: frozenset[str] = frozenset()
    sheets: frozenset[str] = frozenset({"offer", "count"})
    seat_sheets: frozenset[str] = frozenset({"offer"})
    covered_sheets: frozenset[str] = frozenset({"count"})
    amending = DefaultAmendForms()
    drafts: Mapping[str, Callable[[Any, Mapping[str, Any], Any], Values]] = MappingProxyType({})
    filters: Mapping[str, Callable[..., Any]] = MappingProxyType({})
    static: Path | None = None

    def __init__(self, manifest: Manifest) -> None:
        """Store the game."""
        self._manifest = manifest
        self._choices = manifest.capabilities().choices
        self._draws: Drawings | None = load_part(manifest, "drawings")
        self._directs: StageDirector | None = load_part(manifest, "stage")
        self._flies: Flights | None = load_part(manifest, "flights")
        self._offers: OfferTexts | None = load_part(manifest, "offer_texts")
        self._handbook: Handbook | None = load_part(manifest, "handbook")
        self._take_over: TakeOverForms | None = load_part(manifest, "take_over")

    @property
    def quiet_events(self) -> frozenset[str]:
        """Return the events that the game calls no news."""
        return self._manifest.messages().quiet

    @property
    def pages(self) -> Mapping[str, Callable[[Any, Sequence[Json]], Values]]:
        """Return the page on which a game under way is entered, in games that say what lies on the table."""
        return {} if self._take_over is None else {"take-over": self._take_over_values}

    def _take_over_values(self, words: Words, decks: Sequence[Json]) -> Values:
        """Return the form with the titles of the first box that can be played."""
        cards = next((deck["cards"] for deck in decks if deck["title"] is not None), None)
        if self._take_over is None or cards is None:
            return {"form": None}
        form = self._take_over.form(words, cards, self._manifest.seats.colours)
        house = self.setup(words).get("house")
        return {"form": form, "house": house, "game": self._manifest.name}

    def scene(self, seen: TableView) -> TableView:
        """Return the scene unchanged."""
        return seen

    def covers(self, scene: TableView) -> bool:
        """Cover the money that a game declares hidden."""
        return scene.hides_money

    def sentence(self, scene: TableView) -> tuple[str, Values]:
        """Return whom the table waits for, or who has won."""
        return sentence(scene), {}

    def values(self, scene: TableView, me: str | None) -> Values:
        """Return the forms of what may be done, and the figures of players and table."""
        forms_open = _whose_turn_first(scene, self._forms(scene) if me else self._kept_private(scene))
        stage = None if self._directs is None else self._directs.stage(scene)
        on_table = SurfaceDrawing(() if stage is None else stage.surfaces, scene, forms_open)
        surfaces, forms_open = on_table.values(), on_table.without_tapped(forms_open)
        drawn: Sequence[Drawing] = ()
        if self._draws is not None and stage is None:
            drawn = self._draws.pictures(scene)
        figures = {key: value for key, value in scene.position.items() if key not in SHOWN_ELSEWHERE}
        rows: Mapping[str, CardRow] = {}
        if stage is None and me is None and not drawn:
            rows = open_cards(scene, figures, self._manifest.kinds)
        lines = figure_lines(scene, {key: value for key, value in figures.items() if key not in rows})
        has_room = len(lines) <= MOST_FACTS and all(len(line.says) <= _LONGEST_FACT for line in lines)
        if not has_room:  # in the head of a screen: all of it stands in a list
            rows, lines = {}, figure_lines(scene, figures)
        return {
            "stage": None if stage is None else {**stage_values(stage), "surfaces": surfaces},
            "known_stage": partial(self._known_stage, scene, tuple(rows.values()), lines) if has_room else None,
            "rows": SurfaceDrawing(tuple(rows.values()), scene, ()).values(),
            "forms": forms_open,
            "folds": folded_forms(scene, forms_open),
            "leads": next((form for form in forms_open if form.urgency == "due"), None),
            **_rest(scene, forms_open),
            "not_yet": self._not_yet(scene, me),
            "picking": [form for form in forms_open if form.urgency == "due" and form.picks],
            "panels": {player: figure_lines(scene, scene.players[player]) for player in _mine_first(scene, me)},
            "lines": lines,
            "winners": winners(scene),
            "seats": [_seat(scene, player, stage) for player in scene.players],
            "pictures": [as_svg(picture) for picture in drawn],
            "flights": self._flights(scene),
            "picture_leads": any(picture.width > _WIDE * picture.height for picture in drawn[:1]),
            "scores": () if scene.overview.finished else scene.scores,
            "switches": self._switches(scene),
            "counts_money": self._manifest.messages().command("count_cash") is not None,
            "bids_openly": self._bids_openly(),
            "bidding": self._bids_openly() and scene.phase == "auction" and "own_choice" not in scene.position,
            "game": self._manifest.title,
            "moment": scene.words.described_moment(scene.position, scene.names, scene.catalog),
            "phase_title": _phase(scene),
            "yours": me is not None and me in scene.waiting,
        }

    def _known_stage(self, scene: TableView, rows: tuple[CardRow, ...], lines: Sequence[DisplayLine]) -> Values:
        """Return a scene of what is known of any game: the phase, what happened last, open cards, short figures."""
        words = scene.words
        latest = scene.entries[-1]["events"] if scene.entries else ()
        news = [event for event in latest if event["event"] not in self.quiet_events]
        number = scene.overview.round
        stage = Stage(
            kicker=f"{words.say('Round')} {number}" if number else "",
            title=_phase(scene),
            text=tuple(words.event(event, scene.names, scene.catalog) for event in news[-MOST_SENTENCES:]),
            surfaces=rows,
            facts=tuple(StageFact(line.label, line.says) for line in lines),
            now=words.described_moment(scene.position, scene.names, scene.catalog),
        )
        return {**stage_values(stage), "surfaces": SurfaceDrawing(stage.surfaces, scene, ()).values()}

    def _forms(self, scene: TableView) -> list[Form]:
        """Return what may be done, worded and drawn as the game does it."""
        offers = [offer for offer in scene.offers if offer["do"] not in ("undo", "redo")]
        laid = [with_outlook(scene, form) for form in self._worded(scene, offers)]
        is_secret = self._chooses_in_secret(scene) or any(self._asks_in_secret(form) for form in laid)
        laid = laid if is_secret else said_once(laid)
        return laid if self._directs is None else [self._drawn_form(scene, form) for form in laid]

    def _worded(self, scene: TableView, offers: Sequence[Json]) -> list[Form]:
        return worded_forms(scene, offers, self._manifest.messages(), self._offers)

    def _kept_private(self, scene: TableView) -> list[Form]:
        """Return the forms of a tablet in the middle: what only one player may see stands on a sheet, to be opened.

        In a game with secrets these are values of fields that are marked so, or that the position does not show here.
        """
        laid = self._forms(scene)
        if not self._keeps_secrets():
            return laid
        kept = kept_private(laid, scene.position)
        kept = [replace(form, is_private=True) if self._asks_in_secret(form) else form for form in kept]
        return one_a_player(kept, _phase(scene)) if self._chooses_in_secret(scene) else kept

    def _keeps_secrets(self) -> bool:
        """Return whether the game has secrets that the tablet in the middle may not show either."""
        messages = self._manifest.messages()
        return not messages.secret <= messages.banker_sees

    def _chooses_in_secret(self, scene: TableView) -> bool:
        """Return whether what all choose now is a secret."""
        return self._keeps_secrets() and "own_choice" in scene.position

    def _asks_in_secret(self, form: Form) -> bool:
        """Return whether a form asks for what is marked as for its player's eyes."""
        kind = self._manifest.messages().command(form.command["do"])
        secret = {part.name for part in field_types(kind).values() if part.secret} if kind else set[str]()
        return form.player is not None and any(part.name in secret for part in form.fields)

    def _switches(self, scene: TableView) -> list[tuple[str, str, bool]]:
        """Return what each device may switch on: id, title, and whether it is on at first."""
        switches = [("worth", scene.words.say("Points now"), False)] if scene.scores else []
        if self._directs is not None and self._manifest.capabilities().needs is not None:
            switches.append(("advice", scene.words.say("Advice"), False))
        return switches

    def _bids_openly(self) -> bool:
        """Return whether the game has auctions in which everybody hears each bid."""
        messages = self._manifest.messages()
        events = {kind.__name__ for kind in messages.events}
        return messages.command("bid") is not None and ("BidSealed" not in events or "BidMade" in events)

    def _count(self, scene: TableView, player: str) -> FormField | None:
        """Return the amount of a count of a player's money, in games that have one."""
        cash = scene.players[player].get("cash")
        command = {"do": "count_cash", "player": player, "amount": cash}
        fields = () if cash is None else changeable(self._manifest.messages(), scene, command)
        return next((field for field in fields if field.control == "amount"), None)

    def _not_yet(self, scene: TableView, me: str | None) -> Sequence[tuple[str, str]]:
        """Return what whoever is on turn cannot do yet, and what is missing."""
        player = scene.turn if me in (None, scene.turn) else None
        if self._offers is None or player is None or scene.overview.finished:
            return []
        return self._offers.not_yet(scene.position, player, telling_of(scene))

    def _drawn_form(self, scene: TableView, form: Form) -> Form:
        """Return a form whose choices are shown by their drawings, the likeliest first; many are drawn on a sheet."""
        scene = _asking_alone(scene, form)
        lists = (field for field in form.fields if field.kind in ("one_of", "some_of"))
        if any(len(self._pictures(scene, field)) > MOST_PICTURES for field in lists):
            return replace(form, is_gallery=True)
        return replace(form, fields=tuple(self._drawn_field(scene, field) for field in form.fields))

    def _pictures(self, scene: TableView, field: OpenField) -> Mapping[str, Drawing]:
        values, name = [choice.value for choice in field.choices], field.name.rpartition(".")[2]
        return {} if self._directs is None else self._directs.choices(scene, name, values)

    def _drawn_field(self, scene: TableView, field: OpenField) -> OpenField:
        if field.kind == "parts":
            return replace(field, parts=tuple(self._drawn_field(scene, part) for part in field.parts))
        if field.kind not in ("one_of", "some_of", "bag"):
            return field
        pictures = self._pictures(scene, field)
        order = {value: place for place, value in enumerate(pictures)}
        drawn = (_drawn_choice(choice, pictures.get(choice.value)) for choice in field.choices)
        return replace(field, choices=tuple(sorted(drawn, key=lambda choice: order.get(choice.value, len(order)))))

    def _flights(self, scene: TableView) -> Values:
        """Return what the latest entry brought to players, and its number; nothing where it brought nothing."""
        if self._flies is None or not scene.entries:
            return {}
        latest = scene.entries[-1]
        is_held_back = self._manifest.messages().is_held_back
        events = [event for event in latest["events"] if not is_held_back(event)]
        flights = [flight for event in events for flight in self._flies.flights(event, scene.words)]
        pieces = [{"to": flight.to, "source": flight.source, "drawn": as_svg(flight.drawn)} for flight in flights]
        return {"entry": latest["seq"], "pieces": pieces} if pieces else {}

    def sheet(self, scene: TableView, name: str, ask: SheetRequest) -> Values:
        """Return the form of the offer that was asked for, as long as it stands; what a count of money begins with."""
        if name == "count":
            return {"count": self._count(scene, ask.player)}
        if name != "offer":
            return {}
        laid = self._forms(scene)
        form = next((form for form in laid if form.like == ask.args.get("like")), None)
        others = [other for other in laid if form and other.player == form.player and other.like != form.like]
        if form is not None and form.is_gallery:
            alone = _asking_alone(scene, form)
            form = replace(form, fields=tuple(self._drawn_field(alone, field) for field in form.fields))
        chosen = read_tapped(ask.args.get("chosen", ""))
        return {
            "form": filled_deal(form, chosen) if form and form.sides else form,
            "chosen": chosen,
            "besides": [each for each in others if self._chooses_in_secret(scene) and each.urgency == "due"],
        }

    def lay_values(self, scene: TableView, wish: str | None) -> Values:
        """Offer the pile that was asked for, or the first."""
        names = [name for name, _ in scene.decks if isinstance(scene.catalog.get(name), Mapping | list)]
        return {"deck": wish if wish in names else next(iter(names), "")}

    def question(self, scene: TableView, command: Json, asker: str) -> str:
        """Return what is asked for, in the game's own words (context ``question``) where it has any."""
        words, do = scene.words, command["do"]
        own = words.template(do, "question")
        if own == do:
            details = "" if self.deal(scene, command) else self._details(scene, command)
            act = " · ".join((words.verb(do), details)).removesuffix(" · ")
            return str(words.say("{player} asks: {act}", player=asker, act=act))
        return own.format(**{**put_into_words(self._manifest, scene, command), "player": asker})

    def deal(self, scene: TableView, command: Json) -> list[Values]:
        """Return what a command brings to whom, as the game draws it; of a trade of game_api both sides in words."""
        drawn = () if self._directs is None else self._directs.deal(scene, command)
        if not drawn and self._manifest.messages().command(command["do"]) is Trade:
            return _sides_of_trade(scene, command)
        return [transfer_values(part) for part in drawn]

    def _details(self, scene: TableView, command: Json) -> str:
        """Return what the fields of a command hold, besides who gives it and defaults."""
        return forms(scene, [{**command, "fields": {}, "urgency": "possible"}], self._manifest.messages())[0].settled

    def counter(self, scene: TableView, command: Json, player: str) -> Values:
        """Return the form of the same deal from a player's side, filled with what was asked."""
        for form in self._forms(scene):
            if form.player == player and form.command["do"] == command["do"] and command.get("player") in form.sides:
                chosen = turned_round(form, command)
                return {} if chosen is None else {"like": form.like, "chosen": chosen}
        return {}

    def rules_here(self, scene: TableView) -> list[dict[str, str]]:
        """Return the house rules that are not the usual ones."""
        return unusual_choices(self._choices, scene.words, scene.position)

    def setup(self, words: Words) -> Values:
        """Offer what the game lets tables choose."""
        return lay_out_choices(self._choices, words)

    def chapters(self, words: Words) -> list[Json]:
        """Return the rules of the game's handbook; none if it has none."""
        describe = guard(self._manifest.name, "handbook", handbook.describe_chapters, lambda *_: [])
        return [*describe(words, self._handbook)] if self._handbook else []

    def rule(self, words: Words, name: str) -> Json | None:
        """Return one rule of the game's handbook."""
        find = guard(self._manifest.name, "handbook", handbook.find_rule, lambda *_: None)
        return None if self._handbook is None else find(words, self._handbook, name)

    def terms(self, words: Words) -> list[Json]:
        """Explain the words and symbols of the game, with their drawings."""
        glossary = load_part(self._manifest, "glossary")
        if glossary is None:
            return []
        return [
            {
                "id": group,
                "title": words.say_in("term group", group),
                "terms": [
                    {
                        "id": term.id,
                        "title": words.say_in("term", term.id),
                        "says": words.say_in("term says", term.id),
                        "drawn": "" if term.drawn is None else as_stage_svg(term.drawn),
                        "rule": term.rule,
                        "rule_title": words.say_in("rulebook", term.rule) if term.rule else "",
                    }
                    for term in terms
                ],
            }
            for group, terms in glossary.groups(words).items()
        ]


def _sides_of_trade(scene: TableView, command: Json) -> list[Values]:
    """Return what either side of a trade gives, in words."""

    def side(giver: str, taker: str, cards: Sequence[str], amount: int) -> Values:
        named = [{"says": scene.words.card(card, scene.catalog), "drawn": ""} for card in cards]
        paid = scene.words.money(amount) if amount else ""
        return {"giver": giver, "taker": taker, "amount": paid, "pieces": [], "named": named}

    asker, partner = command["player"], command["with"]
    return [
        side(asker, partner, command.get("give", ()), command.get("pay", 0)),
        side(partner, asker, command.get("get", ()), command.get("ask", 0)),
    ]


_WIDE = 1.3
"""A picture that is wider than this is seen at a glance on a phone, and stands above what is to be tapped."""
SHOWN_ELSEWHERE = frozenset(
    {
        "game",
        "players",
        "phase",
        "round",
        "waiting_for",
        "expects",
        "finished",
        "standings",
        "seats",
        "catalog",
        "viewer",
    }
)
"""What of a position stands elsewhere on the page."""


MOST_PICTURES = 12
"""Maximum number of drawn choices on a page itself: a card of two panels is 6 kB."""
MOST_FACTS = 4
MOST_SENTENCES = 3
"""Maximum number of sentences about the latest entry on a big screen whose game has no scenes."""
_LONGEST_AMOUNT = 12
"""Letters of a figure that has room in large type in a seat of the big screen."""
_LONGEST_FACT = 40
"""Letters of a figure that has room in a seat of the big screen."""


def _asking_alone(scene: TableView, form: Form) -> TableView:
    """Return the scene with the offers of a form's command alone, by which a game draws its choices."""
    return replace(scene, offers=tuple(scene.offers_of(form.command["do"])))


def _drawn_choice(choice: Choice, drawing: Drawing | None) -> Choice:
    """Return a choice with its picture, called as the picture says."""
    if drawing is None:
        return choice
    return replace(choice, says=drawing.says or choice.says, drawn=silent_svg(drawing))


def _seat(scene: TableView, player: str, stage: Stage | None) -> ScreenSeat:
    """Return a player as the big screen shows them: the first short figure large, others as facts."""
    if stage is not None and (seat := stage.seats.get(player)) is not None:
        state = "now" if player in scene.waiting else seat.state
        return ScreenSeat(player, seat.amount, state, seat.status, label=seat.label)
    lines = [line for line in figure_lines(scene, scene.players[player]) if len(line.says) <= _LONGEST_FACT]
    first = next((line for line in lines if len(line.says) <= _LONGEST_AMOUNT), None)
    rest = [line for line in lines if line is not first][:MOST_FACTS]
    return ScreenSeat(
        player,
        first.says if first else "",
        "now" if player in scene.waiting else "",
        facts=tuple(SeatFact("", line.says, line.label) for line in rest),
        label=first.label if first else "",
    )


def _rest(scene: TableView, laid: Sequence[Form]) -> Values:
    """Return what is folded away beside the buttons of a stage: first for those whom the table waits for."""
    rest = [form for form in laid if form.wording.fold and not form.wording.is_in_bar]
    sooner = [form for form in rest if form.player in scene.waiting]
    return {
        "sooner": folded_forms(scene, sooner),
        "later": folded_forms(scene, [form for form in rest if form not in sooner]),
    }


def winners(scene: TableView) -> list[str]:
    """Return everybody who shares the first rank."""
    return [place.player for place in scene.overview.standings if place.rank == 1]


def sentence(scene: TableView) -> str:
    """Return the id of the sentence that names who has to act, or who has won."""
    if scene.overview.finished:
        first = winners(scene)
        if len(first) > 1:
            return "{players} share first place"
        return "{player} wins" if first else "The game is over"
    return "Waiting for {player}" if scene.waiting else "The table waits"


def _phase(scene: TableView) -> str:
    return str(scene.words.named("phase", scene.phase))


def _mine_first(scene: TableView, me: str | None) -> list[str]:
    """Put the panel of whoever looks before those of the others, which stay in turn order."""
    return sorted(scene.players, key=lambda player: player != me)


def _whose_turn_first(scene: TableView, unsorted: list[Form]) -> list[Form]:
    """Put what the table waits for before what is only possible."""
    return sorted(
        unsorted, key=lambda form: (form.wording.rank, form.urgency != "due", form.player not in scene.waiting)
    )
