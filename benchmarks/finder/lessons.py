"""Lessons for the nets, a batch at a time, with the expected answers."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from benchmarks.finder.targets import target
from benchmarks.finder.view import LEAST_SEEN, View
from companion.vision.deck.finder import (
    SQUARE,
    crop_parallelograms,
    decode_boxes,
    detect_candidates,
    encode_boxes,
    fit_parallelograms,
    normalise_contrast,
    side_lengths,
)

Random = np.random.Generator
Batch = tuple[npt.NDArray[Any], ...]


class Lessons(Protocol):
    """Returns batches without end."""

    def next(self) -> Batch:
        """Return what is shown, and what is wanted."""
        ...


class FinderLessons:
    """Whole views, turned by quarters."""

    BATCH = 16

    def __init__(self, views: Sequence[View], random: Random) -> None:
        """Even the views out once."""
        self._random = random
        self._views = [(normalise_contrast(view.grey).astype(np.float16), view) for view in views]

    def next(self) -> Batch:
        """Return pictures; likeness, whether it counts, the seven numbers and their weights."""
        shown, wanted = [], []
        for number in self._random.integers(0, len(self._views), self.BATCH):
            picture, view = self._views[number]
            turns, side = int(self._random.integers(4)), view.grey.shape[0]
            symbols = view.symbols
            for _ in range(turns):
                symbols = np.stack((symbols[..., 1], side - symbols[..., 0]), axis=-1)
            goal = target(symbols, view.seen, side)
            shown.append(np.rot90(picture, turns).astype(np.float32)[None])
            wanted.append((goal.likely, goal.counts, goal.numbers, goal.weight))
        return np.stack(shown), *(np.stack(part) for part in zip(*wanted, strict=True))


class CloserLessons:
    """Cuts round labels, not quite where they are, and round what is none."""

    BATCH = 192
    SMALLEST, LARGEST = 14.0, 80.0
    NEARER = 0.4
    """Half of the cuts are as much less off: what the net looks at again, it has placed itself."""
    FAR = 30.0
    """Pixels: what is further from every label shows none."""

    def __init__(self, views: Sequence[View], random: Random) -> None:
        """Ask the finder net once what it takes for labels."""
        self._random = random
        self._views = [(view, detect_candidates(view.grey, 20, 0.05).quads) for view in views]

    def next(self) -> Batch:
        """Return cuts; whether each shows a label, which of its corners comes first, how far its corners are off."""
        parts: list[Batch] = []
        while sum(len(part[1]) for part in parts) < self.BATCH:
            view, places = self._views[self._random.integers(len(self._views))]
            symbols = view.symbols - 0.5
            size = side_lengths(symbols)
            whole = (view.seen >= LEAST_SEEN) & (size > self.SMALLEST) & (size < self.LARGEST)
            labels = symbols[whole]
            if len(labels):
                parts.append(self._labels(view, labels, size[whole]))
            others = self._others(view, places, symbols, max(2, len(labels) // 2))
            if len(others):
                none = np.zeros(len(others), np.float32)
                cuts = crop_parallelograms(view.grey, fit_parallelograms(others))
                parts.append((cuts, none, none.astype(np.int64), np.zeros((len(others), 8), np.float32)))
        return tuple(np.concatenate(part) for part in zip(*parts, strict=True))

    def _labels(self, view: View, labels: npt.NDArray[np.float64], size: npt.NDArray[np.float64]) -> Batch:
        draw, count = self._random, len(labels)
        middles, shapes = encode_boxes(labels)
        much = np.where(draw.random(count) < 0.5, 1.0, self.NEARER)  # noqa: PLR2004 - one half
        middles = middles + draw.normal(0, 0.07, (count, 2)) * (much * size)[:, None]
        shapes[:, :3] += draw.normal(0, (0.09, 0.06, 0.06), (count, 3)) * much[:, None]
        angle = np.arctan2(shapes[:, 4], shapes[:, 3]) + draw.normal(0, 4 * np.radians(5), count) * much
        shapes[:, 3:] = np.column_stack((np.cos(angle), np.sin(angle)))
        off = decode_boxes(middles, shapes)
        turns = draw.integers(0, 4, count)
        onto = fit_parallelograms(
            np.stack([np.roll(quad, turn, axis=0) for quad, turn in zip(off, turns, strict=True)])
        )
        corners = np.einsum("nij,nkj->nki", np.linalg.inv(onto[:, :, :2]), labels - onto[:, None, :, 2])
        ways = np.stack([np.roll(corners, -turn, axis=1) - SQUARE for turn in range(4)], axis=1)
        first = np.abs(ways).sum(axis=(2, 3)).argmin(axis=1)
        nearest = ways[np.arange(count), first].reshape(count, 8)
        return crop_parallelograms(view.grey, onto), np.ones(count, np.float32), first, nearest.astype(np.float32)

    def _others(
        self, view: View, places: npt.NDArray[np.float64], symbols: npt.NDArray[np.float64], count: int
    ) -> npt.NDArray[np.float64]:
        """Return places that are no labels: one anywhere, the others where the finder thinks that there is one."""
        draw = self._random
        angle = draw.uniform(0, 2 * np.pi, 1)
        shape = (draw.uniform(-0.5, 0.7, 1), *draw.normal(0, 0.1, (2, 1)), np.cos(angle), np.sin(angle))
        anywhere = decode_boxes(draw.uniform(10, view.grey.shape[0] - 10, (1, 2)), np.column_stack(shape))
        quads = np.concatenate((anywhere, places[draw.permutation(len(places))[:count]]))
        apart = np.hypot(*(quads.mean(axis=1)[:, None] - symbols.mean(axis=1)).transpose(2, 0, 1))
        return quads[(apart > self.FAR).all(axis=1)]
