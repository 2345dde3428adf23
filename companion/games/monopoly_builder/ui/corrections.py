"""Entries of the banker at Monopoly Builder: figures that are put right, and a game begun without the app."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

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
from companion.games.monopoly_builder.ui.texts import chips as said_chips
from companion.games.monopoly_builder.ui.texts import space_named

BANK = "bank"
MOST_ON_SPACE = 6
"""Chips of one kind on a space that are entered at once; more are a matter of corrections."""
TRIES = 3
"""So many tries to get out of jail by a double: before the first one none was made."""
DOUBLES = 3
"""So many doubles in a row lead to jail: a row has fewer."""
MOMENTS = {"roll": "discard", "act": "act"}
"""Moments of a turn that people choose, each with its phase: before a roll surplus chips are put down first."""
LISTED_DEEDS: Json = {"deeds": "beside"}
SHUFFLED: Json = {"deeds": "shuffled"}
"""The house rule by which deeds lie beside the spaces that are printed, or are turned up as players land."""


class MonopolyBuilderCorrections:
    """Knows which figures of Monopoly Builder can be put right."""

    def figures(self, scene: TableView) -> Sequence[CorrectableFigure]:
        """Return name, cash, chips, token, deeds and kept cards of each player, and those of the table.

        Of the table: turn, with the end of the evening, or to go on after it; buildings, chips on spaces, unsold deeds,
        cards of the pile.
        """
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
                max(own["cash"], MONEY),  # the bank may owe
                UNIT,
                more={**move, "from": BANK, "to": player},
                less={**move, "from": player, "to": BANK},
            ),
            account=player_account(player),
            command=move,
        )
    for kind in KINDS:
        title = words.say_in("correct", "chips", kind=words.say_in("kind", kind))
        yield _chips(scene, f"chips:{kind}:{player}", title, kind, own["chips"][kind], place=player, player=player)
    yield _token(scene, player)
    for deed in own["deeds"]:
        yield _deed(scene, deed)
    for card in own["cards"]:
        yield _kept_card(scene, card)


def _chips(
    scene: TableView, key: str, title: str, kind: str, has: int, *, place: str | int, player: str | None = None
) -> CorrectableFigure:
    """Return the chips of a kind at a place: more of them come from the tray, fewer go back there."""

    def moved(number: int) -> Json | None:
        if number == has:
            return None
        places = {"from": BANK, "to": place} if number > has else {"from": place, "to": BANK}
        return {"do": "correct_chips", "kind": kind, "count": abs(number - has), **places}

    return CorrectableFigure(
        key=key,
        title=title,
        now=str(has),
        player=player,
        choices=tuple(
            FigureChoice(str(number), moved(number)) for number in range(has + scene.position["tray"][kind] + 1)
        ),
    )


def _chips_on_spaces(scene: TableView) -> Iterator[CorrectableFigure]:
    """Yield the chips on each space where some lie or a token stands: surplus chips are laid onto one's own space."""
    words, lying = scene.words, scene.position["spaces"]
    tokens = {own["space"] for own in scene.players.values() if not own["bankrupt"]}
    for space in sorted({*map(int, lying), *tokens}):
        for kind in KINDS:
            named = f"{space} {space_named(scene, space)}"
            title = words.say_in("correct", "chips on", space=named, kind=words.say_in("kind", kind))
            has = lying.get(str(space), {}).get(kind, 0)
            yield _chips(scene, f"chips:{kind}:{space}", title, kind, has, place=space)


def _kept_card(scene: TableView, card: str) -> CorrectableFigure:
    """Return where a Chance card that can be kept lies: with a player, or in the pile."""
    words = scene.words
    keeper = next((player for player, own in scene.players.items() if card in own["cards"]), None)
    solvent = [player for player, own in scene.players.items() if not own["bankrupt"]]
    pile = words.say_in("place", "deck")

    def command(to: str) -> Json:
        return {"do": "correct_card", "card": card, "to": to}

    return CorrectableFigure(
        key=f"card:{card}",
        title=words.card(card, scene.catalog),
        now=pile if keeper is None else scene.names[keeper],
        player=keeper,
        choices=(
            FigureChoice(pile, None if keeper is None else command("deck")),
            *(FigureChoice(scene.names[player], None if player == keeper else command(player)) for player in solvent),
        ),
    )


