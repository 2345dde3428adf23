"""Phase 5 in rows that everybody can follow, and what the two loans cost."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.master_builder.rules.building import GABLES, ROOFS, section_names
from companion.games.master_builder.rules.loans import EARLY, LATE, LENT
from companion.games.master_builder.rules.phases.income import payable
from companion.games.master_builder.rules.state import Loan
from companion.games.master_builder.ui.scene import Scene
from companion.service.table.history import amendable, effective_json


def wages_due(scene: Scene, player: str) -> int:
    """Return what a player pays this round."""
    return payable(int(scene.players[player]["wages"]), scene.rules)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoanTerms:
    """Terms of ``count`` loans of a size: paid out are ``each``, and ``lent`` together.

    ``early`` and ``late`` are paid back; ``left``: cash after wages, ``None`` where it is covered.
    """

    loan: str
    count: int
    each: int
    lent: int
    left: int | None
    early: int
    late: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LoanChoice:
    """The loans to choose from for a player with wages ``due``; ``must``: they cannot pay without one.

    ``cash`` and ``missing`` are ``None`` where cash is covered; ``late``: loans are paid back at the late rate now.
    """

    cash: int | None
    due: int
    must: bool
    missing: int | None
    late: bool
    loans: list[LoanTerms]


def loan_choice(scene: Scene, offer: Mapping[str, Any]) -> LoanChoice:
    """Put the loans that are to be had side by side for somebody who is short of money, or free to borrow."""
    player = offer["player"]
    due = wages_due(scene, player)
    cash: int | None = scene.players[player]["cash"]
    missing = None if cash is None else max(0, due - cash)
    return LoanChoice(
        cash=cash,
        due=due,
        must=bool(missing) or (cash is None and not scene.offers_of("pass", player=player)),
        missing=missing,
        late=bool(scene.position.get("loans_late")),
        loans=[
            _loan_terms(loan, max(1, -(-(missing or 0) // LENT[loan])), None if cash is None else cash - due)
            for loan in offer["fields"]["loan"]["values"]
        ],
    )


def _loan_terms(loan: Loan, count: int, after_wages: int | None) -> LoanTerms:
    lent = count * LENT[loan]
    return LoanTerms(
        loan=loan,
        count=count,
        each=LENT[loan],
        lent=lent,
        left=None if after_wages is None else after_wages + lent,
        early=count * EARLY[loan],
        late=count * LATE[loan],
    )


# The plans that have just opened: what each player built with whom, what it brought, and what it cost.


@dataclass(frozen=True, slots=True)
class SiteProgress:
    """A building site: its card, the sections that stood ``before``, and the ``fresh`` ones in the order they settle.

    ``crews`` are the types of those who built each of them.
    """

    lot: Mapping[str, Any]
    before: tuple[str, ...]
    fresh: tuple[str, ...]
    crews: Mapping[str, tuple[str, ...]]

    @property
    def finished(self) -> bool:
        """Return whether nothing is missing any more."""
        return len(self.before) + len(self.fresh) == len(section_names(self.lot["kind"]))


@dataclass(frozen=True, slots=True)
class Opened:
    """A player's plan, and dollars of ``price``, ``wages``, ``lent`` and ``repaid`` as far as they were booked."""

    player: str
    sites: tuple[SiteProgress, ...]
    price: int
    wages: int
    lent: int
    repaid: int

    @property
    def sections(self) -> int:
        """Return how many sections were built."""
        return sum(len(site.fresh) for site in self.sites)

    @property
    def workers(self) -> int:
        """Return how many workers built them."""
        return sum(len(crew) for site in self.sites for crew in site.crews.values())


def opened_plans(scene: Scene) -> tuple[Opened, ...]:
    """Return the plans that the latest entry opened, in turn order; nothing once somebody has acted since."""
    entry = scene.entries[-1] if scene.entries else None
    if entry is None or not amendable(entry):
        return ()
    events = effective_json(entry)["events"]
    built = {event["player"]: event["work"] for event in events if event["event"] == "SectionsBuilt"}
    return tuple(_opened(scene, player, built[player], events) for player in scene.players if built.get(player))


def _opened(scene: Scene, player: str, work: list[Mapping[str, Any]], events: list[Mapping[str, Any]]) -> Opened:
    def dollars(kind: str, field: str = "amount") -> int:
        return sum(event[field] for event in events if event["event"] == kind and event["player"] == player)

    return Opened(
        player,
        tuple(_site(scene, player, card, work) for card in dict.fromkeys(job["contract"] for job in work)),
        dollars("PricePaid", "price"),
        dollars("WagesPaid"),
        dollars("LoanTaken"),
        dollars("LoanRepaid"),
    )


def _site(scene: Scene, player: str, card: str, work: list[Mapping[str, Any]]) -> SiteProgress:
    lot = scene.contract(card)
    crews = {job["section"]: job["workers"] for job in work if job["contract"] == card}
    standing = scene.players[player]["contracts"].get(card, section_names(lot["kind"]))
    types = {section: tuple(scene.worker(worker)["type"] for worker in crew) for section, crew in crews.items()}
    before = tuple(section for section in standing if section not in crews)
    return SiteProgress(lot, before, tuple(sorted(crews, key=_rank)), types)


def _rank(section: str) -> tuple[bool, bool, str]:
    """Walls settle before gables, and gables before roofs."""
    return section in ROOFS, section in GABLES, section
