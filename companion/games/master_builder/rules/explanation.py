"""How figures came about: every flow of the money page with its rule, and the figures beside the ledger.

Accounts are those of the ledger (``player:blue``, ``bank``, ``contract:C03``); beside them ``wages:blue``,
``owes:blue`` and ``worth:blue`` are figures that no posting makes, but what lies before a player does.
"""

from collections.abc import Callable, Mapping, Sequence

from companion.engine.explanation import Addend, Change, Explainer, Source
from companion.engine.game import BANKER
from companion.engine.ledger import BANK, Posting, player_account
from companion.game_api.messages import Event
from companion.games.master_builder.rules import events as e
from companion.games.master_builder.rules.accounting import account_for
from companion.games.master_builder.rules.effects import ALL_SECTIONS
from companion.games.master_builder.rules.loans import count_loans, owes, price_of
from companion.games.master_builder.rules.rulebook import BY_ID
from companion.games.master_builder.rules.scoring import pay_if_unfinished, unfinished_pay
from companion.games.master_builder.rules.state import GamePosition, Loan, State, contract_account, contract_card

# What a figure is the sum of now: workers and their wages, loans and their price, contracts and what they pay.


def workers(state: State, player: str) -> tuple[Addend, ...]:
    """List a player's workers with what each costs this round, the dearest first."""
    crew = sorted(state.player(player).crew, key=lambda worker: (-worker.due, worker.id))
    return tuple(Addend("worker", employed.due, "wage_track", card=employed.id) for employed in crew)


def loans(state: State, player: str, sign: int = 1) -> tuple[Addend, ...]:
    """List a player's loans by kind with what repaying them costs now; ``sign`` -1 counts them as debts."""
    kinds: tuple[Loan, ...] = ("small", "large")
    return tuple(
        Addend(kind, sign * count * price_of(state, kind), "repaying", count=count, each=price_of(state, kind))
        for kind in kinds
        if (count := count_loans(state.player(player), kind))
    )


def sites(state: State, player: str) -> tuple[Addend, ...]:
    """List a player's unpaid contracts with what each would pay at the end; ``count`` sections are missing."""
    return tuple(
        Addend(
            "contract",
            pay_if_unfinished(state.rules, contract_card(state, site.contract), len(site.built)),
            "reckoning",
            card=site.contract,
            count=ALL_SECTIONS - len(site.built),
        )
        for site in sorted(state.player(player).sites, key=lambda site: site.contract)
    )


FLOWS: Mapping[type[Event], str] = {
    e.GameStarted: "start_money",
    e.GameTakenOver: "taking_over",
    e.PileLookedThrough: "choosing_workers",
    e.ContractSold: "purchase",
    e.PremiumLaid: "premium",
    e.ContractRemoved: "removal",
    e.EventPaid: "event_money",
    e.EventReceived: "event_money",
    e.WorkerLent: "lending_workers",
    e.PricePaid: "income",
    e.WagesPaid: "wages",
    e.LoanTaken: "borrowing",
    e.LoanRepaid: "repaying",
    e.MoneyCorrected: "corrections",
    e.ContractCorrected: "corrections",
}
"""The rule behind each kind of event that moves money: as many as the money page has."""

WAGES: Mapping[type[Event], str] = {
    e.GameTakenOver: "taking_over",
    e.WorkerHired: "wage_track",
    e.WorkerFired: "wage_track",
    e.WagesChanged: "event_wages",
    e.WorkersDismissed: "event_wages",
    e.RoundBegan: "event_wages",
}
"""The rule behind each kind of event that changes wages; whatever else does is the banker's hand."""

FIGURES = ("wages", "owes", "worth")


def has_figure(position: GamePosition, account: str) -> bool:
    """Return whether there is such an account or figure."""
    kind, _, name = account.partition(":")
    match kind:
        case "player" | "wages" | "owes" | "worth":
            return name in position.state.seats
        case "contract":
            return any(card.id == name for card in position.state.catalog.contracts)
        case _:
            return account == BANK


