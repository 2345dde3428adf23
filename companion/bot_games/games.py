"""Play whole games with bots, one or a tournament, without a table service; random bots for games that bring none."""

import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import product
from math import prod
from multiprocessing import get_context
from random import Random
from statistics import fmean, median, quantiles
from typing import Any

from companion.bootstrap import default_catalog_name
from companion.bootstrap.games import find_games, load_game
from companion.engine.game import (
    BANKER,
    Amount,
    AnyOfThese,
    AnySet,
    Assignment,
    Bag,
    Dice,
    Field,
    NumberSource,
    Offer,
    OneOf,
    Parts,
    Placement,
    Position,
    Refused,
    SomeOf,
)
from companion.engine.timeline import decide_and_settle
from companion.game_api.capabilities import Act, Bots, Rulebook, seat_bots
from companion.game_api.house_rules import chosen_variants, form_value
from companion.game_api.manifest import LoadedGame, Manifest

# Bots of a game that brings none: they give any command that is offered, filled in by chance.

CATALOG = "box"
"""The catalog of games that are played without tables."""
TRIES = 60
"""Maximum number of offers that are filled in until the rules accept one: some fields allow more than the rules."""
SELDOM = 0.1
"""How often something is done that may be done at any time, where something is due."""
LITTLE = 0.8
"""How often an amount is one of the lowest: whoever spends all at once has no long game."""
SOME = 0.3
"""How often an open place is worked on."""
CLOSED = (OneOf, Amount, Dice, AnyOfThese, AnySet)
"""Fields each of whose values an offer promises, where it leaves nothing else open."""
MOST_COMBINED = 24
"""Maximum number of combinations of ids that are tried of an offer."""


@dataclass(frozen=True)
class GameInPlay:
    """The game as it is played, and the lots of its bots."""

    game: LoadedGame
    lots: Random


