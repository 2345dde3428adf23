"""``companion calibrate``: each step says what it saw, and keeps what it found."""

import json
import socket
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest

from calibration.fiducials import Board
from calibration.profile import Profile
from companion.adapters.calibration_stores import load_profile, save_profile
from companion.bootstrap import label_texts, load_bundled_catalog
from companion.bootstrap.cameras import connect_camera, load_mats
from companion.bootstrap.games import find_games
from companion.simulator.art import PlacedMat
from companion.simulator.optics import MILD, sample_optics
from companion.simulator.scene import Scene
from tests.calibration.simulated_lens import TRUE_LENS, album
from tests.cli.conftest import Run
from tests.cli.running import only_line


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("board")
    for number, picture in enumerate(album(Board())):
        cv2.imwrite(str(folder / f"{number:02}.png"), picture)
    return folder


def test_the_steps_are_told_in_order(run: Run) -> None:
    ended = run("calibrate")

    assert (ended.code, ended.out) == (0, [])
    assert [line[:2] for line in ended.err] == ["1.", "2.", "3.", "4."]


def test_the_board_is_written(run: Run, tmp_path: Path) -> None:
    assert run("calibrate", "board", tmp_path / "board.pdf").code == 0
    assert (tmp_path / "board.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("language", "caption"),
    [("en", "squares of 36 mm: measure one"), ("de", "Quadrate mit 36 mm"), ("fr", "carrés de 36 mm")],
)
def test_the_board_says_what_to_do_in_the_language_asked_for(
    run: Run, tmp_path: Path, language: str, caption: str
) -> None:
    assert run("calibrate", "board", tmp_path / "board.pdf", "--lang", language).code == 0
    assert run("calibrate", "--lang", language, "board", tmp_path / "other.pdf").code == 0
    for name in ("board.pdf", "other.pdf"):
        document = pypdfium2.PdfDocument(tmp_path / name)
        assert caption in document[0].get_textpage().get_text_range()
        document.close()


@pytest.mark.parametrize("step", ["lens", "table"])
def test_no_camera_is_told_at_once(run: Run, tmp_path: Path, step: str) -> None:
    line = only_line(run("calibrate", step, "--camera", "none", "--seconds", "1", "--data", tmp_path))
    assert "none is no camera" in line


def test_a_folder_of_pictures_gives_the_lens(run: Run, pictures: Path, tmp_path: Path) -> None:
    ended = run("calibrate", "lens", "--camera", pictures, "--data", tmp_path)

    assert ended.code == 0
    result = json.loads(ended.out[0])
    assert result["views"] >= 10
    assert result["error_px"] < 0.5
    assert "missing: 9 more pictures" in ended.err[0]
    assert "px = " in ended.err[-1]
    kept = load_profile(tmp_path / "profiles", str(pictures))
    assert kept is not None
    assert kept.lens is not None
    assert kept.lens.lens.focal_x == pytest.approx(TRUE_LENS.focal_x, rel=0.01)


def test_too_few_pictures_are_a_no_and_keep_nothing(run: Run, pictures: Path, tmp_path: Path) -> None:
    few = tmp_path / "few"
    few.mkdir()
    (few / "0.png").write_bytes((pictures / "00.png").read_bytes())
    (few / "1.png").write_bytes(b"no picture")
    (few / "2.png").write_bytes((pictures / "00.png").read_bytes())

    ended = run("calibrate", "lens", "--camera", few, "--data", tmp_path / "data")

    assert (ended.code, ended.out) == (1, [])
    assert any("1.png" in line for line in ended.err)
    assert any("as before: move the board" in line for line in ended.err)
    assert ended.err[-1].startswith("no lens yet: 1 pictures")
    assert not (tmp_path / "data" / "profiles").exists()


