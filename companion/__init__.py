"""The companion at a real board-game table: reads the cards, keeps the rules, counts the money."""

import os

__version__ = "0.1.0"

# Our matrices are small: more threads of OpenBLAS wait for each other, and burn a second core with it.  It reads this
# once, when numpy is imported, so it is said before any module of ours can do so; who has said otherwise is heard.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