class RandomBots:
    """Plays by the offers alone, so it knows every game; each command is one that the rules accept."""

    strengths: Sequence[str] = ("random",)

    def __init__(self, manifest: Manifest) -> None:
        """Store the game."""
        self._manifest = manifest

    def shuffled(self, catalog: Any, seed: int) -> GameInPlay:
        """Return the game over a catalog, with lots that the same seed draws alike."""
        names = (CATALOG, default_catalog_name(self._manifest))
        return GameInPlay(load_game(self._manifest, dict.fromkeys(names, catalog), guarded=False), Random(seed))  # noqa: S311 - lots, no secret

    def beginning(self, players: int, seed: int | None = None) -> dict[str, Any]:
        """Return the ``start_game`` command that seats so many bots; who begins is drawn, without a seed the first."""
        return seat_bots(self._manifest.name, self._manifest.seats.colours[:players], seed)

    def rulebook(self, settings: Sequence[str]) -> Rulebook:
        """Read ``key=value`` and ``variant`` words; ``Refused`` for what the game does not let tables choose."""
        switches, variants = self._choices()
        rules: dict[str, Any] = {}
        named = [setting for setting in settings if "=" not in setting]
        for key, _, word in (setting.partition("=") for setting in settings if "=" in setting):
            if key not in switches:
                raise Refused("unknown_rule", key=key)
            values = {form_value(value): value for value in switches[key]}
            if word not in values:
                raise Refused("unknown_rule_value", key=key, value=word, allowed=tuple(values))
            rules[key] = values[word]
        return self._chosen(rules, chosen_variants(variants, tuple(named)))

    def drawn_rulebook(self, lots: Random) -> Rulebook:
        """Draw a value for every switch, and every variant with an even chance."""
        switches, variants = self._choices()
        rules = {key: lots.choice(values) for key, values in switches.items()}
        return self._chosen(rules, [variant for variant in variants if lots.choice((True, False))])

    def _choices(self) -> tuple[Mapping[str, Sequence[Any]], Sequence[str]]:
        choices = self._manifest.capabilities().choices
        return ({}, ()) if choices is None else (choices.switches, choices.variants)

    @staticmethod
    def _chosen(rules: Mapping[str, Any], variants: Sequence[str]) -> Rulebook:
        return {**({"rules": rules} if rules else {}), **({"variants": variants} if variants else {})}

    def next_act(
        self, position: Position[Any], piles: GameInPlay, strengths: Mapping[str, str], below: NumberSource
    ) -> Act | None:
        """Return what happens next; ``None``: the game is over, or nothing that is offered can be done.

        Raises:
            UnfinishedGameError: where something is due and none of many tries to do it is accepted.

        """
        del strengths, below
        game, lots = piles.game, piles.lots
        overview = game.rules.overview(position)
        if overview.finished:
            return None
        players = game.rules.players(position)
        offers = [offer for player in players for offer in game.rules.offers(position, player)]
        due = [offer for offer in offers if offer.urgency == "due"]
        for tried in range(TRIES):
            among = due if due and (lots.random() >= SELDOM or len(due) == len(offers)) else offers
            if not among:
                return None
            command = self._accepted(game, position, filled_in(lots.choice(among), lots, modest=2 * tried >= TRIES))
            if command is not None:
                return Act(command, self._card(game, position, command))
        message = f"{game.name}: none of {TRIES} commands that were offered is accepted in phase {overview.phase}"
        raise UnfinishedGameError(message)

    @staticmethod
    def _accepted(game: LoadedGame, position: Position[Any], given: Mapping[str, Any]) -> Any | None:
        """Return the command if the rules accept it now; ``None``: they refuse it."""
        try:
            command = game.codec.command(given)
            game.rules.decide(position, command)
        except Refused:
            return None
        return command

    @staticmethod
    def _card(game: LoadedGame, position: Position[Any], command: Any) -> tuple[str, ...]:
        """Return the card that says this command where it is laid on the tray; none: no card does."""
        named = {value for value in game.codec.command_json(command).values() if isinstance(value, str)}
        for card in sorted(named & game.labelled(position.state)):
            placed = Placement("place", f"{game.rules.label_code}1{card}", card, "tray", 1.0)
            if game.rules.read(position, placed) == command:
                return (card,)
        return ()

    def figures(self, position: Position[Any], player: str) -> Mapping[str, int]:
        """Return what a tournament compares at the end: the game's own figures of its standings."""
        rows = load_game(self._manifest, {}).rules.overview(position).standings
        return next((dict(row.figures) for row in rows if row.player == player), {})


def filled_in(offer: Offer, lots: Random, *, modest: bool = False) -> Mapping[str, Any]:
    """Return an offer as a command, each of its open fields filled with something that it may hold.

    ``modest``: as little as may be, which rules accept more often.
    """
    addressed = {"player": offer.player} if offer.addressed and offer.player != BANKER else {}
    fields = {name: _value(field, lots, modest=modest) for name, field in offer.fields}
    return {"do": offer.do, **addressed, **dict(offer.given), **fields}


def broken_promises(
    offer: Offer, lots: Random, decide: Callable[[Mapping[str, Any]], object]
) -> Iterator[tuple[Mapping[str, Any], object]]:
    """Yield the values of an offer with which it is refused whatever else is chosen, and why.

    Ids promise that they go together, the ends of an amount that they go with some of them: how much is possible may
    depend on the card.  Where more is open, as which cards are laid, some of many fillings has to be accepted.  An
    amount whose steps are larger than all of it is broken, too: its author has forgotten to name them.

    Args:
        offer: What is offered.
        lots: Of what is not tried in every way.
        decide: Decides a command; raises ``Refused``.

    """
    for name, left_open in offer.fields:
        if isinstance(left_open, Amount) and 0 < left_open.most - left_open.least < left_open.step:
            yield {name: left_open.most}, f"its steps of {left_open.step:,} are larger than all of it"
    for values in _promised(offer, lots):
        refusals: list[Refused] = []
        for tried in range(1 if len(values) == len(offer.fields) else TRIES):
            try:
                decide({**filled_in(offer, lots, modest=tried % 2 == 0), **values})
                break
            except Refused as refused:
                refusals.append(refused)
        else:
            yield values, refusals[-1]


