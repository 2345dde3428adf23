"""Views that were drawn, kept for as long as nets are trained: by their seeds, so that anybody draws the same."""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from benchmarks.finder.view import View, view

SIDE = 448
"""Pixels a side."""
PART = 250
"""Views a file."""


def draw(folder: Path, count: int, jobs: int, first: int = 0) -> Iterator[Path]:
    """Draw at least so many views into a folder, as far as they are not there yet; give each file once it is there."""
    folder.mkdir(parents=True, exist_ok=True)
    firsts = range(first, first + count, PART)
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(_part, [(folder, number) for number in firsts])


def kept(path: Path) -> list[View]:
    """Return the views of a file."""
    with np.load(path) as file:
        ends = np.cumsum(file["counts"])
        texts, symbols, seen = (np.split(file[name], ends[:-1]) for name in ("texts", "symbols", "seen"))
        parts = zip(file["grey"], texts, symbols, seen, strict=True)
        return [View(grey, tuple(says.tolist()), where, share) for grey, says, where, share in parts]


def _part(task: tuple[Path, int]) -> Path:
    folder, first = task
    path = folder / f"views-{first:06}.npz"
    if not path.exists():
        views = [view(np.random.default_rng([first + number, 5]), SIDE) for number in range(PART)]
        new_path = path.with_suffix(".new.npz")
        np.savez(
            new_path,
            grey=np.array([view.grey for view in views]),
            counts=np.array([len(view.seen) for view in views]),
            texts=np.array([text for view in views for text in view.texts]),
            symbols=np.concatenate([view.symbols for view in views]),
            seen=np.concatenate([view.seen for view in views]),
        )
        new_path.replace(path)
    return path
