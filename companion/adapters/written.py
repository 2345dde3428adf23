"""Files that are written whole or not at all."""

import os
from pathlib import Path


def written(path: Path, data: bytes) -> None:
    """Write beside, sync, rename, sync the folder; ``OSError``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.part")
    with beside.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