def _promised(offer: Offer, lots: Random) -> Iterator[Mapping[str, Any]]:
    """Yield values of some open fields: combinations of ids, and the ends of each amount."""
    ids: dict[str, Sequence[Any]] = {}
    for name, left_open in offer.fields:
        match left_open:
            case OneOf(values):
                ids[name] = values
            case AnySet(values):
                ids[name] = [list(chosen) for chosen in values]
            case AnyOfThese(values):
                ids[name] = [{card: list(on) for card, on in chosen} for chosen in values]
            case Amount(least, most, step):
                yield from ({name: end} for end in dict.fromkeys((least, most - (most - least) % step)))
            case _:
                pass
    if prod(map(len, ids.values())) <= MOST_COMBINED:
        yield from (dict(zip(ids, chosen, strict=True)) for chosen in product(*ids.values()))
    else:
        yield from ({name: lots.choice(values) for name, values in ids.items()} for _ in range(MOST_COMBINED))


def _value(field: Field, lots: Random, *, modest: bool) -> Any:
    """Return a value of a field, as it is written in JSON."""
    match field:
        case OneOf(values):
            return lots.choice(values)
        case SomeOf(values, least, most):
            return lots.sample(values, least if modest else lots.randint(least, min(most, len(values))))
        case Amount(least, most, step):
            steps = 0 if modest else (most - least) // step
            return least + step * lots.randint(0, min(3, steps) if lots.random() < LITTLE else steps)
        case Bag():
            return _bag(field, lots, modest=modest)
        case Dice(count, faces):
            return [lots.randint(1, faces) for _ in range(count)]
        case AnyOfThese(values):
            return {card: list(ids) for card, ids in lots.choice(values)}
        case AnySet(values):
            return list(lots.choice(values))
        case Assignment():
            return {} if modest else _assignment(field, lots)
        case Parts(parts):
            return {name: _value(part, lots, modest=modest) for name, part in parts}


def _bag(bag: Bag, lots: Random, *, modest: bool) -> dict[str, int]:
    """Return counts of kinds whose sum is within the bounds, as far as there is enough."""
    there = [kind for kind, most in bag.kinds for _ in range(most)]
    most = min(len(there), bag.most or len(there))
    least = min(bag.least, most)
    taken = lots.sample(there, least if modest else lots.randint(least, most))
    return {kind: taken.count(kind) for kind, _ in bag.kinds if kind in taken}


def _assignment(assignment: Assignment, lots: Random) -> dict[str, dict[str, list[str]]]:
    """Return some cards on some open places; whether they may work there is for the rules to say."""
    free = [card for card, _ in assignment.workers]
    lots.shuffle(free)
    work: dict[str, dict[str, list[str]]] = {}
    for site, places in assignment.sites:
        for place, codes in places:
            if len(free) >= len(codes) and lots.random() < SOME:
                work.setdefault(site, {})[place], free = free[: len(codes)], free[len(codes) :]
    return work


# Play whole games with bots, without a table service, as fast as the rules decide.

AS_PRINTED: Rulebook = {}
MOST_COMMANDS = 20_000
"""Maximum number of commands in a game: at random some last for ever."""


class UnfinishedGameError(LookupError):
    """A game that cannot be played to an end; the message says why."""


@dataclass(frozen=True, slots=True)
class SeatResult:
    """One player's result: ``place`` counts clockwise from the first start player (0); ``figures`` are the game's."""

    place: int
    strength: str
    rank: int
    figures: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class GameResult:
    """A finished game; ``refusals`` should be 0, because bots choose only among offers."""

    seats: tuple[SeatResult, ...]
    rounds: int
    commands: int
    refusals: int


