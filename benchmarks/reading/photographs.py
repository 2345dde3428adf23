"""Real photographs, in two halves by the hash of their names: one was tuned on, the other tells what that is worth."""

import hashlib
import time
from pathlib import Path

from benchmarks.reading.tables import Row
from companion.adapters.pictures import decode_picture
from companion.qr.reader import read_qr_codes
from companion.qr.zxing import decode_with_zxing
from companion.vision.read import to_grey

PHOTOS = Path(__file__).parents[3] / "shared" / "photos"


def half_of(photo: Path) -> str:
    """Return the half to which a photograph belongs."""
    name = f"{photo.parent.parent.name}/{photo.parent.name}/{photo.name}"
    return "unseen" if int(hashlib.sha256(name.encode()).hexdigest(), 16) % 2 else "tuned on"


def texts_of(photo: Path) -> set[str]:
    """Return what may be read in a photograph, in either encoding; nothing where there is no code.

    Both collections hold some of the same pictures, and one tells what the other has mistaken.
    """
    texts: set[str] = set()
    for path in photo.parents[2].glob(f"zxing*/{photo.parent.name}/{photo.stem}.txt"):
        data = path.read_bytes()
        texts |= {data.decode("latin-1").strip(), data.decode("utf-8", "replace").strip()}
    return texts


def photographs() -> list[Row]:
    """Return what is read of the photographs, by half and folder; no rows when they are not here."""
    counts: dict[tuple[str, str, str], list[float]] = {}
    for photo in sorted(PHOTOS.glob("zxing*/*/*")):
        if photo.suffix == ".txt":
            continue
        grey, truth = to_grey(decode_picture(photo.read_bytes())), texts_of(photo)
        for name, reader in {"zxing-cpp": decode_with_zxing, "ours, any text": read_qr_codes}.items():
            start = time.process_time()
            texts = {seen.text.strip() for seen in reader(grey)}
            ms = (time.process_time() - start) * 1000
            for suite, case in (("photographs", half_of(photo)), ("folders", "/".join(photo.parts[-3:-1]))):
                row = counts.setdefault((suite, case, name), [0, 0, 0, 0, 0])
                for place, more in enumerate((1, bool(truth), bool(texts & truth), len(texts - truth), ms)):
                    row[place] += more
    return [
        Row(*key, int(there), round(100 * read / there, 1) if there else 0.0, int(false), round(ms / photos, 1))
        for key, (photos, there, read, false, ms) in sorted(counts.items())
    ]
