"""A camera whose lens is known: it takes pictures of a flat drawing, held in any way."""

import cv2
import numpy as np
import numpy.typing as npt

from calibration.fiducials import Board
from calibration.lens import Lens
from companion.simulator.camera import POSES

FINER = 1
PIXELS_A_MM = 6.0


def rotation(tilt: float, towards: float, roll: float = 0.0) -> npt.NDArray[np.float64]:
    """Lean by ``tilt`` about an axis in direction ``towards``, then roll; degrees."""
    axis = np.array([np.cos(np.radians(towards)), np.sin(np.radians(towards)), 0.0]) * np.radians(tilt)
    lean = np.asarray(cv2.Rodrigues(axis)[0], np.float64)
    turned = np.asarray(cv2.Rodrigues(np.array([0.0, 0.0, np.radians(roll)]))[0], np.float64)
    return np.asarray(lean @ turned, np.float64)


def photograph(
    board: Board,
    lens: Lens,
    turn: npt.NDArray[np.float64],
    middle_mm: tuple[float, float, float],
    noise: float = 2.0,
    seed: int = 0,
) -> npt.NDArray[np.uint8]:
    """Return a picture of the board with its middle at a place before the camera, in millimetres."""
    drawn = np.pad(board.draw(PIXELS_A_MM), round(10 * PIXELS_A_MM), constant_values=255).astype(np.float32)
    shift = np.array(middle_mm) - turn @ np.array([*board.size_mm, 0.0]) / 2
    pinhole = lens.matrix @ np.column_stack((turn[:, :2], shift))
    y, x = np.mgrid[: lens.height * FINER, : lens.width * FINER]
    bent = np.stack(((x + 0.5) / FINER, (y + 0.5) / FINER), axis=-1).reshape(-1, 2)
    straight = lens.undistort(bent)
    on_board = np.column_stack((straight, np.ones(len(straight)))) @ np.linalg.inv(pinhole).T
    mm = on_board[:, :2] / on_board[:, 2:]
    where = ((mm + 10) * PIXELS_A_MM - 0.5).reshape(*x.shape, 2).astype(np.float32)
    across, down = np.ascontiguousarray(where[..., 0]), np.ascontiguousarray(where[..., 1])
    paint = (120.0,)
    shown = cv2.remap(drawn, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=paint)
    small = cv2.resize(shown, (lens.width, lens.height), interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), 0.6)
    grain = np.random.default_rng(seed).normal(0, noise, soft.shape)
    return np.asarray(np.clip(soft * 0.8 + 20 + grain, 0, 255), np.uint8)


TRUE_LENS = Lens(960, 540, 742.0, 739.0, 487.0, 263.0, (-0.16, 0.05, 0.001, -0.0008, 0.0))


def album(board: Board, lens: Lens = TRUE_LENS) -> list[npt.NDArray[np.uint8]]:
    """Return twelve pictures of the board, tilted every way and all over the picture."""
    return [
        photograph(board, lens, rotation(tilt, towards, roll), (float(x), float(y), float(z)), seed=number)
        for number, (tilt, towards, roll, (x, y, z)) in enumerate(POSES)
    ]
