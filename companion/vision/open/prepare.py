"""What is done once before pictures are read: patterns are drawn for a deck, and OpenCV is kept to one core."""

from functools import cache

import cv2
import numpy as np

from companion.vision.deck.nets import CLOSER, FINDER
from companion.vision.label.deck_grids import grids_of
from companion.vision.label.soft_pattern import soft_pattern
from companion.vision.label.tag import Deck
from companion.vision.open.read import FIRST_PRINT_RUN


def prepare(deck: Deck) -> None:
    """Draw the deck's symbols and the patterns that all labels share; nothing the second time."""
    grids_of(deck, frozenset({FIRST_PRINT_RUN}))
    FINDER.load()
    CLOSER.load()
    soft_pattern(np.eye(2)[None])


def keep_to_one_core() -> None:
    """Let OpenCV work in the thread that calls it, in this whole process: the table's other work needs the other cores.

    Its pieces are so small here that more threads gain nothing.
    """
    cv2.setNumThreads(1)
    _keep_memory()


@cache
def _keep_memory() -> None:
    """Let the C library keep what a picture took for the next one: asking the system for it anew takes a tenth longer.

    It does so up to twice the largest piece that it was given back (glibc, mallopt: the dynamic mmap threshold).
    """
    np.empty(_LARGEST_PIECE, np.uint8)


_LARGEST_PIECE = 30 << 20
"""Bytes: larger ones are never kept."""
