"""The books beside what the table holds: everybody's money as counted, and the cards on the mat."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from companion.engine.explanation import Addend
from companion.engine.game import Refused
from companion.engine.journal import Json
from companion.engine.ledger import player_account
from companion.game_api.stage import CorrectableFigure, FigureAmount, FigureChoice
from companion.game_api.ui import TableView
from companion.games.master_builder.rules.explanation import has_figure, parts_of
from companion.games.master_builder.rules.state import FIRST_LAPS, THOUSAND
from companion.games.master_builder.ui.scene import Scene
from companion.service.ports import Forbidden
from companion.service.table.history import effective_json
from companion.service.table.table import Table
from companion.words import Words

COUNTED = "CashCounted"


@dataclass(frozen=True, slots=True)
class CountedCash:
    """A player's money: ``booked`` in the books, and the latest count of it, ``None`` where it is out of date.

    ``more``: counted less booked.  ``time``: when it was counted, in words.
    """

    player: str
    booked: int
    counted: int | None = None
    more: int = 0
    time: str = ""


def purses(scene: Scene) -> list[CountedCash]:
    """Return a row for each player; a count holds as long as the books say what they said when it was made."""
    counts = {}
    for entry in scene.entries:
        event = next(iter(effective_json(entry)["events"]), None)
        if event is not None and event["event"] == COUNTED and not entry.get("undone"):
            counts[event["player"]] = (event, scene.words.moment(str(entry["at"])))
    rows = []
    for player, seen in scene.players.items():
        event, time = counts.get(player, (None, ""))
        if event is not None and "booked" in event and event["booked"] == seen["cash"]:
            rows.append(CountedCash(player, seen["cash"], event["counted"], event["difference"], time))
        else:
            rows.append(CountedCash(player, seen["cash"]))
    return rows


# Where the table contradicts the books, in words.

_PLACES = {"market": "supply", "contracts": "display"}
"""Zones of the mat that the books call otherwise."""


@dataclass(frozen=True, slots=True)
class DifferenceLine:
    """A difference between table and books in a sentence, and which cards are to be looked for."""

    says: str
    cards: str = ""


def describe_differences(scene: Scene) -> list[DifferenceLine]:
    """Return each difference in a sentence, with what is to be looked for."""
    return [
        _elsewhere(scene, difference) if difference["difference"] == "elsewhere" else _fewer(scene, difference)
        for difference in scene.camera.differences
    ]


def _elsewhere(scene: Scene, difference: Json) -> DifferenceLine:
    card = scene.words.card(difference["card"], scene.catalog)
    zone, books = _place(scene, difference["zone"]), _place(scene, difference["books"])
    return DifferenceLine(
        scene.words.say("{card}: on the table {zone}, in the books {books}", card=card, zone=zone, books=books)
    )


def _fewer(scene: Scene, difference: Json) -> DifferenceLine:
    words = scene.words
    says = words.say(
        "{player}, {workers}: the books say {books}, the table shows {table}",
        player=scene.names[difference["player"]],
        workers=words.say_in("workers", difference["type"]),
        books=difference["books"],
        table=difference["table"],
    )
    unseen = words.listed(words.card(card, scene.catalog) for card in difference["cards"])
    return DifferenceLine(says, words.say("Not seen: {cards}", cards=unseen))


def _place(scene: Scene, place: str) -> str:
    name = scene.names.get(place)
    return name if name is not None else scene.words.say_in("place", _PLACES.get(place, place))


# What a figure that is explained is the sum of.


@dataclass(frozen=True, slots=True)
class SummandLine:
    """A part of a figure in words; whether it is a loan."""

    says: str
    amount: int
    is_loan: bool


def summands(table: Table, scene: Scene, account: str) -> list[SummandLine]:
    """Return what a figure is the sum of now, in words; nothing where only its history explains it."""
    now = table.position
    parts = parts_of(now, account) if now is not None and has_figure(now, account) else ()
    return [SummandLine(_part(scene, part), part.amount, part.kind in {"small", "large"}) for part in parts]


def _part(scene: Scene, part: Addend) -> str:
    words = scene.words
    match part.kind:
        case "worker":
            return words.card(part.card, scene.catalog)
        case "contract":
            return _site(words, words.card(part.card, scene.catalog), part.count)
        case "small":
            return words.several("{count} Small", "{count} Small", part.count)
        case "large":
            return words.several("{count} Large", "{count} Large", part.count)
        case _:
            return words.say("Cash")


def _site(words: Words, title: str, missing: int) -> str:
    return words.several("{title}, {count} missing", "{title}, {count} missing", missing, title=title)


# What lies ahead of a player's money, line by line: the prices, wages and loans behind the sentence in the
# panel.

_DRAWN = {"price": "yes", "loan": "warning", "wages": "income"}
LONGEST_BID = 9
"""Digits of a bid that is asked about; what is longer is none."""


@dataclass(frozen=True, slots=True)
class ForecastLine:
    """Money that will move, in words: ``kind`` draws it, ``cash`` is what is left then."""

    kind: str
    says: str
    amount: int
    cash: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ForecastSheet:
    """A player's money to come: the forecast's figures, and its movements in words by round.

    ``loans``: those that would be forced, in words; ``title`` and ``bid`` are of the contract that it supposes to be
    bought; ``back``: the contract whose sheet led here.
    """

    cash: int
    cash_at_end: int
    short: Json | None
    end: Json
    owes: int
    owes_late: bool
    unfinished: int
    worth: int
    rounds: list[tuple[int, list[ForecastLine]]]
    loans: str | None
    title: str | None
    bid: int | None
    back: str | None


def describe_forecast(
    scene: Scene, table: Table, viewer: str, player: str, args: Mapping[str, str]
) -> ForecastSheet | None:
    """Return what the sheet shows of a player's money to come; ``None`` where it is hidden from this viewer.

    With ``contract`` and ``bid`` it is as if they had got that contract for it; one that they could not bid is passed
    over.
    """
    contract, bid = args.get("contract"), args.get("bid", "")
    amount = int(bid) if bid.isascii() and bid.isdigit() and len(bid) <= LONGEST_BID else None
    try:
        forecast = _forecast(table, viewer, player, contract, amount)
    except Forbidden:
        return None
    offers = scene.offers_of("open_auction", contract=contract) if contract else []
    movements, owes, supposed = forecast["movements"], forecast["owes"], forecast["bid"]
    return ForecastSheet(
        cash=forecast["cash"],
        cash_at_end=movements[-1]["cash"] if movements else forecast["cash"],
        short=forecast["short"],
        end=forecast["end"],
        owes=owes["late"] if owes["late_is_certain"] else owes["early"],
        owes_late=owes["late_is_certain"],
        unfinished=forecast["unfinished"],
        worth=forecast["worth"],
        rounds=[
            (number, [_forecast_line(scene, line) for line in lines])
            for number, lines in groupby(movements, key=lambda movement: movement["round"])
        ],
        loans=_loans(scene, forecast["end"]["loans"]),
        title=scene.contract(supposed["contract"])["title"] if supposed else None,
        bid=supposed["amount"] if supposed else None,
        back=contract if offers else None,
    )


def _forecast(table: Table, viewer: str, player: str, contract: str | None, bid: int | None) -> dict[str, Any]:
    if contract is not None and bid is not None:
        try:
            return table.advice.forecast(viewer, player, contract, bid)
        except Refused:
            return table.advice.forecast(viewer, player)
    return table.advice.forecast(viewer, player)


def _forecast_line(scene: Scene, movement: Json) -> ForecastLine:
    words = scene.words
    title = words.card(movement["card"], scene.catalog) if "card" in movement else ""
    match movement["why"]:
        case "contract":
            says = words.say("Pays for {title}", title=title)
        case "premium":
            says = words.say("Money on {title}", title=title)
        case "price":
            says = words.say("{title} is finished and pays", title=title)
        case "loan":
            says = words.say("Must borrow: {loan}", loan=words.say_in("loan", movement["loan"]))
        case _:
            says = words.say("Wages")
    return ForecastLine(_DRAWN.get(movement["why"], "contract"), says, movement["amount"], movement["cash"])


def _loans(scene: Scene, forced: Json) -> str | None:
    """Return the loans that would be forced until the end; ``None``: none."""
    words = scene.words
    named = [words.several("{count} Small", "{count} Small", forced["small"])] if forced["small"] else []
    named += [words.several("{count} Large", "{count} Large", forced["large"])] if forced["large"] else []
    return words.listed(named) if named else None


# What the banker puts right by tapping the figure that is wrong; cards that lie in piles have a sheet of their own.

PHASES = ("hire", "contracts", "events", "build", "income")
SUPPLY, DISPLAY, DECK, REMOVED = "supply", "display", "deck", "removed"


class MasterBuilderCorrections:
    """Knows which figures of Master Builder can be put right."""

    def figures(self, scene: TableView) -> Sequence[CorrectableFigure]:
        """Return name, cash, workers and contracts of each player; round, phase, turn and display of the table."""
        of_players = (figure for player in scene.players for figure in _of_player(scene, player))
        return (*of_players, *_of_table(scene))


def _of_player(scene: TableView, player: str) -> Iterator[CorrectableFigure]:
    own, words = scene.players[player], scene.words
    yield CorrectableFigure(
        key=f"name:{player}",
        title=words.say("Name"),
        now=scene.names[player],
        player=player,
        text="name",
        command={"do": "rename_player", "player": player},
    )
    if own["cash"] is not None and scene.position["bank"] is not None:
        move = {"do": "correct_money"}
        yield CorrectableFigure(
            key=f"cash:{player}",
            title=words.say("Cash"),
            now=words.money(own["cash"]),
            player=player,
            amount=FigureAmount(
                "amount",
                own["cash"],
                _kept_for_bid(scene, player),
                own["cash"] + scene.position["bank"],
                THOUSAND,
                more={**move, "from": "bank", "to": player},
                less={**move, "from": player, "to": "bank"},
            ),
            account=player_account(player),
            command=move,
        )
    for card in own["workers"]:
        yield _lying(scene, card, player, (SUPPLY,))
    for card in own["contracts"]:
        yield _lying(scene, card, player, (DISPLAY, DECK, REMOVED))


def _kept_for_bid(scene: TableView, player: str) -> int:
    """Return how many dollars a player must keep because they lead an auction; what lies on it may pay for it, too."""
    auction = scene.position["auction"]
    if auction is None or auction["leader"] != player:
        return 0
    lying = scene.position["display"][auction["contract"]] if scene.position["rules"].get("premium_funds_bid") else 0
    return max(0, int(auction["bid"]) - int(lying))


def _lying(scene: TableView, card: str, at: str, places: Sequence[str]) -> CorrectableFigure:
    """Return where a card lies: with a player, or in one of these places."""
    words = scene.words
    called = {**scene.names, **{place: words.say_in("place", place) for place in places}}
    return CorrectableFigure(
        key=f"card:{card}",
        title=words.card(card, scene.catalog),
        now=called[at],
        player=at if at in scene.players else None,
        choices=tuple(
            FigureChoice(name, None if place == at else {"do": "correct_card", "card": card, "to": place})
            for place, name in called.items()
        ),
    )


def _of_table(scene: TableView) -> Iterator[CorrectableFigure]:
    position, words = scene.position, scene.words
    if position["finished"]:
        return
    rounds = {number: str(number) for number in range(1, position["last_round"] + 1)}
    yield _turned("round", words.say("Round"), rounds, position["round"])
    crews = [len(seen["workers"]) for seen in position["players"].values()]
    whole = position["round"] == 1 and min(crews) >= FIRST_LAPS  # nobody hires any more
    phases = {phase: words.say_in("phase", phase) for phase in PHASES if phase != "hire" or not whole}
    yield _turned("phase", words.say("Phase"), phases, position["phase"])
    yield _turned("start_player", words.say("Start player"), scene.names, position["start_player"])
    if position["phase"] == "hire" and len(scene.waiting) == 1:
        yield _turned("waiting_for", words.say("Whose turn"), scene.names, scene.waiting[0])
    auction = position["auction"]
    for card in position["display"]:
        if auction is None or auction["contract"] != card:
            yield _lying(scene, card, DISPLAY, (DISPLAY, DECK, REMOVED))


def _turned(name: str, title: str, values: Mapping[Any, str], now: object) -> CorrectableFigure:
    """Return a figure that ``correct_turn`` sets."""
    return CorrectableFigure(
        key=name,
        title=title,
        now=next((says for value, says in values.items() if value == now), ""),
        choices=tuple(
            FigureChoice(says, None if value == now else {"do": "correct_turn", name: value})
            for value, says in values.items()
        ),
    )
