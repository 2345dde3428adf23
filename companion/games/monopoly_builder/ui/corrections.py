"""Entries of the banker at Monopoly Builder: figures that are put right, and a game begun without the app."""

from collections.abc import Iterator, Sequence

from companion.engine.journal import Json
from companion.engine.ledger import player_account
from companion.game_api.stage import (
    CorrectableFigure,
    FigureAmount,
    FigureChoice,
    TakenField,
    TakenGroup,
    TakenOption,
    TakeOverForm,
)
from companion.game_api.ui import Language, TableView
from companion.games.monopoly_builder.rules.catalog import (
    CHIPS_A_KIND,
    KINDS,
    MONEY,
    PENTHOUSE,
    START_CASH,
    UNIT,
    Foundation,
)
from companion.games.monopoly_builder.ui.stage import space_named

BANK = "bank"


class MonopolyBuilderCorrections:
    """Knows which figures of Monopoly Builder can be put right."""

    def figures(self, scene: TableView) -> Sequence[CorrectableFigure]:
        """Return name, cash, chips, token and deeds of each player; turn, buildings and unsold deeds of the table."""
        of_players = [figure for player in scene.players for figure in _of_player(scene, player)]
        return (*of_players, *_of_table(scene))


def _of_player(scene: TableView, player: str) -> Iterator[CorrectableFigure]:
    own, words, position = scene.players[player], scene.words, scene.position
    auction, move = position["auction"], {"do": "correct_money"}
    yield CorrectableFigure(
        key=f"name:{player}",
        title=words.say_in("field", "name"),
        now=own["name"],
        player=player,
        text="name",
        command={"do": "rename_player", "player": player},
    )
    if own["bankrupt"]:
        return
    if own["cash"] is not None and position["bank"] is not None:
        yield CorrectableFigure(
            key=f"cash:{player}",
            title=words.named("field", "cash"),
            now=words.money(own["cash"]),
            player=player,
            amount=FigureAmount(
                "amount",
                own["cash"],
                auction["bid"] if auction is not None and auction["leader"] == player else 0,
                own["cash"] + position["bank"],
                UNIT,
                more={**move, "from": BANK, "to": player},
                less={**move, "from": player, "to": BANK},
            ),
            account=player_account(player),
            command=move,
        )
    for kind in KINDS:
        yield _chips(scene, player, kind)
    yield _token(scene, player)
    for deed in own["deeds"]:
        yield _deed(scene, deed)


def _chips(scene: TableView, player: str, kind: str) -> CorrectableFigure:
    """Return the chips of a kind of a player: more of them come from the tray, fewer go back there."""
    has, tray = scene.players[player]["chips"][kind], scene.position["tray"][kind]

    def moved(number: int) -> Json | None:
        if number == has:
            return None
        places = {"from": BANK, "to": player} if number > has else {"from": player, "to": BANK}
        return {"do": "correct_chips", "kind": kind, "count": abs(number - has), **places}

    return CorrectableFigure(
        key=f"chips:{kind}:{player}",
        title=scene.words.say_in("correct", "chips", kind=scene.words.say_in("kind", kind)),
        now=str(has),
        player=player,
        choices=tuple(FigureChoice(str(number), moved(number)) for number in range(has + tray + 1)),
    )


def _token(scene: TableView, player: str) -> CorrectableFigure:
    own, spaces = scene.players[player], scene.catalog["spaces"]
    at = (own["space"], own["in_jail"])
    jail = next(number for number, space in enumerate(spaces) if space["type"] == "jail")
    places = [(number, False) for number in range(len(spaces))]
    places.insert(jail + 1, (jail, True))

    def command(number: int, *, in_jail: bool) -> Json:
        moved = {"do": "correct_position", "player": player, "space": number}
        return {**moved, "in_jail": True} if in_jail else moved

    return CorrectableFigure(
        key=f"space:{player}",
        title=scene.words.named("field", "space"),
        now=space_named(scene, own["space"], in_jail=own["in_jail"]),
        player=player,
        choices=tuple(
            FigureChoice(
                f"{number} {space_named(scene, number, in_jail=in_jail)}",
                None if (number, in_jail) == at else command(number, in_jail=in_jail),
            )
            for number, in_jail in places
        ),
    )


