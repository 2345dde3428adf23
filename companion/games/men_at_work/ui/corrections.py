"""Entries of the banker at Men at Work: figures that are put right, and a game begun without the app."""

from collections.abc import Iterator, Sequence
from typing import Any

from companion.engine.journal import Json
from companion.game_api.stage import (
    CorrectableFigure,
    FigureChoice,
    TakenField,
    TakenGroup,
    TakenOption,
    TakeOverForm,
)
from companion.game_api.ui import Language, TableView
from companion.games.men_at_work.rules.catalog import COLOURS, PIECES
from companion.games.men_at_work.rules.setup import CERTIFICATES, first_site
from companion.games.men_at_work.rules.state import HAND

ON_FLOOR = tuple(piece for piece in PIECES if piece not in (*COLOURS, "supports"))
"""What may lie on the floor of the box in the variant ``skyscraper``."""


class MenAtWorkCorrections:
    """Knows which figures of Men at Work can be put right."""

    def figures(self, scene: TableView) -> Sequence[CorrectableFigure]:
        """Return name, certificates, awards and hand of each player; boss, hook, pieces and cards of the table."""
        of_players = (figure for player in scene.players for figure in _of_player(scene, player))
        if scene.position["finished"]:
            return tuple(of_players)
        return (*of_players, *_of_table(scene))


def _of_player(scene: TableView, player: str) -> Iterator[CorrectableFigure]:
    position, own, words = scene.position, scene.players[player], scene.words
    yield CorrectableFigure(
        key=f"name:{player}",
        title=words.say_in("field", "name"),
        now=own["name"],
        player=player,
        text="name",
        command={"do": "rename_player", "player": player},
    )
    dealt = position["rules"]["expert_certificates"] if own["level"] == "expert" else CERTIFICATES
    most = {
        "certificates": max(dealt, own["certificates"]),
        "awards": own["awards"] + position["awards_left"],
        "hand": min(HAND, own["hand"] + _free_in_pile(scene)) if "foreman" in position["variants"] else 0,
    }
    for name, limit in most.items():
        if not limit:
            continue
        yield CorrectableFigure(
            key=f"{name}:{player}",
            title=words.say_in("field", name),
            now=str(own[name]),
            player=player,
            choices=tuple(
                FigureChoice(
                    str(number),
                    None if number == own[name] else {"do": "correct_player", "player": player, name: number},
                )
                for number in range(limit + 1)
            ),
        )


def _of_table(scene: TableView) -> Iterator[CorrectableFigure]:
    position, words = scene.position, scene.words
    on_duty = position["boss"]["on_duty"]
    boss = {True: words.say_in("stage", "boss on duty"), False: words.say_in("stage", "boss in the pile")}
    yield CorrectableFigure(
        key="boss",
        title=words.say_in("stage", "title BossTurned"),
        now=boss[on_duty],
        choices=tuple(
            FigureChoice(says, None if value == on_duty else {"do": "correct_boss", "on_duty": value})
            for value, says in boss.items()
        ),
    )
    yield CorrectableFigure(
        key="hook",
        title=words.say_in("field", "active"),
        now=scene.names[position["active"]],
        choices=tuple(
            FigureChoice(
                scene.names[player],
                None if player == position["active"] else {"do": "correct_turn", "player": player},
            )
            for player, own in scene.players.items()
            if not own["out"]
        ),
    )
    if not scene.players[position["active"]]["out"]:
        yield from _turn(scene)
    if position["site"] is not None and position["phase"] != "colour":
        yield from (_lying(scene, "site", piece) for piece in PIECES)
        if "skyscraper" in position["variants"]:
            yield from (_lying(scene, "floor", piece) for piece in ON_FLOOR)
    yield from _cards(scene)


def _turn(scene: TableView) -> Iterator[CorrectableFigure]:
    """Return the turn, which may begin anew with whoever holds the hook, and whether something is to be cleaned up."""
    position, words = scene.position, scene.words
    anew = {"do": "correct_turn", "player": position["active"]}
    player, turn = scene.names[position["active"]], position["turn"]
    yield CorrectableFigure(
        key="turn",
        title=words.say_in("field", "turn"),
        now=str(turn),
        choices=(
            FigureChoice(str(turn)),
            FigureChoice(words.say_in("correct", "begins anew", turn=turn + 1, player=player), anew),
        ),
    )
    clean = {False: words.say("no"), True: words.say("yes")}
    yield CorrectableFigure(
        key="clean",
        title=words.say_in("field", "clean"),
        now=clean[position["clean"]],
        choices=tuple(
            FigureChoice(says, None if value == position["clean"] else {**anew, "clean": value})
            for value, says in clean.items()
        ),
    )


def _played_onto_pile(scene: TableView) -> tuple[str, ...]:
    """Return the foreman cards that lie on the pile now, the top one last: the position does not tell them."""
    on_pile: list[str] = []
    for entry in scene.entries:
        amended = entry.get("amended") or {}
        for event in () if entry.get("undone") else amended.get("events") or entry["events"]:
            if event["event"] == "ForemanCardPlayed" and event["on"] == "deck":
                on_pile.append(event["card"])
            elif event["event"] == "CardTurned" and on_pile[-1:] == [event["card"]]:
                on_pile.pop()
    return tuple(on_pile)


def _free_in_pile(scene: TableView) -> int:
    """Return how many cards of the pile may be any instruction: neither the boss nor played onto it."""
    position = scene.position
    boss = 0 if position["boss"]["on_duty"] else 1
    return max(0, int(position["deck"]) - len(_played_onto_pile(scene)) - boss)


