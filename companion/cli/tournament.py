"""``companion tournament``: play many games with bots and report who wins."""

import json
from collections.abc import Sequence
from typing import Any

import click

from companion import bootstrap
from companion.cli.options import (
    catalog_option,
    data_option,
    game_option,
    language_option,
    number_of_players,
    players_option,
)
from companion.cli.output import progress
from companion.config import resolve_data_folder
from companion.engine.game import Refused
from companion.game_api.manifest import Manifest
from companion.words import Words

DRAWN = "random"
COMMON_FIGURES = frozenset({"players", "wins", "win_rate", "ahead_of"})
"""Figures of every game's bots in a report; the others are the game's own, the deciding one first."""


@click.command(short_help="Let bots play many games and compare them.")
@game_option
@click.option("--games", type=click.IntRange(1), default=100, show_default=True)
@players_option
@click.option(
    "--bots", metavar="NAME,...", help="Strengths; repeated to fill the table (default: one of each, the best first)."
)
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=1, show_default=True, help="Which shuffles.")
@click.option(
    "--rules", default="", metavar="KEY=VALUE,...", help="House rules and names of variants; random draws all."
)
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes that share the work.")
@language_option
@catalog_option
@data_option
def tournament(  # noqa: PLR0913 - one a command-line option
    *,
    game: Manifest | None,
    games: int,
    players: int | None,
    bots: str | None,
    seed: int,
    rules: str,
    as_json: bool,
    jobs: int,
    lang: str,
    catalog: str | None,
    data: str | None,
) -> None:
    """Let bots play many games and say who wins, from which seat, with how much."""
    from companion.bot_games.games import Tournament, UnfinishedGameError, bots_of, run_tournament, summarize

    game = game or bootstrap.find_games().manifest()
    players = number_of_players(players, game)
    deck = bootstrap.choose_catalog(game, resolve_data_folder(data).catalogs, catalog)
    try:
        playing = bots_of(game)
        rulebook = None if rules == DRAWN else playing.rulebook([word for word in rules.split(",") if word])
    except Refused as refused:
        raise click.BadParameter(
            Words(lang, game).refusal(refused.rule, refused.details, {}, {}), param_hint="--rules"
        ) from None
    planned = Tournament(game.name, deck, _strengths(playing.strengths, bots, players), games, seed, rulebook)
    with progress(f"playing {game.title}") as report:
        try:
            outcome = run_tournament(planned, jobs, lambda played: report(f"{played} of {games} games"))
        except UnfinishedGameError as error:
            message = f"{error} (companion game check {game.name} says more)"
            raise click.ClickException(message) from error
    figures = {"rules": rules, "seed": seed, **summarize(outcome)}
    click.echo(json.dumps(figures, ensure_ascii=False) if as_json else "\n".join(_lines(figures, lang)))


def _strengths(strengths: Sequence[str], bots: str | None, players: int) -> tuple[str, ...]:
    """Return the strength of each player: those that were named, repeated until the table is full."""
    named = bots.split(",") if bots is not None else list(strengths)[::-1][:players]
    unknown = [name for name in named if name not in strengths]
    if unknown:
        raise click.BadParameter(
            f"no bot plays {unknown[0]!r}: choose from {', '.join(strengths)}", param_hint="--bots"
        )
    if len(named) > players:
        raise click.BadParameter(f"{len(named)} bots for {players} players: name fewer", param_hint="--bots")
    return tuple(named[number % len(named)] for number in range(players))


def _lines(figures: dict[str, Any], language: str) -> list[str]:
    """Return the figures as lines for people."""
    money = Words(language).money
    bots = figures["bots"]
    first, *others = [name for name in next(iter(bots.values())) if name not in COMMON_FIGURES]
    widths = {name: max(9, len(name)) for name in others}
    columns = "".join(f"  {name:>{width}}" for name, width in widths.items())
    ahead_of = {
        strength: ", ".join(f"{other} {share:.1%}" for other, share in bot["ahead_of"].items()) or "-"
        for strength, bot in bots.items()
    }
    own, further = max(7, *(len(name) + 1 for name in bots)), max(27, *map(len, ahead_of.values()))
    games = "1 game" if figures["games"] == 1 else "{games} games"
    played = games + " of {players} players in {seconds} s ({games_per_second} a second), {rounds} rounds each"
    lines = [
        f"{played}, {{refusals}} refusals".format_map(figures),
        "",
        f"{'bot':<{own}}{'wins':>7}  {'ahead of':<{further}}{columns}  {first}: least, quartiles, most",
    ]
    for strength, bot in bots.items():
        spread = "  ".join(money(amount) if first == "worth" else str(amount) for amount in bot[first].values())
        means = "".join(f"  {bot[name]['mean']:>{width}}" for name, width in widths.items())
        wins = f"{bot['win_rate'] * bot['players']:>7.1%}"
        lines.append(f"{strength:<{own}}{wins}  {ahead_of[strength]:<{further}}{means}  {spread}")
    lines += ["", "seat      wins  off its share by"]
    for seat in figures["seats"]:
        lines.append(f"{seat['seat']:<7}{seat['win_rate']:>7.1%}  {seat['standard_errors']:+.1f} standard errors")
    return lines
