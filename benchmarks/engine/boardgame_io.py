"""boardgame.io playing the same auction: installed by npm into a passing folder, run by node."""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PEER = Path(__file__).parent / "peer"
RUNS = 25
"""Games, so that the compiler of node has long done what it can."""
VERBS = {"open_auction": "openAuction", "bid": "bid", "pass": "pass"}


class PeerMissing(Exception):  # noqa: N818 - no error: the benchmark goes on without it
    """No node, no npm, or nothing could be installed; the message is one line."""


@dataclass(frozen=True)
class Measured:
    """Seconds a move: through the client alone, and through the server's master; cash and sales at the end."""

    node: str
    client: float
    master: float
    cash: list[int]
    sold: int


def measured(commands: Sequence[dict[str, Any]]) -> Measured:
    """Install and run; ``PeerMissing``."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise PeerMissing("boardgame.io is left out: no node and npm here")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "peer"
        shutil.copytree(PEER, folder)
        installed = subprocess.run(
            [npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        if installed.returncode:
            raise PeerMissing(f"boardgame.io is left out: npm ci ended with {installed.returncode}")
        process = subprocess.run(
            [node, "measure.cjs", str(RUNS)],
            cwd=folder,
            input=json.dumps([{**command, "do": VERBS[command["do"]]} for command in commands]),
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "NODE_ENV": "production"},
        )
    answer = json.loads(process.stdout)
    end = answer["end"]
    if end["client"] != end["master"]:
        message = f"the client and the master ended differently: {end}"
        raise ValueError(message)
    return Measured(answer["node"], answer["client"] / 1e6, answer["master"] / 1e6, **end["client"])