def _lying(scene: TableView, place: str, piece: str) -> CorrectableFigure:
    """Return how many of a piece lie on the site or the floor: more come from the reserve, fewer go back."""
    lying, reserve = scene.position[place][piece], scene.position["reserve"][piece]

    def moved(number: int) -> Json | None:
        if number == lying:
            return None
        places = {"from": "reserve", "to": place} if number > lying else {"from": place, "to": "reserve"}
        return {"do": "correct_pieces", **places, "pieces": {piece: abs(number - lying)}}

    words = scene.words
    return CorrectableFigure(
        key=f"{place}:{piece}",
        title=words.say_in("correct", f"on the {place}", piece=words.say_in("piece", piece)),
        now=str(lying),
        choices=tuple(FigureChoice(str(number), moved(number)) for number in range(lying + reserve + 1)),
    )


def _cards(scene: TableView) -> Iterator[CorrectableFigure]:
    """Return the discard: a card of it goes back into the pile, one of the pile comes beneath it, unseen.

    Nothing where no card can be put right.
    """
    discard, words = scene.position["discard"], scene.words
    top = discard[-1:]

    def sets(card: str) -> dict[str, Any]:
        return {"do": "correct_card", "card": card, "to": "deck" if card in discard else "discard"}

    back = [card for card in discard if card not in top]
    away = {*discard, *_played_onto_pile(scene)}
    free = sorted(scene.catalog["cards"]) if _free_in_pile(scene) else ()
    unseen = [card for card in free if card not in away]
    named = [("back into the pile", card) for card in back] + [("under the discard", card) for card in unseen]
    if named:
        yield CorrectableFigure(
            key="discard",
            title=words.say_in("field", "discard"),
            now=str(len(discard)),
            choices=tuple(
                FigureChoice(words.say_in("correct", way, card=words.card(card, scene.catalog)), sets(card))
                for way, card in named
            ),
        )


# A game begun without the app, as it lies on the table when a turn begins.

LEVELS = ("standard", "expert")
MOST_AWARDS = 40
"""More than in any box: how many a player may have before the game ends, the rules say."""
MOST_OF_A_PIECE = 40
COUNTED: Json = {"counts": True}
SKYSCRAPER: Json = {"skyscraper": True}
"""With which house rule pieces are counted at all, and with which variant they lie on the floor of the box."""


class MenAtWorkTakeOver:
    """Knows what of a game of Men at Work is entered."""

    def form(self, words: Language, cards: Json, colours: Sequence[str]) -> TakeOverForm:
        """Return level, certificates, awards and hand of each player; turn, boss, cards turned, site and floor."""
        del cards, colours
        as_dealt = words.say_in("take over", "as dealt")
        levels = tuple(TakenOption(words.named("level", level), {"level": level}) for level in LEVELS)
        yes_or_no = ((words.say("no"), False), (words.say("yes"), True))
        boss = tuple(
            TakenOption(words.say_in("stage", says), {"boss.on_duty": on_duty})
            for says, on_duty in (("boss in the pile", False), ("boss on duty", True))
        )
        table = (
            TakenField(title=words.say_in("field", "turn"), path="turn", value=1, least=1, most=999),
            TakenField(title=words.say_in("stage", "title BossTurned"), options=boss),
            TakenField(
                title=words.say_in("phase", "clean"),
                options=tuple(TakenOption(says, {"clean": value}) for says, value in yes_or_no),
            ),
            TakenField(title=words.say_in("take over", "discard"), path="discard", prefix="I"),
        )
        return TakeOverForm(
            player=(
                TakenField(title=words.named("field", "level"), options=levels),
                TakenField(
                    title=words.say_in("field", "certificates"), path="certificates", most=CERTIFICATES, hint=as_dealt
                ),
                TakenField(title=words.say_in("field", "awards"), path="awards", value=0, most=MOST_AWARDS),
                TakenField(
                    title=words.say_in("field", "hand"),
                    path="hand",
                    most=HAND,
                    hint=as_dealt,
                    where={"foreman": True},
                ),
            ),
            groups=(
                TakenGroup(words.say_in("take over", "table"), table),
                TakenGroup(
                    words.say_in("field", "site"),
                    tuple(field for piece in PIECES for field in _taken_on_site(words, piece)),
                    words.say_in("take over", "site as at the start"),
                    where=COUNTED,
                ),
                TakenGroup(
                    words.say_in("field", "floor"),
                    tuple(_taken_pieces(words, "floor", piece, 0) for piece in ON_FLOOR),
                    where={**COUNTED, **SKYSCRAPER},
                ),
            ),
            turn="active",
            seats=True,
        )


def _taken_on_site(words: Language, piece: str) -> tuple[TakenField, ...]:
    """Return how many of a piece stand on the site; twice where a skyscraper begins with another number of them."""
    usual, skyscraper = first_site(())[piece], first_site(("skyscraper",))[piece]
    if usual == skyscraper:
        return (_taken_pieces(words, "site", piece, usual),)
    return (
        _taken_pieces(words, "site", piece, usual, where={"skyscraper": False}),
        _taken_pieces(words, "site", piece, skyscraper, where=SKYSCRAPER),
    )


def _taken_pieces(words: Language, place: str, piece: str, start: int, where: Json | None = None) -> TakenField:
    return TakenField(
        title=words.say_in("piece", piece),
        path=f"{place}.{piece}",
        most=MOST_OF_A_PIECE,
        hint=str(start),
        where=where or {},
    )