def _deed(scene: TableView, deed: str) -> CorrectableFigure:
    """Return where a deed lies: with the bank, with a player, mortgaged or not."""
    words = scene.words
    owner = next((player for player, own in scene.players.items() if deed in own["deeds"]), BANK)
    mortgaged = owner != BANK and deed in scene.players[owner]["mortgaged"]
    solvent = [player for player, own in scene.players.items() if not own["bankrupt"]]
    places = [(BANK, False), *((player, value) for player in solvent for value in (False, True))]

    def says(place: str, *, is_mortgaged: bool) -> str:
        name = words.say_in("place", BANK) if place == BANK else scene.names[place]
        return words.say_in("correct", "mortgaged", player=name) if is_mortgaged else name

    def command(place: str, *, is_mortgaged: bool) -> Json:
        lies = {"do": "correct_card", "card": deed, "to": place}
        return lies if place == BANK else {**lies, "mortgaged": is_mortgaged}

    return CorrectableFigure(
        key=f"deed:{deed}",
        title=words.card(deed, scene.catalog),
        now=says(owner, is_mortgaged=mortgaged),
        player=None if owner == BANK else owner,
        choices=tuple(
            FigureChoice(
                says(place, is_mortgaged=value),
                None if (place, value) == (owner, mortgaged) else command(place, is_mortgaged=value),
            )
            for place, value in places
        ),
    )


def _of_table(scene: TableView) -> Iterator[CorrectableFigure]:
    position, words = scene.position, scene.words
    solvent = [player for player, own in scene.players.items() if not own["bankrupt"]]
    if not position["finished"]:
        yield CorrectableFigure(
            key="turn",
            title=words.say_in("stage", "turn"),
            now=scene.names[position["turn"]],
            choices=tuple(
                FigureChoice(
                    words.say_in("correct", f"turn {phase}", player=scene.names[player]),
                    {"do": "correct_turn", "player": player, "phase": phase},
                )
                for player in solvent
                for phase in ("roll", "act")
            ),
        )
    for cell in Foundation(tuple(scene.catalog["foundation"]["rows"])).cells:
        if position["board"].get(cell, {}).get("height") != PENTHOUSE:
            yield _building(scene, cell, solvent)
    for deed in position["unsold"]:
        yield _deed(scene, deed)


def _building(scene: TableView, cell: str, solvent: Sequence[str]) -> CorrectableFigure:
    """Return what stands on a cell: nothing, or a building of a player, as high as their blocks allow."""
    words, stands = scene.words, scene.position["board"].get(cell)
    now = (stands["owner"], stands["height"]) if stands else None

    def says(building: tuple[str, int] | None) -> str:
        if building is None:
            return words.say_in("correct", "empty")
        owner, height = building
        return words.say_in("correct", "building", player=scene.names[owner], floor=height)

    def command(building: tuple[str, int] | None) -> Json | None:
        if building == now:
            return None
        on_cell = {"do": "correct_block", "cell": cell}
        return {**on_cell, "height": 0} if building is None else dict(on_cell, owner=building[0], height=building[1])

    buildings = [
        (player, height)
        for player in solvent
        for height in range(1, PENTHOUSE)
        if height <= scene.players[player]["blocks"] + (now[1] if now and now[0] == player else 0)
    ]
    return CorrectableFigure(
        key=f"cell:{cell}",
        title=words.say_in("correct", "cell", cell=cell),
        now=says(now),
        player=None if now is None else now[0],
        choices=tuple(FigureChoice(says(building), command(building)) for building in (None, *buildings)),
    )


# A game begun without the app, as it lies on the table.


