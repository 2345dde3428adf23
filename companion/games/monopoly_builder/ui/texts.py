"""Sentences of Monopoly Builder: events, figures of a position, and what is to be done now."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.engine.journal import Json
from companion.game_api.ui import Language, TableView, TextContext
from companion.games.monopoly_builder.rules.catalog import JAIL_FEE, PENTHOUSE

# What Monopoly Builder tells beyond its field types: chips by kind, dice, both sides of a trade.

BY_FIELD = {"Freed": "by", "GameEnded": "by"}
"""Events with a sentence for each value of a field."""
MORE_OR_LESS = frozenset({"CashCounted"})
VARIANTS = (
    ("ChanceDrawn", "kept", True, ".kept"),
    ("DebtIncurred", "creditor", "bank", ".bank"),
    ("DebtPaid", "creditor", "bank", ".bank"),
    ("FloorBuilt", "height", 5, ".penthouse"),
    ("DeedCorrected", "mortgaged", True, ".mortgaged"),
    ("BlockCorrected", "height", 0, ".empty"),
    ("PositionCorrected", "in_jail", True, ".jail"),
)
"""Events with a sentence of their own where a field holds this."""


class MonopolyBuilderEventTexts:
    """How Monopoly Builder's events and cards are told."""

    def variant(self, event: Json) -> str:
        """Return which of an event's sentences fits."""
        name = event["event"]
        if name == "Freed" and event["by"] == "fee" and not event.get("fee"):
            return ".paid"
        if name in BY_FIELD:
            return f".{event[BY_FIELD[name]]}"
        if name in MORE_OR_LESS and event["difference"]:
            return ".more" if event["difference"] > 0 else ".less"
        if name == "ChipsChosen":
            return ".nothing" if not event["chips"] else ".return" if event["what"] == "return_chips" else ""
        variants = (variant for kind, field, value, variant in VARIANTS if (kind, event.get(field)) == (name, value))
        if name == "TurnBegan" and event["doubles"]:
            return ".extra"
        return ".exchange" if name == "ChancePlayed" and event["from"] else next(variants, "")

    def record(self, of: str, value: Any, telling: TextContext) -> str:
        """Describe chips, dice, bundles, places of chips and differences."""
        words = telling.words
        match of:
            case "chips":
                return chips(value, words)
            case "dice":
                return " + ".join(str(die) for die in value)
            case "bundle":
                return bundle(value, telling)
            case "choosers":
                return words.listed(telling.person(chooser["player"]) for chooser in value)
            case "floor cost":
                return floor_cost(value, telling)
            case "heap":
                return words.say_in("place", "space", number=value) if isinstance(value, int) else telling.person(value)
            case "difference":
                return words.money(abs(value))
            case _:
                return ""

    def card(self, card: str, catalog: Json, words: Language) -> str | None:
        """Leave cards to the catalog: both kinds have names."""
        del card, catalog, words
        return None


def chips(counts: Mapping[str, int], words: Language) -> str:
    """List chips: *2 red and 1 green*; in French and German several have a plural of their own."""
    return words.listed(
        f"{count} {words.say_in('kind' if count == 1 else 'kind of effect', kind)}"
        for kind, count in counts.items()
        if count
    )


def floor_cost(height: int, telling: TextContext) -> str:
    """Return the chips that a floor costs, and which floor it is."""
    floors = telling.catalog.get("floors", [])
    cost = floors[height - 1] if 0 < height <= len(floors) else {}
    name = "penthouse cost" if height == PENTHOUSE else "floor cost"
    return telling.words.say_in("moment", name, floor=height, chips=chips(cost, telling.words))


def bundle(offered: Json, telling: TextContext) -> str:
    """List one side of a trade."""
    words = telling.words
    parts = [words.money(offered["money"])] if offered.get("money") else []
    parts += [chips(offered["chips"], words)] if offered.get("chips") else []
    parts += [telling.card(card) for card in (*offered.get("deeds", ()), *offered.get("cards", ()))]
    return words.listed(parts) or words.say("nothing")


# Positions of Monopoly Builder in words: what is asked, who owes whom, what lies where.

HIDDEN = frozenset(
    {
        "turn",
        "due",
        "rules",
        "sites",
        "money_in_play",
        "offered",
        "auction",
        "dice",
        "expects",
        "claims",
        "debts",
        "board",
    }
)
"""Figures that the sentence of the moment or the drawing of the board says, or that no table looks for."""
UNSAID: tuple[Any, ...] = (0, False, [], {})
"""What is left out of a player's panel where there is nothing."""
PLAIN = ("discard", "take", "return_chips")


