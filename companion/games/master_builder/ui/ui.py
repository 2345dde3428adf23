"""Master Builder's pages and sheets, and what each is drawn with; forms that put an entry right."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.engine.game import Refused
from companion.engine.journal import Json
from companion.game_api.edit_forms import FormField, changeable, other_members
from companion.game_api.messages import Messages
from companion.game_api.ui import SheetRequest, TableView, Values
from companion.games.master_builder.handbook import HANDBOOK
from companion.games.master_builder.rules.building import section_names
from companion.games.master_builder.rules.catalog import WALL_NUMBERS, ContractKind
from companion.games.master_builder.rules.loans import EARLY, LATE, LENT
from companion.games.master_builder.rules.phases.contracts import PREMIUM
from companion.games.master_builder.rules.phases.hire import LOOK_FEE
from companion.games.master_builder.rules.setup import START_CASH
from companion.games.master_builder.rules.state import THOUSAND, WAGE_LIMIT
from companion.games.master_builder.rules.take_over_faults import remains
from companion.games.master_builder.ui import (
    account,
    auction,
    glossary,
    headlines,
    house_rules,
    plan_sheet,
    sentences,
    settlement,
    sheets,
    story,
    town,
    turned,
)
from companion.games.master_builder.ui.headlines import CORRECTED, QUIET
from companion.games.master_builder.ui.house_rules import lobby_rules
from companion.games.master_builder.ui.plan_sheet import PlanSheet, draft_plan
from companion.games.master_builder.ui.scene import RANKING, Scene
from companion.games.master_builder.ui.sentences import own_sentence
from companion.service.ports import Forbidden
from companion.service.table.past import position_json_before
from companion.service.table.table import Table
from companion.words import Words, handbook

# Joining a game already begun: what lies on the table is entered on one page.

CONTRACTS = 12


@dataclass(frozen=True, slots=True)
class LotForm:
    """A contract by its number alone, which is printed on every deck's cards alike."""

    id: str
    number: int
    kind: ContractKind
    sections: Sequence[str]