def hides_figure(position: GamePosition, account: str, viewer: str) -> bool:
    """Return whether money is kept from a viewer (house rule ``money``, D40); the bank's would tell it too."""
    kind, _, name = account.partition(":")
    hidden = position.state.money_is_hidden and kind in {"player", "worth", BANK}
    return hidden and viewer not in {BANKER, name}


def figure_of(position: GamePosition, account: str) -> int:
    """Return what it amounts to, in dollars."""
    kind, _, name = account.partition(":")
    if kind == "worth":
        money = position.ledger.balance(player_account(name))
        return money + _figure(position, "unfinished", name) - _figure(position, "owes", name)
    if kind in FIGURES:
        return _figure(position, kind, name)
    return position.ledger.balance(account)


def parts_of(position: GamePosition, account: str) -> Sequence[Addend]:
    """List what a figure is the sum of now; the accounts of the ledger have their history only."""
    kind, _, name = account.partition(":")
    match kind:
        case "wages":
            return workers(position.state, name)
        case "owes":
            return loans(position.state, name)
        case "worth":
            money = Addend("cash", position.ledger.balance(player_account(name)), "reckoning")
            return (money, *sites(position.state, name), *loans(position.state, name, sign=-1))
        case _:
            return ()


def changes_of(account: str, before: GamePosition | None, event: Event, after: GamePosition) -> Sequence[Change]:
    """Return how an event changed it; ``before`` is ``None`` for the event that set the table."""
    kind, _, name = account.partition(":")
    match kind:
        case "wages":
            return _step(before, after, kind, name, WAGES.get(type(event), "corrections"))
        case "owes":
            return _step(before, after, kind, name, _debt_rule(event))
        case "worth":
            flows = _flows(player_account(name), event)
            rising = _step(before, after, "unfinished", name, "reckoning")
            owed = _step(before, after, "owes", name, _debt_rule(event))
            return (*flows, *rising, *(Change(-price.amount, price.rule) for price in owed))
        case _:
            return _flows(account, event)


def source_of(rule: str) -> Source:
    """Return where a rule comes from."""
    return BY_ID[rule].source


def flow_rule(event: Event, posting: Posting) -> str:
    """Return the rule behind one posting; what lay on a contract goes to its buyer by a rule of its own."""
    if isinstance(event, e.ContractSold):
        from_contract = posting == Posting(contract_account(event.contract), -event.premium)
        to_buyer = posting == Posting(player_account(event.player), event.premium)
        return "premium" if from_contract or to_buyer else "purchase"
    return FLOWS[type(event)]


def _flows(account: str, event: Event) -> tuple[Change, ...]:
    transaction = account_for(event)
    postings = transaction.postings if transaction else ()
    return tuple(
        Change(posting.amount, flow_rule(event, posting))
        for posting in postings
        if posting.account == account and posting.amount
    )


def _figure(position: GamePosition, kind: str, player: str) -> int:
    player_state = position.state.player(player)
    figures: dict[str, Callable[[], int]] = {
        "wages": lambda: player_state.wages,
        "owes": lambda: owes(position.state, player_state),
        "unfinished": lambda: unfinished_pay(position.state, player_state),
    }
    return figures[kind]()


def _step(before: GamePosition | None, after: GamePosition, kind: str, player: str, rule: str) -> tuple[Change, ...]:
    amount = _figure(after, kind, player) - (_figure(before, kind, player) if before else 0)
    return (Change(amount, rule),) if amount else ()


def _debt_rule(event: Event) -> str:
    """Return the rule behind a change of debts; what is not borrowed is paid back, or has become dearer."""
    return "borrowing" if isinstance(event, e.LoanTaken) else "repaying"


EXPLAINER = Explainer(
    has=has_figure, hides=hides_figure, figure=figure_of, parts=parts_of, changes=changes_of, source=source_of
)