def bots_of(manifest: Manifest) -> Bots:
    """Return the bots of a game; where it brings none, those that play any game by its offers."""
    return RandomBots(manifest) if manifest.bots is None else manifest.bots()


def play_game(
    manifest: Manifest,
    catalog: Any,
    seed: int,
    strengths: Sequence[str],
    rules: Rulebook = AS_PRINTED,
    watch: Callable[[Position[Any]], None] = lambda _: None,
) -> GameResult:
    """Play a game to its end and return its result; the same seed gives the same game.

    Args:
        manifest: the game.
        catalog: its cards.
        seed: of shuffles and random decisions.
        strengths: of the bots, by place.
        rules: house rules and variants.
        watch: called with every position.

    """
    chance = random.Random(seed)  # noqa: S311 - a game that can be repeated, no secret
    bots = bots_of(manifest)
    opened = load_game(manifest, {CATALOG: catalog}, guarded=False)
    beginning = {**bots.beginning(len(strengths)), **rules, "catalog": CATALOG}
    piles = bots.shuffled(catalog, seed)
    _, position = decide_and_settle(opened.rules, None, opened.codec.command(beginning))
    ids = opened.rules.overview(position).seats
    playing = dict(zip(ids, strengths, strict=True))
    commands, refusals, rounds = 0, 0, 1
    watch(position)
    while commands < MOST_COMMANDS and (act := bots.next_act(position, piles, playing, chance.randrange)) is not None:
        try:
            _, position = decide_and_settle(opened.rules, position, act.command)
        except Refused:
            refusals += 1
            playing = dict.fromkeys(ids, bots.strengths[0])  # the simplest end the game, whatever misled the others
            continue
        commands += 1
        rounds = getattr(getattr(position.state, "step", None), "round", rounds)
        watch(position)
    overview = opened.rules.overview(position)
    if not overview.finished:
        where = f"after {commands:,} commands, in phase {overview.phase}"
        raise UnfinishedGameError(f"{manifest.name}: the game of seed {seed} has no end {where}")
    ranks = {line.player: line.rank for line in overview.standings}
    seats = tuple(
        SeatResult(place, strength, ranks[player], bots.figures(position, player))
        for place, (player, strength) in enumerate(zip(ids, strengths, strict=True))
    )
    return GameResult(seats, overview.round or rounds, commands, refusals)


# Play many games with bots, and summarise them as figures, ready for JSON. Game n is shuffled by the seed plus n;
# strengths move on one place from game to game, to sit everywhere equally often. Processes change no result.

CHUNK = 10
"""Games that a process plays at a time."""


@dataclass(frozen=True)
class Tournament:
    """The games to play; ``strengths``: one a player; ``rules``: ``None`` draws rules and variants for each game."""

    game: str
    catalog: Any
    strengths: tuple[str, ...]
    games: int
    seed: int = 1
    rules: "Rulebook | None" = field(default_factory=lambda: AS_PRINTED)


@dataclass(frozen=True, slots=True)
class TournamentResult:
    """All games in order, and how long they took (wall time)."""

    games: tuple[GameResult, ...]
    seconds: float


def run_tournament(
    tournament: Tournament, jobs: int = 1, report: Callable[[int], object] = lambda _played: None
) -> TournamentResult:
    """Play all games and return their results.

    Args:
        tournament: what is played.
        jobs: the number of processes.
        report: called with the number of games played so far.

    """
    started = time.monotonic()
    games: list[GameResult] = []
    if jobs == 1:
        for game in _play_numbers(tournament, range(tournament.games)):
            games.append(game)
            report(len(games))
    else:
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
            for part in pool.map(_part, [(tournament, numbers) for numbers in _chunks(tournament.games)]):
                games += part
                report(len(games))
    return TournamentResult(tuple(games), time.monotonic() - started)


def _chunks(games: int) -> Iterator[range]:
    for first in range(0, games, CHUNK):
        yield range(first, min(games, first + CHUNK))


