"""Cards as they come out of a printer and off the scissors, under the camera: a whole game is played with them."""

import pytest

from companion import bootstrap
from companion.bot_games.demonstration import create_simulation
from tests.card_faces import printed_cards
from tests.opened import installed_games


@pytest.mark.nightly
def test_a_whole_game_is_played_with_printed_cards() -> None:
    # given the House deck, printed and cut, in place of the simulation's own cards
    manifest = installed_games().manifest("master_builder")
    simulation = create_simulation(manifest, bootstrap.load_bundled_catalog(manifest), seed=5, players=3)
    simulation.simulated_table.unlabelled.update(printed_cards("master_builder"))

    # when bots play a game of which every card is laid under the camera
    simulation.demonstration.play()

    # then it ends, and no card had to be tapped
    position = simulation.table.position
    assert position is not None
    overview = simulation.table.overview
    assert overview is not None
    assert overview.finished
    hired = [entry for entry in simulation.table.entries if entry.command["do"] == "hire_worker"]
    assert hired
    assert {entry.source for entry in hired} == {"camera"}
    assert simulation.demonstration.seen > 60
