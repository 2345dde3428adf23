"""Master Builder's face: which pages and sheets it has, and what each is drawn with."""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.engine.game import Refused
from companion.game_api.ui import SheetRequest, TableView, Values
from companion.games.master_builder.handbook import HANDBOOK
from companion.games.master_builder.rules.loans import EARLY, LATE, LENT
from companion.games.master_builder.rules.phases.hire import LOOK_FEE
from companion.games.master_builder.rules.state import THOUSAND
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
from companion.games.master_builder.ui import story as lettering
from companion.games.master_builder.ui.amend_forms import MasterBuilderAmending
from companion.games.master_builder.ui.headlines import CORRECTED, QUIET
from companion.games.master_builder.ui.scene import Scene
from companion.games.master_builder.ui.sentences import own_sentence
from companion.games.master_builder.ui.take_over import so_far, take_over
from companion.service.ports import Forbidden
from companion.words import Words, handbook

EVERY = 5
"""So many thousands lie between two marks of the wage track."""


def thousands(amount: int) -> int:
    """Return an amount as the wage track has it: whole thousands."""
    return amount // THOUSAND


def track_marks(limit: int) -> list[tuple[int, float]]:
    """Return the marks of a wage track that ends at ``limit``: amounts, and where they stand in per cent."""
    amounts = range(EVERY * THOUSAND, limit + 1, EVERY * THOUSAND)
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
BOTH = frozenset(
    {"hire", "fire", "economy", "reveal", "event", "open", "workers", "sections", "repay", "borrow", "plan", "look"}
    | {"lend", "explain", "forecast", "yard"}
)
"""Sheets that a player's own device may ask for: his decisions, and what he may know."""


class MasterBuilderFace:
    """Master Builder as people see it."""

    folder = "games/master_builder"
    quiet_events = QUIET
    corrected_events = CORRECTED
    sheets = BOTH | {"count", "money", "compare", "card", "turn", "rename", "differences"}
    seat_sheets = BOTH
    covered_sheets = frozenset({"count", "money", "compare", "explain", "forecast", "differences"})
    amending = MasterBuilderAmending()
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
            "seats": sentences.seats(scene),
            "next_player": sentences.next_player(scene),
            "standing": {player: sentences.standing(scene, player) for player in scene.players},
            "own": own_sentence(scene, me) if me else None,
            "town": town.town(scene),
            "headline": headlines.headline,
            "switches": [
                ("headlines", scene.words.say("Headlines and story"), True),
                ("needs", scene.words.say("What do I need"), True),
                ("worth", scene.words.say("The standing in worth"), False),
            ],
            "account_result": account.result,
            "account_steps": account.steps,
            "hammer_bids": auction.bids,
            "hammer_just_sold": auction.just_sold,
            "hire_board_last_move": auction.last_move,
            "hire_board_markers": auction.markers,
            "lately_event_news": headlines.event_news,
            "lately_just_settled": headlines.just_settled,
            "lately_settled_round": headlines.settled_round,
            "lately_settling": headlines.settling,
            "lettering_voice": lettering.VOICE,
            "lettering_fitted": lettering.fitted,
            "lettering_lines": lettering.lines,
            "outlook_bidding": town.bidding,
            "outlook_panel_line": town.panel_line,
            "picture_ground": town.GROUND,
            "picture_most_turns": town.MOST_TURNS,
            "picture_side": town.SIDE,
            "picture_behind": town.behind,
            "picture_front": town.front,
            "picture_places": town.places,
            "reveal_opened": settlement.opened,
            "settlement_early": EARLY,
            "settlement_late": LATE,
            "settlement_lent": LENT,
            "settlement_loan_choice": settlement.loan_choice,
            "settlement_rows": settlement.rows,
            "story_chosen": story.chosen,
            "story_facts": story.facts,
            "story_told": story.finished_turning_points,
            "story_told_now": story.turning_points_at_end,
            "story_turning_points": story.turning_points,
            "turned_economy": turned.economic_situation,
            "turned_event": turned.turned_event,
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
                values["plan"] = plan_sheet.drafted(scene, ask.player, ask.args, suggested)
            case "look":
                values["look_fee"] = LOOK_FEE
            case "explain":
                account = ask.args.get("account", "")
                values["explained"] = sheets.explained(ask.table, scene, account, ask.viewer)
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