def _tried(words: Language, space: str, tries: int) -> str:
    return words.several("{space}, {count} try", "{space}, {count} tries", tries, space=space)


def _token(scene: TableView, player: str) -> CorrectableFigure:
    own, spaces = scene.players[player], scene.catalog["spaces"]
    at = (own["space"], own["in_jail"], own["tries"] if own["in_jail"] else 0)
    jail = next(number for number, space in enumerate(spaces) if space["type"] == "jail")
    places = [(number, False, 0) for number in range(len(spaces))]
    places[jail + 1 : jail + 1] = [(jail, True, tries) for tries in range(max(TRIES, at[2] + 1))]

    def command(number: int, *, in_jail: bool, tries: int) -> Json:
        moved = {"do": "correct_position", "player": player, "space": number}
        return {**moved, "in_jail": True, "tries": tries} if in_jail else moved

    def says(number: int, *, in_jail: bool, tries: int) -> str:
        name = space_named(scene, number, in_jail=in_jail)
        return _tried(scene.words, name, tries) if tries else name

    return CorrectableFigure(
        key=f"space:{player}",
        title=scene.words.named("field", "space"),
        now=says(at[0], in_jail=at[1], tries=at[2]),
        player=player,
        choices=tuple(
            FigureChoice(
                f"{number} {says(number, in_jail=in_jail, tries=tries)}",
                None if (number, in_jail, tries) == at else command(number, in_jail=in_jail, tries=tries),
            )
            for number, in_jail, tries in places
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
    position, words, is_over = scene.position, scene.words, scene.position["finished"]
    solvent = [player for player, own in scene.players.items() if not own["bankrupt"]]
    now = words.described_moment(position, scene.names, scene.catalog) if is_over else scene.names[position["turn"]]
    end = FigureChoice(words.say_in("correct", "the end"), {"do": "correct_turn", "phase": "finished"})
    if not any(building["height"] == PENTHOUSE for building in position["board"].values()):
        yield CorrectableFigure(
            key="turn",
            title=words.say_in("stage", "turn"),
            now=now,
            choices=(
                *(
                    FigureChoice(
                        words.say_in("correct", f"turn {moment}", player=scene.names[player]),
                        {"do": "correct_turn", "player": player, "phase": phase},
                    )
                    for player in solvent
                    for moment, phase in MOMENTS.items()
                ),
                *(() if is_over else (end,)),
            ),
        )
    for cell in Foundation(tuple(scene.catalog["foundation"]["rows"])).cells:
        if position["board"].get(cell, {}).get("height") != PENTHOUSE:
            yield _building(scene, cell)
    yield from _chips_on_spaces(scene)
    settled = {deed for deed in position["sites"].values() if deed} - _on_offer(position)
    for deed in position["unsold"]:
        if deed in settled:
            yield _deed(scene, deed)
    kept = {card for own in scene.players.values() for card in own["cards"]}
    for card, values in scene.catalog["chance"].items():
        if values["keep"] and card not in kept:
            yield _kept_card(scene, card)


def _on_offer(position: Json) -> set[str]:
    """Return the deed that is offered or under the hammer, which stays there until that is settled."""
    if position["offered"]:
        return {position["offered"]}
    return {position["auction"]["deed"]} if position["auction"] else set()


def _building(scene: TableView, cell: str) -> CorrectableFigure:
    """Return what stands on a cell: nothing, or a building of a player, as high as their blocks allow.

    Blocks of whoever is bankrupt stay theirs, and are put right as others are.
    """
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
        for player in scene.players
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
        """Return money, chips and space of each player; turn, deeds, kept cards, buildings, chips on spaces.

        Where deeds were shuffled it asks which of them was turned up where, and names spaces by their numbers.
        """
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
                TakenField(
                    title=words.named("field", "space"), options=_spaces(words, cards, LISTED_DEEDS), where=LISTED_DEEDS
                ),
                TakenField(
                    title=words.named("field", "space"), options=_spaces(words, cards, SHUFFLED), where=SHUFFLED
                ),
                TakenField(
                    title=words.named("field", "bankrupt"),
                    options=(TakenOption(words.say("no")), TakenOption(words.say("yes"), {"bankrupt": True})),
                ),
            ),
            groups=(
                TakenGroup(words.say_in("take over", "how far"), (_phases(words), _doubles(words))),
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
                _taken_heaps(words, cards, LISTED_DEEDS),
                _turned_up(words, cards),
                _taken_heaps(words, cards, SHUFFLED),
            ),
            turn="turn",
        )