class MonopolyBuilderTakeOver:
    """Knows what of a game of Monopoly Builder is entered."""

    def form(self, words: Language, cards: Json, colours: Sequence[str]) -> TakeOverForm:
        """Return money, chips and space of each player; how far the turn has come, deeds, kept cards, buildings."""
        return TakeOverForm(
            player=(
                TakenField(title=words.named("field", "cash"), path="cash", value=START_CASH, most=MONEY, step=UNIT),
                *(
                    TakenField(
                        title=words.say_in("correct", "chips", kind=words.say_in("kind", kind)),
                        path=f"chips.{kind}",
                        value=0,
                        most=CHIPS_A_KIND,
                    )
                    for kind in KINDS
                ),
                TakenField(title=words.named("field", "space"), options=_spaces(words, cards)),
            ),
            groups=(
                TakenGroup(words.say_in("take over", "how far"), (_phases(words),)),
                TakenGroup(
                    words.named("field", "deeds"),
                    tuple(_taken_deed(words, cards, deed, colours) for deed in cards["deeds"]),
                ),
                TakenGroup(
                    words.say_in("take over", "kept cards"),
                    tuple(
                        _kept(words, cards, card, colours) for card, values in cards["chance"].items() if values["keep"]
                    ),
                ),
                TakenGroup(
                    words.say_in("take over", "buildings"),
                    tuple(
                        _taken_cell(words, cell, colours)
                        for cell in Foundation(tuple(cards["foundation"]["rows"])).cells
                    ),
                ),
            ),
            turn="turn",
        )


def _phases(words: Language) -> TakenField:
    phases = ("roll", "act")
    return TakenField(
        title=words.say_in("take over", "the turn"),
        options=tuple(TakenOption(words.say_in("take over", phase), {"phase": phase}) for phase in phases),
    )


def _spaces(words: Language, cards: Json) -> tuple[TakenOption, ...]:
    """Return every space, the jail also with whoever sits in it."""
    options: list[TakenOption] = []
    for number, space in enumerate(cards["spaces"]):
        in_jail = space["type"] == "jail"
        name = words.card(space["deed"], cards) if space["deed"] else words.say_in("space", space["type"])
        if in_jail:
            visiting = words.say_in("stage", "just visiting")
            options.append(TakenOption(f"{number} {visiting}", {"space": number}))
            options.append(TakenOption(f"{number} {name}", {"space": number, "in_jail": True}))
        else:
            options.append(TakenOption(f"{number} {name}", {"space": number}))
    return tuple(options)


def _taken_deed(words: Language, cards: Json, deed: str, colours: Sequence[str]) -> TakenField:
    of_players: list[TakenOption] = []
    for colour in colours:
        own = {f"players.{colour}.deeds+": deed}
        mortgaged = {**own, f"players.{colour}.mortgaged+": deed}
        of_players.append(TakenOption("{player}", own, colour))
        says = words.template("mortgaged", "correct")
        of_players.append(TakenOption(says, mortgaged, colour))
    bank = TakenOption(words.say_in("place", BANK))
    return TakenField(title=words.card(deed, cards), options=(bank, *of_players))


def _kept(words: Language, cards: Json, card: str, colours: Sequence[str]) -> TakenField:
    of_players = (TakenOption("{player}", {f"players.{colour}.cards+": card}, colour) for colour in colours)
    pile = TakenOption(words.say_in("place", "deck"))
    return TakenField(title=words.card(card, cards), options=(pile, *of_players))


def _taken_cell(words: Language, cell: str, colours: Sequence[str]) -> TakenField:
    says = words.template("building", "correct")
    buildings = (
        TakenOption(
            says.replace("{floor}", str(height)), {f"board.{cell}": {"owner": colour, "height": height}}, colour
        )
        for colour in colours
        for height in range(1, PENTHOUSE)
    )
    empty = TakenOption(words.say_in("correct", "empty"))
    return TakenField(title=words.say_in("correct", "cell", cell=cell), options=(empty, *buildings))