class MonopolyBuilderPositionTexts:
    """How Monopoly Builder's positions are told and said aloud."""

    def figure(self, key: str, value: Any, telling: TextContext) -> str | None:
        """Put a figure into words; leave out what is as usual."""
        words = telling.words
        if key in HIDDEN or (
            key in ("mortgaged", "cards", "in_jail", "tries", "bankrupt", "doubles") and value in UNSAID
        ):
            return ""
        match key, value:
            case ("cash" | "bank", int()):
                return words.money(value)
            case ("cash" | "bank", None):
                return words.say("covered")
            case ("chips" | "tray", Mapping()):
                return chips(value, words)
            case "spaces", Mapping():
                return words.listed(
                    words.say("{name}: {value}", name=space, value=chips(lying, words))
                    for space, lying in value.items()
                )
            case "deck", {"chance": int(left)}:
                return words.several("{count} Chance card", "{count} Chance cards", left)
            case "unsold", list():
                return str(len(value))
            case "space", int():
                return _space(value, telling)
            case _:
                return None

    def moment(self, position: Json, telling: TextContext) -> str:
        """Return what is asked, with its figures, and which rents may be claimed."""
        said = [_asked(position, telling)]
        for claim in position["claims"]:
            figures = {"owner": telling.person(claim["owner"]), "payer": telling.person(claim["payer"])}
            amount = telling.words.money(claim["amount"])
            said.append(telling.words.say_in("moment", "claim", **figures, amount=amount))
        return " ".join(part for part in said if part)


def _asked(position: Json, telling: TextContext) -> str:
    words, phase, mover = telling.words, position["phase"], position["players"][position["turn"]]
    if phase == "auction":
        return _auction(position["auction"], telling)
    if phase == "debt":
        debts = (
            words.say_in(
                "moment",
                "debt to the bank" if debt["creditor"] == "bank" else "debt",
                debtor=telling.person(debt["debtor"]),
                creditor=telling.person(debt["creditor"]),
                amount=words.money(debt["amount"]),
            )
            for debt in position["debts"]
        )
        return " ".join(debts)
    if phase == "buy":
        return words.say_in("moment", "buy", deed=telling.card(position["offered"]))
    if phase == "roll" and mover["in_jail"]:
        return words.say_in(
            "moment", "roll in jail", tries=try_in_jail(mover), ways=jail_ways(position, "leave jail", words)
        )
    if phase == "act" and mover["in_jail"]:
        return words.say_in("moment", "act in jail" if "bank_trade" in position["expects"] else "act by trades")
    if phase in PLAIN:
        return words.say_in("moment", phase, count=position["due"])
    return words.say_in("moment", phase)


def _auction(auction: Json, telling: TextContext) -> str:
    words, deed = telling.words, telling.card(auction["deed"])
    if auction["leader"] is None:
        return words.say_in("moment", "no bid", deed=deed)
    leader, bid = telling.person(auction["leader"]), words.money(auction["bid"])
    return words.say_in("moment", "bid", deed=deed, player=leader, amount=bid)


def _space(number: int, telling: TextContext) -> str:
    """Return a space: its number alone where a deed lies, for that may have been shuffled, else what it does too."""
    spaces = telling.catalog.get("spaces", [])
    if not 0 <= number < len(spaces):
        return str(number)
    space = spaces[number]
    return str(number) if space["deed"] else f"{number} {telling.words.say_in('space', space['type'])}"


LAST_TRY = 3
"""A token whose fee was cut short by a correction has made all tries, and rolls the last one again."""


def try_in_jail(player: Json) -> int:
    """Return which try to leave jail a player's next roll is."""
    return min(int(player["tries"]) + 1, LAST_TRY)


def jail_ways(position: Json, context: str, words: Language) -> str:
    """Return how whoever is on turn may leave jail now: with the fee unless too little money is seen, with a card."""
    cash = position["players"][position["turn"]]["cash"]
    fee = [] if cash is not None and cash < JAIL_FEE else [words.say_in(context, "fee", amount=words.money(JAIL_FEE))]
    card = [words.say_in(context, "card")] if "play_chance" in position["expects"] else []
    return words.listed((words.say_in(context, "double"), *fee, *card), how="or")


def space_named(scene: TableView, number: int, *, in_jail: bool = False) -> str:
    """Return what a space is called: by the deed that lies there, or by what it does; in jail, or just visiting."""
    space, sites = scene.catalog["spaces"][number], scene.position["sites"]
    if str(number) in sites:
        deed = sites[str(number)]
        return str(scene.words.card(deed, scene.catalog) if deed else scene.words.say_in("space", "face down"))
    if space["type"] == "jail" and not in_jail:
        return str(scene.words.say_in("stage", "just visiting"))
    return str(scene.words.say_in("space", space["type"]))


def payments_together(scene: TableView, payments: Sequence[Json]) -> str:
    """Return what many paid to one, or one to many, as one sentence; nothing where amounts or sides differ."""
    names = scene.names
    debtors, creditors, amounts = (
        [*dict.fromkeys(payment[field] for payment in payments)] for field in ("debtor", "creditor", "amount")
    )
    if len(amounts) > 1 or min(len(debtors), len(creditors)) > 1:
        return ""
    sides = {"debtors": debtors, "creditors": creditors}
    said = {side: scene.words.listed(names.get(player, "") for player in players) for side, players in sides.items()}
    how = "pays many" if len(debtors) == 1 else "pay the bank" if creditors == ["bank"] else "pay one"
    return str(scene.words.say_in("stage", how, amount=scene.words.money(amounts[0]), **said))