def _phases(words: Language) -> TakenField:
    return TakenField(
        title=words.say_in("take over", "the turn"),
        options=tuple(TakenOption(words.say_in("take over", moment), {"phase": MOMENTS[moment]}) for moment in MOMENTS),
    )


def _doubles(words: Language) -> TakenField:
    """Return how many doubles whoever is on turn has rolled in a row: after this turn they have another one."""
    rows = (TakenOption(str(doubles), {"doubles": doubles} if doubles else {}) for doubles in range(DOUBLES))
    return TakenField(title=words.say_in("take over", "doubles"), options=tuple(rows))


def _space_called(words: Language, cards: Json, number: int, where: Json) -> str:
    """Return a space's number with its deed or with what it does; the number alone where deeds were shuffled."""
    space = cards["spaces"][number]
    if space["deed"]:
        return f"{number} {words.card(space['deed'], cards)}" if where == LISTED_DEEDS else str(number)
    return f"{number} {words.say_in('space', space['type'])}"


def _turned_up(words: Language, cards: Json) -> TakenGroup:
    """Return which deed was turned up on which space, where deeds were shuffled."""
    deeds = [(deed, words.card(deed, cards)) for deed in cards["deeds"]]
    spaces = (number for number, space in enumerate(cards["spaces"]) if space["deed"])
    return TakenGroup(
        words.say_in("take over", "turned up"),
        tuple(
            TakenField(
                title=words.say_in("take over", "the space", number=number),
                options=(
                    TakenOption(words.say_in("take over", "face down"), {f"sites.{number}": None}),
                    *(TakenOption(name, {f"sites.{number}": deed}) for deed, name in deeds),
                ),
            )
            for number in spaces
        ),
        note=words.say_in("take over", "owned ones too"),
        where=SHUFFLED,
    )


def _taken_heaps(words: Language, cards: Json, where: Json) -> TakenGroup:
    return TakenGroup(
        words.say_in("take over", "chips on spaces"),
        tuple(_taken_heap(words, cards, number, where) for number in range(len(cards["spaces"]))),
        note=words.say_in("take over", "larger heaps"),
        where=where,
    )


def _taken_heap(words: Language, cards: Json, number: int, where: Json) -> TakenField:
    """Return the chips that may lie on a space: some of one kind, or one each of two."""
    heaps: list[Mapping[str, int]] = [{kind: count} for kind in KINDS for count in range(1, MOST_ON_SPACE + 1)]
    heaps += [{first: 1, second: 1} for first, second in combinations(KINDS, 2)]
    return TakenField(
        title=_space_called(words, cards, number, where),
        options=(
            TakenOption(words.say_in("correct", "empty")),
            *(TakenOption(said_chips(heap, words), {f"spaces.{number}": heap}) for heap in heaps),
        ),
    )


def _spaces(words: Language, cards: Json, where: Json) -> tuple[TakenOption, ...]:
    """Return every space, the jail also with whoever sits in it."""
    options: list[TakenOption] = []
    for number, space in enumerate(cards["spaces"]):
        name = _space_called(words, cards, number, where)
        if space["type"] == "jail":
            visiting = words.say_in("stage", "just visiting")
            options.append(TakenOption(f"{number} {visiting}", {"space": number}))
            for tries in range(TRIES):
                says = _tried(words, name, tries) if tries else name
                options.append(TakenOption(says, {"space": number, "in_jail": True, "tries": tries}))
        else:
            options.append(TakenOption(name, {"space": number}))
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
