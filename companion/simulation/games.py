"""Whole games of bots without a table service: as fast as the rules can be asked."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.engine.errors import Refused
from companion.engine.game import Game
from companion.engine.timeline import answer
from companion.games.master_builder.bots.chancy import chancy
from companion.games.master_builder.bots.dealer import next_act
from companion.games.master_builder.bots.strengths import STRENGTHS
from companion.games.master_builder.bots.turn import Bot
from companion.games.master_builder.rules.catalog import Catalog
from companion.games.master_builder.rules.commands import Command, SeatChoice, StartGame
from companion.games.master_builder.rules.events import Event
from companion.games.master_builder.rules.game import MasterBuilder
from companion.games.master_builder.rules.reckoning import standings
from companion.games.master_builder.rules.state import Here, State
from companion.simulation.box import COLOURS, GAME, shuffled
from companion.simulation.rulebooks import AS_PRINTED, Rulebook

CATALOG = "box"


@dataclass(frozen=True, slots=True)
class Seat:
    """How one player ended: ``place`` counts from 0 for the first start player clockwise."""

    place: int
    strength: str
    worth: int
    rank: int
    completed: int
    loans: int


@dataclass(frozen=True, slots=True)
class Played:
    """A game that is over; ``refusals`` should be none: bots take only what is offered."""

    seats: tuple[Seat, ...]
    rounds: int
    commands: int
    refusals: int


def play(
    catalog: Catalog,
    seed: int,
    strengths: Sequence[str],
    by: Rulebook = AS_PRINTED,
    watch: Callable[[Here], None] = lambda _: None,
) -> Played:
    """Play a game to its end; ``strengths`` by place, ``watch`` is shown every position.

    The same seed shuffles the same piles and draws the same lots.
    """
    lots = random.Random(seed)  # noqa: S311 - a game that can be repeated, no secret
    game: Game[State, Command, Event] = MasterBuilder({CATALOG: catalog})
    ids: tuple[str, ...] = COLOURS[: len(strengths)]
    start = StartGame(
        GAME,
        tuple(SeatChoice(colour) for colour in COLOURS[: len(strengths)]),
        ids[0],
        CATALOG,
        by.rules,
        by.variants,
    )
    piles = shuffled(catalog, seed)
    bots: dict[str, Bot] = {player: STRENGTHS[strength] for player, strength in zip(ids, strengths, strict=True)}
    _, here = answer(game, None, start)
    commands = refusals = 0
    watch(here)
    while (act := next_act(here, piles, bots, lots.randrange)) is not None:
        try:
            _, here = answer(game, here, act.command)
        except Refused:
            refusals += 1
            bots = dict.fromkeys(ids, chancy)  # whatever misled a bot, let the game come to its end
            continue
        commands += 1
        watch(here)
    return Played(_seats(here, strengths), here.state.round, commands, refusals)


def _seats(here: Here, strengths: Sequence[str]) -> tuple[Seat, ...]:
    lines = {line.player: line for line in standings(here)}
    return tuple(
        Seat(
            place,
            strength,
            worth=lines[one.id].worth,
            rank=lines[one.id].rank,
            completed=len(one.completed),
            loans=one.small + one.large,
        )
        for place, (one, strength) in enumerate(zip(here.state.players, strengths, strict=True))
    )