def take_over(words: Words, decks: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Lay out the form; it is sent to ``POST /api/v1/tables``."""
    del decks
    return {
        "lots": [_lot(number) for number in range(1, CONTRACTS + 1)],
        "ranks": RANKING,
        "premium": PREMIUM,
        "start_cash": START_CASH,
        "house": lobby_rules(words),
    }


def so_far(words: Words, catalogs: Mapping[str, Any], command: Any) -> dict[str, Any]:
    """Return what is left by what was entered so far; of a deck that is not known, nothing."""
    catalog = catalogs.get(command.position.catalog)
    if catalog is None:
        return {}
    left = remains(catalog, command.position)
    short = left.bank < 0
    amount = words.money(abs(left.bank))
    bank = (
        words.say("{amount} more than there is in the box", amount=amount)
        if short
        else words.say("The bank holds {amount}", amount=amount)
    )
    crews = {
        player: (len(taken_player.workers), left.wages[player])
        for player, taken_player in command.position.players.items()
    }
    return {
        "bank": {"says": bank, "bad": short},
        "deck": {"says": words.say("{count} in the deck", count=left.contracts), "bad": left.contracts < 0},
        "crews": {
            player: words.say(
                "{count} chosen, wages {wages} of {limit}",
                count=count,
                wages=wages // THOUSAND,
                limit=WAGE_LIMIT // THOUSAND,
            )
            for player, (count, wages) in crews.items()
        },
    }


def _lot(number: int) -> LotForm:
    kind: ContractKind = "city_wall" if number in WALL_NUMBERS else "house"
    return LotForm(f"C{number:02}", number, kind, section_names(kind))


# Something else in an entry's place: another plan, other sections, or what else its player could have done.

SIMPLE = frozenset({"one_of", "some_of", "amount"})
"""Kinds of fields that a form can hold."""
ALTERNATIVES = frozenset({"hire_worker", "fire_worker", "look_through", "pass", "open_auction", "bid", "borrow"})
"""Commands that may take each other's place in the journal: decisions of one player at their turn."""


@dataclass(frozen=True, slots=True)
class Other:
    """Another command of the same player: a form's ``fields`` and ``rest``; without fields it is whole as it is."""

    do: str
    fields: list[FormField]
    rest: dict[str, Any]


class MasterBuilderAmendForms:
    """How entries of Master Builder are put right."""

    def asked(self, scene: Scene, table: Table, entry: Json, draft: Json, ask: SheetRequest) -> dict[str, Any]:
        """Return the form for another command in an entry's place, and what else could have been done then."""
        command = entry["command"]
        then = then_scene(scene, table, entry, ask.viewer)
        messages = table.game.messages
        fields_open = fields(messages, scene, draft)
        return {
            "planning": planning(then, draft, ask.args) if then and command["do"] == "plan" else None,
            "ways": ways(then, command) if then and command["do"] == "choose_sections" else [],
            "others": others(messages, then, command) if then else [],
            "then": then,
            "fields": fields_open,
            "rest": other_members(draft, fields_open),
        }

    def lines(self, scene: Scene, command: Json, instead: Json) -> dict[str, Any]:
        """Return a plan and what replaces it in lines."""
        if command["do"] != "plan" or "work" not in command:
            return {}
        return {"plans": (plan_told(scene, command), plan_told(scene, instead))}


def fields(messages: Messages, scene: Scene, command: Json) -> list[FormField]:
    """Return the fields that a form may change, each with no more than could be meant."""
    return [_correct_choices(scene, command, field) for field in changeable(messages, scene, command)]


def _correct_choices(scene: Scene, command: Json, field: FormField) -> FormField:
    match field.name:
        case "round":
            rounds = range(1, scene.position["last_round"] + 1)
            return replace(field, options=tuple((str(number), str(number)) for number in rounds))
        case "workers":
            crew = {*field.value, *scene.players.get(command["player"], {}).get("workers", ())}
            return replace(field, options=tuple(option for option in field.options if option[0] in crew))
        case _ if field.control == "amount" and "money_in_play" in scene.position:
            return replace(field, most=scene.position["money_in_play"])
        case _:
            return field


def then_scene(scene: Scene, table: Table, entry: Json, viewer: str) -> Scene | None:
    """Look at the table as the entry met it; ``None`` before the game had begun."""
    before = position_json_before(table, entry["seq"], viewer)
    if before is None:
        return None
    return replace(scene, position=before["position"], offers=tuple(before["offers"]), proposals=())


@dataclass(frozen=True, slots=True)
class Replanning:
    """The sheet on which another plan takes the place of a player's: laid out in the scene of that moment."""

    plan: PlanSheet
    player: str
    scene: Scene


def planning(then: Scene, command: Json, args: Mapping[str, str]) -> Replanning | None:
    """Lay a plan out as it was, or as far as it has been changed; ``None``: it is secret, or cannot be planned then."""
    player = command["player"]
    if "work" not in command or then.offer("plan", player=player) is None:
        return None
    asked = {"work": args.get("work") or json.dumps(command["work"]), "chosen": args.get("chosen", "")}
    return Replanning(draft_plan(then, player, asked), player, then)


def plan_told(scene: Scene, command: Json) -> list[str]:
    """Return a plan in lines: each building with its sections and who works there."""
    words = scene.words
    lines = []
    for contract, sections in command.get("work", {}).items():
        named = [f"{words.say_in('section', section)} ({', '.join(team)})" for section, team in sections.items()]
        title = words.card(contract, scene.catalog)
        lines.append(words.say("{name}: {value}", name=title, value=", ".join(named)))
    return lines or [words.say("builds nothing")]


def ways(then: Scene, command: Json) -> list[dict[str, Any]]:
    """Return the other choices of sections that there were, each as a whole command."""
    offer = then.offer("choose_sections", player=command["player"])
    values = offer["fields"]["sections"]["values"] if offer else ()
    return [{**command, "sections": way} for way in values if way != command["sections"]]


def others(messages: Messages, then: Scene, command: Json) -> list[Other]:
    """Return what else the player could have done at that moment, one form for each kind of command."""
    if command["do"] not in ALTERNATIVES:
        return []
    entries: dict[str, list[Json]] = {}
    for offer in then.offers_of(player=command["player"], urgency="due"):
        simple = all(field["kind"] in SIMPLE for field in offer["fields"].values())
        if simple and offer["do"] in ALTERNATIVES - {command["do"]}:
            entries.setdefault(offer["do"], []).append(offer)
    return [_other(messages, then, do, offers) for do, offers in entries.items()]


def _other(messages: Messages, then: Scene, do: str, offers: list[Json]) -> Other:
    first = offers[0]
    sample = {**then.command(first), **{name: _first(field) for name, field in first["fields"].items()}}
    offered: dict[str, set[str]] = {}
    for offer in offers:
        for name, field in offer["fields"].items():
            offered.setdefault(name, set()).update(field.get("values", ()))
        for name in then.command(offer):
            offered.setdefault(name, set()).add(offer[name])
    shown = [_only(field, offered[field.name]) for field in fields(messages, then, sample) if field.name != "player"]
    return Other(do, shown, other_members(sample, shown))


def _first(field: Json) -> Any:
    """Return a value that may stand in a field at first."""
    match field["kind"]:
        case "amount":
            return field["least"]
        case "some_of":
            return field["values"][: field["least"]]
        case _:
            return field["values"][0]


def _only(field: FormField, offered: set[str]) -> FormField:
    """Leave a choice what could have been chosen then."""
    return replace(field, options=tuple(option for option in field.options if option[0] in offered))


# Master Builder's user interface: which pages and sheets it has, and what each is drawn with.

MARK_STEP = 5
"""Thousands of dollars between two marks of the wage track."""


def thousands(amount: int) -> int:
    """Return an amount as the wage track has it: whole thousands."""
    return amount // THOUSAND


def track_marks(limit: int) -> list[tuple[int, float]]:
    """Return the marks of a wage track that ends at ``limit``: amounts, and where they stand in per cent."""
    amounts = range(MARK_STEP * THOUSAND, limit + 1, MARK_STEP * THOUSAND)
    return [(amount, amount * 100 / limit - (0.6 if amount == limit else 0)) for amount in amounts]


def title_of(card: str, scene: Scene) -> str:
    """Return a contract, for lists in templates."""
    return str(scene.contract(card)["title"])


SOFT_HYPHEN = "\N{SOFT HYPHEN}"
_HEADS = ("bastei", "bibliothek", "gießerei", "haus", "herberge", "mauer", "stätte", "turm", "werkstatt")
_JOINT = re.compile(rf"(?<=[a-zäöüß]{{3}})(?=(?:{'|'.join(_HEADS)})\b)")


def breakable(title: str) -> str:
    """Return a card's title with an invisible place for a hyphen before the head of a compound: Stifts|bibliothek.

    Titles in other languages are words and spaces, and stay as they are.
    """
    return _JOINT.sub(SOFT_HYPHEN, title)


DECKS = ("workers", "contracts", "events", "economy")
"""The piles of cards, in the order in which they are offered to be laid."""
OF_PHASE = {"contracts": "contracts", "events": "events"}
SEAT_SHEETS = frozenset(
    {"hire", "fire", "economy", "reveal", "event", "open", "workers", "sections", "repay", "borrow", "plan", "look"}
    | {"lend", "forecast", "yard"}
)
"""Sheets that a player's own device may ask for: their decisions, and what they may know."""


class MasterBuilderUI:
    """Master Builder as people see it."""

    folder = "games/master_builder"
    quiet_events = QUIET
    corrected_events = CORRECTED
    sheets = SEAT_SHEETS | {"count", "money", "compare", "card", "turn", "rename", "differences"}
    seat_sheets = SEAT_SHEETS
    covered_sheets = frozenset({"count", "money", "compare", "forecast", "differences"})
    amending = MasterBuilderAmendForms()
    static: Path | None = Path(__file__).parents[1] / "static"
    filters: Mapping[str, Callable[..., Any]] = MappingProxyType(
        {"breakable": breakable, "thousands": thousands, "track_marks": track_marks, "title_of": title_of}
    )
    pages: Mapping[str, Callable[[Any, Sequence[Mapping[str, Any]]], Values]] = MappingProxyType(
        {"take-over": take_over}
    )
    drafts: Mapping[str, Callable[[Any, Mapping[str, Any], Any], Values]] = MappingProxyType({"take-over": so_far})

    def scene(self, seen: TableView) -> Scene:
        """Make a scene of what is seen."""
        return Scene(**{name: getattr(seen, name) for name in TableView.__dataclass_fields__})

    def covers(self, scene: Scene) -> bool:
        """Cover money where the house rules hide it."""
        return scene.rules.money == "hidden" and scene.phase != "finished"

    def sentence(self, scene: Scene) -> tuple[str, Values]:
        """Return what the table waits for."""
        return sentences.expectation(scene)

    def values(self, scene: Scene, me: str | None) -> Values:
        """Return what tablet, phones and display are drawn with."""
        return {
            "seats": partial(sentences.seats, scene),
            "next_player": sentences.next_player(scene),
            "standing": {player: sentences.standing(scene, player) for player in scene.players},
            "own": own_sentence(scene, me) if me else None,
            "finished_town": cache(partial(town.town, scene)),
            "headline": headlines.headline,
            "switches": [
                ("headlines", scene.words.say("Headlines and story"), True),
                ("needs", scene.words.say("What do I need"), True),
                ("worth", scene.words.say("The standing in worth"), False),
            ],
            "account_result": account.result,
            "account_steps": account.steps,
            "account_seconds_left": partial(account.display_seconds_left, scene, now=datetime.now(UTC)),
            "hammer_bids": auction.bids,
            "hammer_just_sold": auction.just_sold,
            "hire_board_last_move": auction.last_move,
            "hire_board_markers": auction.markers,
            "lately_event_news": headlines.event_news,
            "lately_just_settled": headlines.just_settled,
            "lately_settled_round": headlines.settled_round,
            "lately_settling": headlines.settling,
            "outlook_bidding": town.bidding,
            "outlook_panel_line": town.panel_line,
            "picture_ground": town.GROUND,
            "picture_behind": town.behind,
            "picture_front": town.front,
            "reveal_opened": settlement.opened_plans,
            "reveal_plan_seconds": account.PLAN_SECONDS,
            "reveal_step_seconds": account.STEP_SECONDS,
            "reveal_seats": partial(sentences.opening_seats, scene),
            "settlement_early": EARLY,
            "settlement_late": LATE,
            "settlement_lent": LENT,
            "settlement_loan_choice": settlement.loan_choice,
            "story_just_ended": story.just_ended,
            "story_most_at_end": story.MOST_AT_END,
            "turned_economy": turned.economic_situation,
            "turned_event": turned.turned_event,
            "waiting_can_bid": sentences.can_bid,
            "waiting_can_pay_for": sentences.can_pay_for,
            "waiting_least_bid": sentences.least_bid,
            "waiting_winners": sentences.winners,
        }

    def sheet(self, scene: Scene, name: str, ask: SheetRequest) -> Values:
        """Return what one of its sheets is drawn with."""
        contract = ask.args.get("contract")
        values: Values = {"contract": contract if contract in scene.catalog["contracts"] else None}
        match name:
            case "hire":
                values["asked_for"] = ask.args.get("player")
            case "plan":
                suggested = _suggested(ask) if ask.args.get("suggest") else None
                values["plan"] = plan_sheet.draft_plan(scene, ask.player, ask.args, suggested)
            case "look":
                values["look_fee"] = LOOK_FEE
            case "explain":
                values["summands"] = sheets.summands(ask.table, scene, ask.args.get("account", ""))
            case "forecast":
                lying_ahead = sheets.describe_forecast(scene, ask.table, ask.viewer, ask.player, ask.args)
                values["lying_ahead"] = lying_ahead
            case "differences":
                values["differences"] = sheets.describe_differences(scene)
            case "compare":
                values |= {
                    "purses": sheets.purses(scene),
                    "differences": sheets.describe_differences(scene),
                }
            case _:
                pass
        return values

    def lay_values(self, scene: Scene, wish: str | None) -> Values:
        """Offer the pile that was asked for, or the one that the table waits for."""
        due = "economy" if "turn_economy" in scene.position["expects"] else OF_PHASE.get(scene.phase, "workers")
        return {"deck": wish if wish in DECKS else due}

    def deal(self, scene: Scene, command: Mapping[str, Any]) -> list[Values]:
        """Return nothing: a worker that is lent is said in words."""
        del scene, command
        return []

    def counter(self, scene: Scene, command: Mapping[str, Any], player: str) -> Values:
        """Return nothing: a worker that is lent has two sides only once both agree."""
        del scene, command, player
        return {}

    def question(self, scene: Scene, command: Mapping[str, Any], asker: str) -> str:
        """Ask a borrower."""
        words = scene.words
        return words.say(
            "{player} lends {card} to {borrower} for {price}, for this building phase.",
            player=asker,
            card=words.card(command["worker"], scene.catalog),
            borrower=scene.names[command["borrower"]],
            price=words.money(command["price"]),
        )

    def rules_here(self, scene: Scene) -> list[dict[str, str]]:
        """List what this table does not play as printed."""
        return house_rules.table_rules(scene.words, scene.position)

    def setup(self, words: Words) -> Values:
        """Return the house rules to choose from."""
        return {"template": f"{self.folder}/parts/house_rules.html", "house": house_rules.lobby_rules(words)}

    def chapters(self, words: Words) -> list[dict[str, Any]]:
        """Return all rules."""
        return handbook.describe_chapters(words, HANDBOOK)

    def rule(self, words: Words, name: str) -> dict[str, Any] | None:
        """Return one rule."""
        return handbook.find_rule(words, HANDBOOK, name)

    def terms(self, words: Words) -> list[glossary.TermGroup]:
        """Explain words and symbols."""
        return glossary.groups(words)


def _suggested(ask: SheetRequest) -> dict[str, Any] | None:
    """Ask for the best plan; ``None`` where the player may not plan now, or somebody else asks."""
    try:
        suggestion: dict[str, Any] = ask.table.advice.suggestion(ask.viewer, ask.player)
    except (Refused, Forbidden):
        return None
    return suggestion