def _part(task: tuple[Tournament, range]) -> tuple[GameResult, ...]:
    return tuple(_play_numbers(*task))


def _play_numbers(tournament: Tournament, numbers: Sequence[int]) -> Iterator[GameResult]:
    manifest = find_games().manifests[tournament.game]
    bots = bots_of(manifest)
    for number in numbers:
        seed = tournament.seed + number
        shift = number % len(tournament.strengths)
        strengths = tournament.strengths[shift:] + tournament.strengths[:shift]
        chance = Random(seed)  # noqa: S311 - can be repeated, no secret
        rules = bots.drawn_rulebook(chance) if tournament.rules is None else tournament.rules
        yield play_game(manifest, tournament.catalog, seed, strengths, rules)


# The figures of a tournament.


def summarize(outcome: TournamentResult) -> dict[str, Any]:
    """Return the figures of a tournament.  A shared victory counts as an equal part for each winner."""
    games = outcome.games
    places = range(len(games[0].seats))
    strengths = list(dict.fromkeys(seat.strength for seat in games[0].seats))
    return {
        "games": len(games),
        "players": len(places),
        "bots": {strength: _summarize_strength(games, strength) for strength in sorted(strengths)},
        "seats": [_summarize_place(games, place) for place in places],
        "rounds": round(fmean(game.rounds for game in games), 2),
        "refusals": sum(game.refusals for game in games),
        "seconds": round(outcome.seconds, 1),
        "games_per_second": round(len(games) / max(outcome.seconds, 1e-6), 1),
    }


def _summarize_strength(games: Sequence[GameResult], strength: str) -> dict[str, Any]:
    seats = [seat for game in games for seat in game.seats if seat.strength == strength]
    others = sorted({seat.strength for seat in games[0].seats} - {strength})
    shares = [_victory_share(game, seat) for game in games for seat in game.seats if seat.strength == strength]
    return {
        "players": len(seats) // len(games),
        "wins": round(sum(shares), 1),
        "win_rate": _mean(shares),
        "ahead_of": {other: _rate_ahead(games, strength, other) for other in others},
        **{
            name: (_averages if number else _quartiles)([seat.figures[name] for seat in seats])
            for number, name in enumerate(seats[0].figures)
        },
    }


def _victory_share(game: GameResult, seat: SeatResult) -> float:
    return 1 / sum(other.rank == 1 for other in game.seats) if seat.rank == 1 else 0.0


def _rate_ahead(games: Sequence[GameResult], strength: str, other: str) -> float:
    """Return the share of pairs in which one strength ranked before another; equal ranks count half."""
    return _mean(
        1.0 if seat.rank < rival.rank else 0.5 * (seat.rank == rival.rank)
        for game in games
        for seat in game.seats
        for rival in game.seats
        if (seat.strength, rival.strength) == (strength, other)
    )


def _summarize_place(games: Sequence[GameResult], place: int) -> dict[str, Any]:
    """Return how often a place won, and by how many standard errors that differs from an equal share."""
    won = sum(_victory_share(game, game.seats[place]) for game in games) / len(games)
    even = 1 / len(games[0].seats)
    error = (even * (1 - even) / len(games)) ** 0.5 or 1.0  # whoever plays alone has the whole share
    return {"seat": place + 1, "win_rate": round(won, 4), "standard_errors": round((won - even) / error, 2)}


def _mean(parts: Iterable[float]) -> float:
    return round(fmean(parts), 4)


def _averages(numbers: Sequence[int]) -> dict[str, float]:
    return {"median": median(numbers), "mean": round(fmean(numbers), 2)}


def _quartiles(worths: Sequence[int]) -> dict[str, int]:
    low, middle, high = quantiles(worths, n=4, method="inclusive") if len(worths) > 1 else [worths[0]] * 3
    return {"min": min(worths), "q1": int(low), "median": int(middle), "q3": int(high), "max": max(worths)}
