"""Trains the nets that find labels, and writes them where the program takes them from.

    python -m benchmarks.finder.train finder|closer VIEWS [--views 8500] [--steps N] [--seed 1] [--jobs 1] [--on]

VIEWS is a folder in which drawn views are kept meanwhile, some two gigabytes; they depend on nothing but their
numbers.  The finder net in the package was made with the defaults, in 18 minutes of a core beside drawing the views;
the closer net with the defaults and once more with --on --seed 2 when the finder was another, and with --on --seed 3 to
learn from this one's mistakes, in an hour.
With --on training goes on from the weights that are there.  The closer net learns also what the finder net takes for
labels, so that one is trained first.  torch and onnx are needed for this alone and are no part of the project's
environment: CONTRIBUTING says how to come by them.
"""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from benchmarks.finder.bank import draw, kept
from benchmarks.finder.lessons import CloserLessons, FinderLessons, Lessons
from benchmarks.finder.net import FINDER, REFINER, SELDOM, Convolutions, read, write
from companion.vision.deck.finder import CROP_SIDE

WEIGHTS = Path(__file__).parents[2] / "companion" / "vision" / "deck"
STEPS = {"finder": 8000, "closer": 16000}
TOLD_EVERY = 100
WARM_UP = 200


def finder_loss(prediction: Tensor, likely: Tensor, counts: Tensor, numbers: Tensor, weight: Tensor) -> Tensor:
    """Weigh hits by how far off they are (quality focal loss), and shapes where a label is."""
    off = (likely - torch.sigmoid(prediction[:, 0])).abs()
    hits = torch.nn.functional.binary_cross_entropy_with_logits(prediction[:, 0], likely, reduction="none")
    labels = weight.sum().clamp(min=1)
    precise = torch.tensor([4.0, 4, 6, 6, 6, 3, 3])[None, :, None, None]
    shapes = torch.nn.functional.smooth_l1_loss(
        prediction[:, 1:] * precise, numbers * precise, reduction="none", beta=0.1
    )
    return (4 * (off**2 * hits * counts).sum() + (shapes * weight[:, None]).sum()) / labels


def closer_loss(prediction: Tensor, labels: Tensor, first: Tensor, off: Tensor) -> Tensor:
    """Weigh whether there is a label, and where there is one, its turn and its corners."""
    prediction = prediction.flatten(1)
    many = labels.sum().clamp(min=1)
    hits = torch.nn.functional.binary_cross_entropy_with_logits(prediction[:, 0], labels)
    turns = (torch.nn.functional.cross_entropy(prediction[:, 1:5], first, reduction="none") * labels).sum() / many
    corners = ((prediction[:, 5:] - off).abs().mean(dim=1) * labels).sum() / many
    return hits + 0.5 * turns + 10 * corners


def train(net: Convolutions, lessons: Lessons, loss: Callable[..., Tensor], steps: int, rate: float) -> None:
    """Learn for so many steps, the rate rising fast and falling as a cosine; tell how it goes."""
    ways = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-4)
    falling = torch.optim.lr_scheduler.LambdaLR(
        ways, lambda at: min(1, (at + 1) / WARM_UP) * (0.505 + 0.5 * np.cos(np.pi * min(at, steps) / steps))
    )
    began, total = time.monotonic(), 0.0
    for step in range(1, steps + 1):
        given, *wanted = (torch.from_numpy(np.ascontiguousarray(array)) for array in lessons.next())
        off = loss(net(given), *wanted)
        ways.zero_grad()
        off.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        ways.step()
        falling.step()
        total += off.item()
        if step % TOLD_EVERY == 0:
            seconds = time.monotonic() - began
            sys.stdout.write(f"{step:6} {total / TOLD_EVERY:8.4f} {seconds:7.0f} s\n")
            sys.stdout.flush()
            total = 0.0


def main() -> None:
    """Draw, train, write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.finder.train", description=__doc__)
    parser.add_argument("net", choices=("finder", "closer"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--views", type=int, default=8500)
    parser.add_argument("--steps", type=int, help="8000 for the finder, 16000 for the closer")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--on", action="store_true")
    asked = parser.parse_args()
    views = [view for path in draw(asked.folder, asked.views, asked.jobs) for view in kept(path)]
    torch.manual_seed(asked.seed)
    torch.set_num_threads(asked.jobs)
    random = np.random.default_rng(asked.seed)
    net = Convolutions(FINDER, SELDOM) if asked.net == "finder" else Convolutions(REFINER)
    weights, steps = WEIGHTS / f"{asked.net}.onnx", asked.steps or STEPS[asked.net]
    if asked.on:
        read(net, weights)
    if asked.net == "finder":
        train(net, FinderLessons(views, random), finder_loss, steps, 3e-3)
        write(net, weights, (1, 1, "height", "width"))
    else:
        train(net, CloserLessons(views, random), closer_loss, steps, 2e-3)
        write(net, weights, ("n", 1, CROP_SIDE, CROP_SIDE))


if __name__ == "__main__":
    main()
