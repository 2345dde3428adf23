"""Real photographs: no fewer codes than the first reader alone, and none where there are none."""

import contextlib
from pathlib import Path

import pytest
import zxingcpp

from companion.adapters.pictures import decode_picture
from companion.vision.read import read_codes, to_grey

pytestmark = pytest.mark.photos


def true_texts(photo: Path) -> set[str]:
    """Return what may be read; both sets hold some of the same pictures, and one tells what the other has mistaken."""
    texts: set[str] = set()
    for path in photo.parents[2].glob(f"zxing*/{photo.parent.name}/{photo.stem}.txt"):
        data = path.read_bytes()
        texts.add(data.decode("latin-1").strip())
        with contextlib.suppress(UnicodeDecodeError):
            texts.add(data.decode("utf-8").strip())
    return texts


@pytest.mark.nightly
def test_no_photograph_is_read_worse_than_by_zxing_alone(photos: Path) -> None:
    ours = theirs = 0
    worse = []
    for photo in sorted(photos.glob("zxing*/qrcode-*/*")):
        if photo.suffix == ".txt":
            continue
        picture = decode_picture(photo.read_bytes())
        truth = true_texts(photo)
        alone = zxingcpp.read_barcodes(
            picture,
            formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode),
            text_mode=zxingcpp.TextMode.Plain,
        )
        they = any(code.text.strip() in truth for code in alone)
        seen = read_codes(to_grey(picture))
        we = any(sighting.text.strip() in truth for sighting in seen)
        theirs, ours = theirs + they, ours + we
        if (they and not we) or len(seen) < len(alone) or (seen and not we):
            worse.append(photo.name)

    assert worse == []
    assert ours >= theirs + 9


@pytest.mark.nightly
def test_nothing_is_read_where_there_is_no_code(photos: Path) -> None:
    false_readings = {
        photo.name: texts
        for photo in sorted(photos.glob("zxing-cpp/falsepositives-*/*"))
        if (texts := [seen.text for seen in read_codes(to_grey(decode_picture(photo.read_bytes())))])
    }

    assert false_readings == {}
