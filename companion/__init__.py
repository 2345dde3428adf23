"""The companion at a real board-game table: reads the cards, keeps the rules, counts the money."""

import os

__version__ = "0.1.0"

# Our matrices are so small that several OpenBLAS threads only wait for each other and keep a second core busy.
# OpenBLAS reads this once, when numpy is imported, so it is set before any other module; an existing value stays.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
