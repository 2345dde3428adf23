"""``companion demo``: bots play a whole game under the simulated camera."""

import threading
from pathlib import Path
from typing import TYPE_CHECKING

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
from companion.cli.output import NO, force_option, output_file, print_json_line, progress, require_writable
from companion.config import resolve_data_folder
from companion.game_api.manifest import Manifest
from companion.service.table.play_files import play_file
from companion.service.table.table import Table
from companion.words import Words

if TYPE_CHECKING:
    from companion.bot_games.demonstration import Simulation

LAST_MOVE_TIMEOUT_S = 5.0
"""How long the bots may take to finish their move after the server has stopped."""


@click.command(short_help="Let bots play under the simulated camera.")
@game_option
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=1, show_default=True, help="Which shuffle.")
@players_option
@click.option("--speed", type=click.FloatRange(0.1, 100), default=1.0, show_default=True, help="Times table pace.")
@click.option("--headless", is_flag=True, help="No pages: as fast as the machine can.")
@click.option("--json", "as_json", is_flag=True, help="Print the position at the end as JSON.")
@click.option("--journal", type=click.Path(path_type=Path), help="Write the game to a play file.")
@click.option("--mat", metavar="NAME", help="Lay the cards in the zones of a mat; a wrong name lists all of them.")
@click.option("--blank-labels", is_flag=True, help="Cards without codes: shows that the cards are really read.")
@click.option("--host", default="0.0.0.0", show_default=True)  # noqa: S104 - meant for the table's own network
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@language_option
@force_option
@catalog_option
@data_option
def demo(  # noqa: PLR0913 - one a command-line option
    *,
    game: Manifest | None,
    seed: int,
    players: int | None,
    speed: float,
    headless: bool,
    as_json: bool,
    journal: Path | None,
    mat: str | None,
    blank_labels: bool,
    host: str,
    port: int,
    lang: str,
    force: bool,
    catalog: str | None,
    data: str | None,
) -> int:
    """Let bots play a whole game by laying cards under the simulated camera."""
    from companion.bot_games.demonstration import TABLE_PACE_S, create_simulation
    from companion.service.demonstration import NothingSeen

    game = game or bootstrap.find_games().manifest()
    folder = resolve_data_folder(data)
    deck = bootstrap.choose_catalog(game, folder.catalogs, catalog)
    players = number_of_players(players, game)
    pace = None if headless else TABLE_PACE_S / speed
    if journal is not None:
        require_writable(journal, force=force)
    try:
        with progress("setting up the simulated table"):
            simulation = create_simulation(
                game,
                deck,
                seed=seed,
                players=players,
                blank_labels=blank_labels,
                pace_s=pace,
                mat=mat,
                own_mats=folder.mats,
            )
    except ValueError as fault:
        raise click.ClickException(str(fault)) from fault
    try:
        if headless:
            with progress(f"bots play {game.title}") as report:
                simulation.demonstration.play(lambda: report(_describe_round(simulation.table)))
        else:
            _serve(simulation, host, port)
    except NothingSeen as nothing:
        click.echo(f"companion: {nothing}", err=True)
        return NO
    finally:
        if journal is not None:
            with output_file(journal, force=force) as path:
                path.write_text("".join(f"{line}\n" for line in play_file(simulation.table)), encoding="utf-8")
    _print_result(simulation.table, lang, as_json=as_json)
    overview = simulation.table.overview
    if headless and (overview is None or not overview.finished):
        phase = "" if overview is None else f" in phase {overview.phase}"
        click.echo(f"companion: the bots find nothing more to do{phase}, and the game is not over", err=True)
        return NO
    return 0


def _serve(simulation: "Simulation", host: str, port: int) -> None:
    """Serve the pages during the game and after it."""
    from companion.bootstrap import installation
    from companion.cli.serving import Console, ServerAddress, serve_until_stopped

    failures: list[Exception] = []

    def play() -> None:
        try:
            simulation.demonstration.play()
        except Exception as error:  # noqa: BLE001 - raised again below, in the main thread, when the server has stopped
            if simulation.stopping.is_set():
                return  # the camera has stopped, so the current card cannot be read
            failures.append(error)
            click.echo(f"The bots have stopped: {error}", err=True)

    player = threading.Thread(target=play, name="bots", daemon=True)
    logins, pin = bootstrap.create_temporary_logins()
    services = installation.create_services(
        simulation.tables, simulation.scanner, logins, simulation.simulated_table, played_by_bots=simulation.table.id
    )
    try:
        serve_until_stopped(services, ServerAddress(host, port), pin, Console(), when_ready=player.start)
    finally:
        simulation.stopping.set()
        if player.ident is not None:
            player.join(timeout=LAST_MOVE_TIMEOUT_S)
    if failures:
        raise failures[0]


def _describe_round(table: Table) -> str:
    """Return how far a game is: its round, if it has rounds, and its entries."""
    round_number = None if table.overview is None else table.overview.round
    entries = f"{table.version} entries"
    return entries if round_number is None else f"round {round_number}, {entries}"


def _print_result(table: Table, language: str, *, as_json: bool) -> None:
    if as_json:
        print_json_line({"position": table.position_json("banker") or {}})
        return
    words, overview = Words(language, table.game.manifest), table.overview
    for place in overview.standings if overview else ():
        figures = ", ".join(
            words.money(value) if name == "worth" else f"{words.named('field', name)} {value}"
            for name, value in place.figures
        )
        click.echo(f"{place.rank}. {table.names()[place.player]}: {figures}")
