"""A whole game of bots under the simulated camera: every card reaches the rules through pixels."""

import json
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from calibration.mat import format_mat
from companion import bootstrap
from companion.bootstrap.cameras import load_mats
from companion.bot_games.demonstration import Simulation, create_simulation
from companion.games import monopoly_builder
from companion.games.master_builder import GAME
from tests import extent
from tests.opened import house_deck, shuffled, start_command

IN_PLAY = 695_000
SEEN = {"hire_worker", "fire_worker", "open_auction", "turn_economy", "turn_event", "reveal_contracts"}
"""What a card can say."""
EACH_GAME = {"hire_worker", "open_auction", "turn_economy", "turn_event", "reveal_contracts"}
"""Commands to which cards lead in every game."""


def companion(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "companion", *arguments], capture_output=True, text=True, timeout=120, check=False
    )


def without_progress(stderr: str) -> list[str]:
    """The lines that tell more than how far the game is, which a slow machine prints and a fast one does not."""
    return [line for line in stderr.splitlines() if not line.startswith(("bots play ", "setting up "))]


def in_play(position: dict[str, Any]) -> int:
    return int(
        position["bank"] + position["on_contracts"] + sum(player["cash"] for player in position["players"].values())
    )


def played(players: int) -> Simulation:
    simulation = create_simulation(GAME, house_deck(), seed=3, players=players)
    simulation.demonstration.play()
    return simulation


def shown(simulation: Simulation) -> dict[str, Any]:
    position = simulation.table.position_json("banker")
    assert position is not None
    return position


class SeenEnough(Exception):  # noqa: N818 - the end of a test, no fault
    """A game has been played as far as a test wants."""


@pytest.fixture(scope="module")
def simulation() -> Simulation:
    """The game of the program's own test, played here; each time until cards of all kinds were seen."""
    simulation = create_simulation(GAME, house_deck(), seed=3, players=3)

    def stop_early() -> None:
        if not extent.ALL and {entry.command["do"] for entry in simulation.table.entries} >= EACH_GAME:
            raise SeenEnough

    with suppress(SeenEnough):
        simulation.demonstration.play(stop_early)
    return simulation


@pytest.mark.nightly
def test_the_program_plays_a_game_whose_play_file_leads_to_the_same_end(tmp_path: Path, simulation: Simulation) -> None:
    kept = tmp_path / "game.jsonl"

    demo = companion("demo", "--headless", "--json", "--seed", "3", "--journal", str(kept))

    assert (demo.returncode, without_progress(demo.stderr)) == (0, [])
    (line,) = demo.stdout.splitlines()
    end = json.loads(line)["position"]
    assert end["finished"]
    assert [standing["rank"] for standing in end["standings"]] == sorted(
        standing["rank"] for standing in end["standings"]
    )
    assert len(end["standings"]) == 3

    again = companion("play", "--positions", "--strict", str(kept))
    assert again.returncode == 0
    result = [json.loads(line) for line in again.stdout.splitlines()]
    commands = [json.loads(line) for line in kept.read_text().splitlines()]
    assert len(result) == len(commands) + 1
    assert all(item["position"]["money_in_play"] == IN_PLAY == in_play(item["position"]) for item in result)
    assert result[-1]["position"] == end
    assert commands == [entry.command for entry in simulation.table.entries], "the same seed gives the same game"
    assert end == shown(simulation)


def test_what_cards_can_say_came_through_the_camera_and_nothing_else_did(simulation: Simulation) -> None:
    sources: dict[str, Counter[str]] = {}
    for entry in simulation.table.entries:
        sources.setdefault(str(entry.command["do"]), Counter())[entry.source] += 1
    assert {verb for verb, counted in sources.items() if counted["camera"]} <= {*SEEN, "choose_workers"}
    for verb in SEEN & sources.keys():
        assert set(sources[verb]) == {"camera"}, verb
    assert sources.keys() >= EACH_GAME
    assert simulation.demonstration.seen == sum(counted["camera"] for counted in sources.values())


@pytest.mark.slow
def test_dice_are_thrown_under_the_camera_and_read_there() -> None:
    # given bots at a game with dice
    box = bootstrap.load_bundled_catalog(monopoly_builder.GAME)
    simulation = create_simulation(monopoly_builder.GAME, box, seed=3, players=2)

    def rolls() -> list[str]:
        return [entry.source for entry in simulation.table.entries if entry.command["do"] == "roll"]

    def stop_after_two() -> None:
        if len(rolls()) == 2:
            raise SeenEnough

    # when they have rolled twice, then both rolls came through the camera
    with pytest.raises(SeenEnough):
        simulation.demonstration.play(stop_after_two)
    assert rolls() == ["camera", "camera"]


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.nightly
def test_two_and_four_play_to_the_end_too(players: int) -> None:
    position = shown(played(players))

    assert position["finished"]
    assert len(position["standings"]) == players
    assert in_play(position) == IN_PLAY


