"""A simulated camera, which renders frames of a simulated table."""

import time

import numpy as np

from companion.service.camera.camera import Frame
from companion.simulator.calibration_board import HeldBoard
from companion.simulator.mat import PlacedMat
from companion.simulator.nuisances import NONE, Nuisances
from companion.simulator.optics import MILD, Optics, Severity, bump_camera, sample_optics
from companion.simulator.scene import Scene
from companion.simulator.table import SimulatedTable


class SimulatedCamera:
    """Renders a simulated table in 1920 x 1080 for each frame.

    ``frame_ms``: time between frames on the camera's own clock, however fast they are requested, so that a game can be
    played as fast as the machine renders; without it the clock is the real one.
    ``mat``: a mat that lies under the cards while the table itself has none.
    ``nuisances``: what makes the table harder to read.
    """

    def __init__(
        self,
        table: SimulatedTable,
        severity: Severity = MILD,
        *,
        frame_ms: int | None = None,
        mat: PlacedMat | None = None,
        nuisances: Nuisances = NONE,
    ) -> None:
        self._nuisances = nuisances
        self._optics = sample_optics(severity, np.random.default_rng([table.seed, 4]))
        self.table = table
        self._mat = mat
        self._set_up(self._optics)
        self._frame_ms = frame_ms
        self._number = 0

    def _set_up(self, optics: Optics) -> None:
        """Set up scene and board for these optics."""
        self._bumps = self.table.bumps
        seed = self.table.seed
        self._scene = Scene(
            optics,
            self.table.texts,
            seed,
            mat=self.table.mat or self._mat,
            unlabelled=self.table.unlabelled,
            nuisances=self._nuisances,
        )
        self._board = HeldBoard(optics)

    @property
    def name(self) -> str:
        """Return ``sim:SEED``."""
        return f"sim:{self.table.seed}"

    def grab(self) -> Frame | None:
        """Return a frame of the table as it is now, never None."""
        at_ms = self._number * self._frame_ms if self._frame_ms is not None else time.monotonic_ns() // 1_000_000
        if self.table.bumps != self._bumps:
            self._set_up(bump_camera(self._optics, np.random.default_rng([self.table.seed, 5, self.table.bumps])))
        self._scene.lay_mat(self.table.mat or self._mat)
        image = self._scene.render(self.table.cards)
        if self.table.board_held:
            image = self._board.overlay(image, at_ms)
        frame = Frame(image=image, at_ms=at_ms, number=self._number)
        self._number += 1
        return frame

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
