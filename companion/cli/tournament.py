"""``companion tournament``: many games of bots, and who wins them."""

import json
from typing import Any

import click

from companion import bootstrap
from companion.cli.options import catalog_option, data_option
from companion.config import data_folder
from companion.engine.errors import Refused
from companion.words import Words

DRAWN = "random"


@click.command()
@click.option("--games", type=click.IntRange(1), default=100, show_default=True)
@click.option("--players", type=click.IntRange(2, 4), default=3, show_default=True)
@click.option(
    "--bots", default="strong,middle,random", show_default=True, help="Strengths; repeated to fill the table."
)
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=1, show_default=True, help="Which shuffles.")
@click.option(
    "--rules", default="", metavar="KEY=VALUE,...", help="House rules and names of variants; random draws all."
)
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes that share the work.")
@catalog_option
@data_option
def tournament(  # noqa: PLR0913 - one a command-line option
    *,
    games: int,
    players: int,
    bots: str | None,
    seed: int,
    rules: str,
    as_json: bool,
    jobs: int,
    catalog: str | None,
    data: str | None,
) -> None:
    """Let bots play many games of Master Builder and say who wins, from which seat, with how much."""
    from companion.simulation.report import report
    from companion.simulation.rulebooks import read
    from companion.simulation.tournament import Tournament, hold

    deck = bootstrap.catalogs(data_folder(data).catalogs, catalog or "house")["house"]
    try:
        by = None if rules == DRAWN else read(word for word in rules.split(",") if word)
    except Refused as refused:
        raise click.BadParameter(
            Words("en").refusal(refused.rule, refused.details, {}, {}), param_hint="--rules"
        ) from None
    outcome = hold(Tournament(deck, _strengths(bots, players), games, seed, by), jobs)
    figures = {"rules": rules, "seed": seed, **report(outcome)}
    click.echo(json.dumps(figures, ensure_ascii=False) if as_json else "\n".join(_lines(figures)))


def _strengths(bots: str | None, players: int) -> tuple[str, ...]:
    """Seat the strengths that were named, over and over until the table is full."""
    from companion.games.master_builder.bots.strengths import STRENGTHS

    named = bots.split(",") if bots is not None else [*STRENGTHS][::-1][:players]
    unknown = [name for name in named if name not in STRENGTHS]
    if unknown:
        known = ", ".join(STRENGTHS)
        raise click.BadParameter(f"no bot plays {unknown[0]!r}: choose from {known}", param_hint="--bots")
    if len(named) > players:
        raise click.BadParameter(f"{len(named)} bots for {players} players: name fewer", param_hint="--bots")
    return tuple(named[number % len(named)] for number in range(players))


def _lines(figures: dict[str, Any]) -> list[str]:
    """Lay the figures out for people."""
    money = Words("en").money
    lines = [
        "{games} games of {players} players in {seconds} s ({games_per_second} a second), {rounds} rounds each,"
        " {refusals} refusals".format_map(figures),
        "",
        "bot       wins  ahead of                     buildings  loans  worth: least, quartiles, most",
    ]
    for strength, one in figures["bots"].items():
        ahead = ", ".join(f"{other} {share:.1%}" for other, share in one["ahead_of"].items()) or "-"
        worth = "  ".join(money(amount) for amount in one["worth"].values())
        completed, loans = one["completed"], one["loans"]
        lines.append(
            f"{strength:<7}{one['win_rate'] * one['players']:>7.1%}  {ahead:<27}  {completed['mean']:>9}"
            f"  {loans['mean']:>5}  {worth}"
        )
    lines += ["", "seat      wins  off its share by"]
    for seat in figures["seats"]:
        lines.append(f"{seat['seat']:<7}{seat['win_rate']:>7.1%}  {seat['standard_errors']:+.1f} standard errors")
    return lines