def test_another_seed_shuffles_another_way() -> None:
    deck = house_deck()

    assert shuffled(deck, 3) == shuffled(deck, 3)
    assert shuffled(deck, 3) != shuffled(deck, 4)
    assert start_command(4, 3) == start_command(4, 3)
    assert {start_command(4, seed)["first"] for seed in range(20)} == {"blue", "yellow", "red", "green"}


@pytest.mark.nightly
def test_with_blank_labels_nothing_comes_of_it(tmp_path: Path) -> None:
    kept = tmp_path / "game.jsonl"

    demo = companion("demo", "--headless", "--json", "--seed", "3", "--blank-labels", "--journal", str(kept))

    assert (demo.returncode, demo.stdout) == (1, "")
    (line,) = without_progress(demo.stderr)
    assert line.startswith("companion: card ")
    assert line.endswith(" lay under the camera and was not read")
    assert [json.loads(line)["do"] for line in kept.read_text().splitlines()] == ["start_game"]


@pytest.mark.nightly
def test_without_json_it_tells_the_standings_to_people() -> None:
    demo = companion("demo", "--headless", "--seed", "1", "--players", "2")

    assert demo.returncode == 0
    first, second = demo.stdout.splitlines()
    assert first.startswith("1. ")
    assert "$" in first
    assert second[:2] in ("1.", "2.")


def test_the_figures_of_the_standings_are_named_in_the_language_asked_for() -> None:
    demo = companion("demo", "--headless", "--game", "men_at_work", "--players", "2", "--lang", "fr")

    assert demo.returncode == 0
    assert all(", Prix " in line for line in demo.stdout.splitlines()), demo.stdout


def test_a_journal_that_cannot_be_written_is_said_before_the_game(tmp_path: Path) -> None:
    demo = companion("demo", "--headless", "--journal", str(tmp_path / "nowhere" / "game.jsonl"))

    assert (demo.returncode, demo.stdout) == (2, "")
    assert len(demo.stderr.splitlines()) == 1
    assert "nowhere" in demo.stderr


@pytest.mark.nightly
def test_on_a_mat_every_card_is_laid_in_its_zone_and_read_there(monkeypatch: pytest.MonkeyPatch) -> None:
    zones: Counter[tuple[str, str]] = Counter()
    simulation = create_simulation(GAME, house_deck(), seed=3, players=2, mat="table")
    take = simulation.scanner.proposals.answer

    def answered(table_id: str, number: int, answer: Any, *, actor: str) -> dict[str, Any] | None:
        asked = next(item for item in simulation.scanner.proposals.pending(table_id) if item["id"] == number)
        zones[asked["command"]["do"], asked["zone"]] += 1
        return take(table_id, number, answer, actor=actor)

    monkeypatch.setattr(simulation.scanner.proposals, "answer", answered)
    simulation.demonstration.play()

    assert shown(simulation)["finished"]
    assert {do for do, _ in zones} == SEEN
    assert {zone for do, zone in zones if do in ("hire_worker", "open_auction")} == {"blue", "yellow"}
    assert {(do, zone) for do, zone in zones if do not in ("hire_worker", "open_auction")} == {
        ("fire_worker", "market"),
        ("reveal_contracts", "contracts"),
        ("turn_event", "event"),
        ("turn_economy", "economy"),
    }


def test_a_mat_of_ones_own_is_taken_by_the_demonstration_and_the_doctor(tmp_path: Path) -> None:
    (tmp_path / "mats").mkdir()
    (tmp_path / "mats" / "mine.toml").write_text(format_mat(replace(load_mats()["table"], name="mine")), "utf-8")

    simulation = create_simulation(GAME, house_deck(), seed=3, players=2, mat="mine", own_mats=tmp_path / "mats")
    looked = companion("doctor", "--camera", "sim:3:mine", "--data", str(tmp_path))

    assert "tray" in simulation.simulated_table.zones
    assert "ok  camera: sim:3" in looked.stdout


def test_a_mat_that_nobody_knows_is_told_in_one_line() -> None:
    done = companion("demo", "--headless", "--mat", "rug")

    assert done.returncode == 2
    mats = "a2, a3, deeds, site, table, town"
    assert done.stderr == f"companion: there is no mat 'rug' beside this table; there are {mats}\n"