@pytest.mark.nightly
def test_a_table_with_a_mat_is_told_and_kept(run: Run, tmp_path: Path) -> None:
    folder, data = tmp_path / "table", tmp_path / "data"
    folder.mkdir()
    scene = Scene(sample_optics(MILD, np.random.default_rng(3)), {}, 3, mat=PlacedMat(load_mats()["a2"], 220.0, 80.0))
    for number in range(5):
        cv2.imwrite(str(folder / f"{number}.png"), scene.render([]))
    save_profile(data / "profiles", Profile(str(folder))).write_text("camera = ")

    ended = run("calibrate", "table", "--camera", folder, "--data", data)

    assert ended.code == 0
    assert "calibrate this camera again" in ended.err.pop(0)
    result = json.loads(ended.out[0])
    assert (result["mat"], result["exposure"]) == ("a2", "good")
    assert result["focus"] in {"sharp", "soft"}
    assert "4 of 4 corner markers" in ended.err[1]
    assert "zones: red, blue" in ended.err[3]
    kept = load_profile(data / "profiles", str(folder))
    assert kept is not None
    assert kept.mat is not None
    assert kept.mat.error_mm < 1.5


def test_a_table_without_a_mat_and_no_camera_are_told(run: Run, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    cv2.imwrite(str(bare / "0.png"), np.full((200, 300), 120, np.uint8))

    without = run("calibrate", "table", "--camera", bare, "--data", tmp_path)
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "0.png").write_bytes(b"no picture")
    nothing = run("calibrate", "table", "--camera", broken, "--seconds", "1", "--data", tmp_path)
    wrong = run("calibrate", "lens", "--camera", tmp_path / "gone", "--data", tmp_path)

    assert without.code == 1
    assert "the whole picture is the scan tray" in without.err[1]
    assert (nothing.code, nothing.err[-1]) == (2, f"companion: camera {broken}: no picture came")
    assert wrong.code == 2


@pytest.fixture
def card_in_view(tmp_path: Path) -> Path:
    """A folder with pictures of a bare table on which a card of Men at Work lies."""
    folder = tmp_path / "table"
    folder.mkdir()
    camera, table = connect_camera("sim:4")
    assert table is not None
    manifest = find_games().manifests["men_at_work"]
    table.lay_on_tray(next(iter(label_texts(manifest, load_bundled_catalog(manifest)).values())))
    frame = camera.grab()
    camera.close()
    assert frame is not None
    for number in range(10):
        cv2.imwrite(str(folder / f"{number}.png"), frame.image)
    return folder


def test_cards_of_every_game_are_counted(run: Run, card_in_view: Path, tmp_path: Path) -> None:
    ended = run("calibrate", "table", "--camera", card_in_view, "--data", tmp_path / "data")

    assert json.loads(ended.out[0])["labels"] == 1


def test_a_corrupt_profile_is_no_obstacle_to_looking_at_the_table(run: Run, card_in_view: Path, tmp_path: Path) -> None:
    # given a camera whose profile cannot be read
    data = tmp_path / "data"
    save_profile(data / "profiles", Profile(str(card_in_view))).write_text("camera = ")
    # when the table is looked at
    ended = run("calibrate", "table", "--camera", card_in_view, "--data", data)
    # then that is said, and the table is looked at without a lens
    assert "calibrate this camera again" in ended.err[0]
    assert json.loads(ended.out[0])["labels"] == 1


def test_a_camera_that_cannot_be_reached_says_so_once(run: Run, tmp_path: Path) -> None:
    # given a camera at an address where nothing answers
    with socket.socket() as refusing:
        refusing.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{refusing.getsockname()[1]}/"
        # when it is waited for
        ended = run("calibrate", "table", "--camera", address, "--seconds", "1", "--data", tmp_path)
    # then the reason is told once
    assert ended.code == 2
    assert [line for line in ended.err if "cannot be reached" in line] == ended.err[:1]
    assert "no picture came" in ended.err[-1]


def test_a_corrupt_profile_is_replaced_by_a_new_lens(run: Run, pictures: Path, tmp_path: Path) -> None:
    path = save_profile(tmp_path / "profiles", Profile(str(pictures)))
    path.write_text("camera = ")

    ended = run("calibrate", "lens", "--camera", pictures, "--data", tmp_path)

    assert ended.code == 0
    assert any("(done now)" in line for line in ended.err)
    assert load_profile(tmp_path / "profiles", str(pictures)) is not None
