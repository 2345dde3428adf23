"""The small nets that look for labels, run by OpenCV: ``benchmarks.finder`` made their weights."""

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.resources import packaged

Floats = npt.NDArray[np.float32]


MOST_COPIES = 4
"""Copies of a net that are kept, each made ready for pictures of one size."""


class Net:
    """One net.  Any thread may ask it: each call takes a copy that is free, for a copy answers one at a time.

    Getting ready for pictures of another size takes a copy about a fifth of the time that it then answers in.
    """

    def __init__(self, name: str) -> None:
        """Take the weights of that name, which are loaded when somebody asks first."""
        self._name = name
        self._free: list[_Copy] = []

    def load(self) -> None:
        """Load a copy, unless there is one already."""
        if not self._free:
            self._free.append(_Copy((), self._read()))

    def answers(self, given: Floats) -> Floats:
        """Return what the net says to pictures: float32 n x 1 x height x width to n x planes x rows x columns."""
        net = self._taken(given.shape)
        net.setInput(given)
        told = np.array(net.forward(), np.float32)
        self._free.append(_Copy(given.shape, net))
        del self._free[:-MOST_COPIES]
        return told

    def _taken(self, shape: tuple[int, ...]) -> cv2.dnn.Net:
        """Return a copy that is ready for that shape, or a new one, or else the one that waited longest.

        Each step on the list is one for all threads; whoever comes second takes another.
        """
        for copy in tuple(self._free):
            if copy.shape in (shape, ()):
                try:
                    self._free.remove(copy)
                except ValueError:
                    continue
                return copy.net
        if len(self._free) >= MOST_COPIES:
            try:
                return self._free.pop(0).net
            except IndexError:
                pass
        return self._read()

    def _read(self) -> cv2.dnn.Net:
        return cv2.dnn.readNetFromONNX(str(packaged("vision", "deck", f"{self._name}.onnx")), *_ENGINE)


@dataclass(frozen=True, slots=True, eq=False)
class _Copy:
    """A copy of a net, and the shape of the pictures that it was asked about last; empty if it never was."""

    shape: tuple[int, ...]
    net: cv2.dnn.Net


# From 5.0 on OpenCV has a second engine, which is the slower one for nets as small as these.
_ENGINE: Iterable[int] = (cv2.dnn.ENGINE_CLASSIC,) if hasattr(cv2.dnn, "ENGINE_CLASSIC") else ()

FINDER = Net("finder")
CLOSER = Net("closer")
