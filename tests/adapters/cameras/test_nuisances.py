"""Nuisances of simulated tables, each alone and all together, and that labels lie where the simulation reports them."""

import numpy as np
import pytest

from benchmarks.scenes import corners_of
from companion.adapters.cameras.specs import open_camera
from companion.simulator.camera import SimulatedCamera
from companion.simulator.optics import (
    ALL,
    EVERYDAY,
    NONE,
    SEVERITIES,
    Nuisance,
    Nuisances,
    parse_nuisances,
    sample_optics,
)
from companion.simulator.pose import MAX_BEND_MM, MAX_RISE_MM, CardPose, sample_pose
from companion.simulator.scene import PlacedCard, Scene
from companion.simulator.table import SimulatedTable
from companion.vision.label.label import STANDARD_LABEL
from companion.vision.label.tag import Deck
from companion.vision.read import read_codes, to_grey
from tests.extent import in_check

CARDS = [f"W{number:02}" for number in range(1, 13)]
DECK = Deck("MB", frozenset(CARDS))
TEXTS: dict[str, str | None] = {card: f"MB1{card}" for card in CARDS}
LYING = [
    PlacedCard(card, 150.0 + 200 * (number % 4), 110.0 + 150 * (number // 4), 31.0 * number)
    for number, card in enumerate(CARDS)
]
SEED = 5


def scene(nuisances: Nuisances, severity: str = "mild", seed: int = SEED) -> Scene:
    return Scene(
        sample_optics(SEVERITIES[severity], np.random.default_rng([seed, 4])), TEXTS, seed, nuisances=nuisances
    )


def places(scene: Scene) -> tuple[int, list[float]]:
    """How many cards are read, and how many pixels from where the scene says that their labels lie."""
    seen = {label.text: label for label in read_codes(to_grey(scene.render(LYING)), "frame", DECK)}
    off = [
        float(np.linalg.norm(corners_of(scene, card, STANDARD_LABEL).mean(axis=0) - seen[f"MB1{card.card}"].centre))
        for card in LYING
        if f"MB1{card.card}" in seen
    ]
    return len(seen), off


@pytest.mark.parametrize("nuisance", in_check(sorted(ALL), "art", "lens", "prints"))
def test_each_alone_changes_the_picture_and_labels_are_read_where_they_lie(nuisance: Nuisance) -> None:
    # given a table with one of them, and the same one without
    spoilt_scene = scene(frozenset({nuisance}))
    kind = scene(NONE).render(LYING)

    # when it is looked at
    read, off = places(spoilt_scene)

    # then it looks otherwise, and nearly all labels are read at their places
    assert np.abs(spoilt_scene.render(LYING).astype(int) - kind).mean() > 0.3
    assert read >= len(CARDS) - 3
    assert max(off) < 3


@pytest.mark.parametrize(("severity", "least"), [("mild", 20), pytest.param("medium", 18, marks=pytest.mark.nightly)])
def test_all_together_leave_most_labels_readable(severity: str, least: int) -> None:
    assert sum(places(scene(ALL, severity, seed))[0] for seed in (5, 6)) >= least


@pytest.mark.nightly
def test_the_same_seed_lays_the_same_cards_in_the_same_way() -> None:
    first, again, another = (scene(ALL, seed=seed).render(LYING) for seed in (5, 5, 6))

    assert (first == again).all()
    assert np.abs(first.astype(int) - another).mean() > 5


def test_cards_bend_lean_and_lie_on_stacks_but_never_below_the_table() -> None:
    x, y = np.meshgrid(np.linspace(-31.5, 31.5, 21), np.linspace(-44, 44, 21))
    lies = [sample_pose(f"W{number:02}", 3, ALL) for number in range(60)]

    heights = np.array([pose.height(x, y, 63, 88) for pose in lies])

    assert heights.min() >= -1e-9
    assert np.ptp(heights, axis=(1, 2)).max() > MAX_BEND_MM
    assert MAX_RISE_MM / 2 < max(pose.rise for pose in lies) <= MAX_RISE_MM
    assert 0 < sum(pose.is_flat for pose in lies) < 30
    assert all(sample_pose(card, 3, NONE) == CardPose() for card in CARDS)


def test_nuisances_have_names() -> None:
    assert parse_nuisances(["lens", "bends"]) == {"lens", "bends"}
    with pytest.raises(ValueError, match="no nuisance 'rain': say art, bends"):
        parse_nuisances(["lens", "rain"])


def test_the_simulated_camera_that_anybody_starts_looks_at_a_less_kind_table() -> None:
    # given the camera of --camera sim, and a kind one
    labels = {card: f"MB1{card}" for card in CARDS}
    camera = open_camera("sim:5", lambda seed: SimulatedTable(seed, labels))
    assert isinstance(camera, SimulatedCamera)
    kind = SimulatedCamera(SimulatedTable(5, labels))

    # when the same cards are laid under both
    for item in (camera, kind):
        for card in CARDS:
            item.table.lay_on_tray(card)
    frames = [item.grab() for item in (camera, kind)]

    # then it sees another picture, and every card
    assert frames[0] is not None
    assert frames[1] is not None
    assert np.abs(frames[0].image.astype(int) - frames[1].image).mean() > 3
    assert {seen.text for seen in read_codes(to_grey(frames[0].image), "frame", DECK)} == set(labels.values())
    assert EVERYDAY < ALL
