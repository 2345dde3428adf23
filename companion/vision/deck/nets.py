"""The small nets that look for labels, run by OpenCV: ``benchmarks.finder`` made their weights."""

from collections.abc import Iterable

import cv2
import numpy as np
import numpy.typing as npt

from companion.resources import packaged

Floats = npt.NDArray[np.float32]


class Net:
    """One net.  Any thread may ask it: each call takes a copy that is free, for a copy answers one at a time."""

    def __init__(self, name: str) -> None:
        """Take the weights of that name, which are loaded when somebody asks first."""
        self._name = name
        self._free: list[cv2.dnn.Net] = []

    def load(self) -> None:
        """Load a copy, unless there is one already."""
        if not self._free:
            self._free.append(self._read())

    def _read(self) -> cv2.dnn.Net:
        return cv2.dnn.readNetFromONNX(str(packaged("vision", "deck", f"{self._name}.onnx")), *_ENGINE)

    def answers(self, given: Floats) -> Floats:
        """Return what the net says to pictures: float32 n x 1 x height x width to n x planes x rows x columns."""
        try:
            net = self._free.pop()
        except IndexError:
            net = self._read()
        net.setInput(given)
        told = np.array(net.forward(), np.float32)
        self._free.append(net)
        return told


# From 5.0 on OpenCV has a second engine, which is the slower one for nets as small as these.
_ENGINE: Iterable[int] = (cv2.dnn.ENGINE_CLASSIC,) if hasattr(cv2.dnn, "ENGINE_CLASSIC") else ()

FINDER = Net("finder")
CLOSER = Net("closer")
