"""The story of an evening of Monopoly Builder: the dearest deed, the highest rent, bankruptcies, the penthouse."""

from collections.abc import Iterator, Sequence

from companion.engine.journal import Json
from companion.game_api.stage import Ending, RoundWorth, TurningPoint
from companion.game_api.ui import TableView
from companion.games.monopoly_builder.drawings.game import town_picture

SALES = ("DeedBought", "DeedSold")


class MonopolyBuilderStory:
    """Shows how an evening of Monopoly Builder went."""

    def ending(self, scene: TableView, events: Sequence[Json], worths: Sequence[RoundWorth]) -> Ending:
        """Return turning points, the town, and in numbers how the game ended.

        Who led when is not told: samples of the evening do not say in which turn that changed.
        """
        del worths
        words = scene.words
        numbered = list(_numbered(events))
        buildings = len(scene.position["board"])
        return Ending(
            facts=tuple(
                fact
                for fact in (
                    _margin(scene),
                    words.several("{count} turn", "{count} turns", numbered[-1][0] if numbered else 1),
                    words.several("{count} building", "{count} buildings", buildings),
                )
                if fact
            ),
            turns=tuple(
                TurningPoint(words.say_in("story", "turn", turn=turn), says, player)
                for turn, player, says in sorted(_points(scene, numbered), key=lambda point: point[0])
            ),
            results={
                place.player: words.several("{count} point", "{count} points", place.figures[0][1])
                for place in scene.overview.standings
            },
            picture=town_picture(scene),
            explained=words.say_in("story", "ranking"),
        )


def _numbered(events: Sequence[Json]) -> Iterator[tuple[int, Json]]:
    """Return every event with the number of its turn; an extra turn after a double has none of its own."""
    turn = 1
    for event in events:
        turn += event["event"] == "TurnBegan" and not event["doubles"]
        yield turn, event


def _margin(scene: TableView) -> str:
    """Return by how many points the winner is ahead; nothing where money decided, or nobody else played."""
    places = scene.overview.standings
    ahead = places[0].figures[0][1] - places[1].figures[0][1] if len(places) > 1 else 0
    return scene.words.say_in("story", "ahead", count=ahead) if ahead else ""


def _points(scene: TableView, events: Sequence[tuple[int, Json]]) -> Iterator[tuple[int, str | None, str]]:
    """Return the turning points: turn, whose, and what is said."""
    words, names = scene.words, scene.names
    sales = [(turn, event) for turn, event in events if event["event"] in SALES]
    if len(sales) > 1:
        turn, sale = max(sales, key=lambda sold: sold[1]["price"])
        figures = {"player": names[sale["player"]], "amount": words.money(sale["price"])}
        deed = words.card(sale["deed"], scene.catalog)
        yield turn, sale["player"], words.say_in("story", "dearest deed", deed=deed, **figures)
    claims = list(_rents(scene, events))
    if claims:
        turn, claim = max(claims, key=lambda claimed: claimed[1]["amount"])
        figures = {role: names[claim[role]] for role in ("owner", "payer")}
        deed, amount = words.card(claim["deed"], scene.catalog), words.money(claim["amount"])
        yield turn, claim["owner"], words.say_in("story", "highest rent", deed=deed, amount=amount, **figures)
    penthouse = len(scene.catalog["floors"])
    for turn, event in events:
        if event["event"] == "WentBankrupt" or (event["event"] == "FloorBuilt" and event["height"] == penthouse):
            yield turn, event["player"], f"{words.event(event, names, scene.catalog)}."


def _rents(scene: TableView, events: Sequence[tuple[int, Json]]) -> Iterator[tuple[int, Json]]:
    """Return the rents with their turns: those that were claimed, and where that is unasked the debts of landings.

    The debt of a landing follows the token's move and the end of the space's business; what a card has players pay
    does not.
    """
    for place, (turn, event) in enumerate(events):
        before = [earlier for _, earlier in events[max(0, place - 2) : place]]
        if event["event"] == "RentClaimed":
            yield turn, event
        elif event["event"] == "DebtIncurred" and [earlier["event"] for earlier in before] == [
            "TokenMoved",
            "StageCame",
        ]:
            deed = scene.position["sites"].get(str(before[0]["to"]))
            if deed and event["creditor"] in scene.names:
                owner, payer = event["creditor"], event["debtor"]
                yield turn, {"owner": owner, "payer": payer, "deed": deed, "amount": event["amount"]}
