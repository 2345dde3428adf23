"""Tables of cards in the severities of ``SEVERITIES``, and what the readers make of them."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

import numpy as np

from benchmarks.reading import readers
from benchmarks.reading.readers import QUICK, Reader
from benchmarks.scenes import CARDS, Shot, shoot
from companion.simulator.optics import ALL, NONE, Nuisances, parse_nuisances
from companion.vision.label.label import STANDARD_LABEL

HD, LARGE = (1920, 1080), (4608, 2592)


@dataclass(frozen=True)
class Row:
    """Results of a reader in some scenes: labels in view read (%), cards reported that are not there, milliseconds."""

    suite: str
    case: str
    reader: str
    labels: int
    recall: float
    wrong: int
    ms: float


@dataclass(frozen=True)
class Case:
    """Scenes of one kind."""

    suite: str
    case: str
    severity: str
    readers: Mapping[str, Reader]
    cards: int = 24
    frames: int = 1
    pixels_a_mm: float = 1.85
    size: tuple[int, int] = HD
    nuisances: Nuisances = NONE

    def shots(self, count: int) -> list[Shot]:
        """Return that many scenes, the same in every run."""
        return [
            shoot(
                self.severity,
                900 + seed,
                cards=self.cards,
                frames=self.frames,
                pixels_a_mm=self.pixels_a_mm,
                size=self.size,
                nuisances=self.nuisances,
            )
            for seed in range(count)
        ]


def cases() -> list[Case]:
    """Return everything that is measured."""
    all_cases = [Case("severity", severity, severity, readers.ALL) for severity in ("mild", "medium", "hard")]
    for module in (1.5, 2.0, 2.5, 3.0, 4.0):
        scale = module / STANDARD_LABEL.module_mm
        all_cases += [
            Case("pixels a module", f"{severity} {module}", severity, QUICK, cards=12, pixels_a_mm=scale)
            for severity in ("medium", "hard")
        ]
    all_cases += [Case("cards", str(count), "medium", QUICK, cards=count) for count in (1, 6, 12, 24)]
    all_cases += [Case("three frames", severity, severity, QUICK, frames=3) for severity in ("medium", "hard")]
    all_cases += [
        Case("12 megapixels", severity, severity, QUICK, pixels_a_mm=4.4, size=LARGE) for severity in ("medium", "hard")
    ]
    all_cases += [
        Case("nuisances", f"{name}, medium", "medium", QUICK, nuisances=parse_nuisances([name])) for name in sorted(ALL)
    ]
    all_cases += [
        Case("nuisances", f"all, {severity}", severity, QUICK, nuisances=ALL) for severity in ("mild", "medium", "hard")
    ]
    return all_cases


def measured(case: Case, count: int) -> Iterator[Row]:
    """Return what each reader makes of the scenes of a case.  Texts of cards that the deck lacks count as foreign."""
    shots = case.shots(count)
    own = {f"MB1{card}" for card in CARDS}
    there = sum(len(shot.labels) for shot in shots)
    for name, reader in case.readers.items():
        read = wrong = 0
        times = []
        reader(shots[0].frames)  # what is made once is made
        for shot in shots:
            start = time.process_time()
            texts = reader(shot.frames)
            times.append((time.process_time() - start) * 1000)
            read += len(texts & shot.labels.keys())
            wrong += len((texts & own) - shot.laid)
        yield Row(
            case.suite, case.case, name, there, round(100 * read / there, 1), wrong, round(float(np.mean(times)), 1)
        )


def as_json(row: Row) -> dict[str, str | int | float]:
    """Return a row as JSON takes it."""
    return asdict(row)
