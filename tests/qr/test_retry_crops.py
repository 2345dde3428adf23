"""Codes that were found and could not be read are cut out, straightened and shown in other lights."""

import cv2
import numpy as np

from companion.qr.reader import read_qr_codes
from companion.qr.sighting import Corners, GreyPicture
from companion.qr.zxing import CASCADE, detect_with_zxing, retry_crops
from tests.qr.conftest import Symbol

TEXT = "HTTPS://EXAMPLE.ORG/TABLE/7"
PICTURES = 16


def spoilt(picture: GreyPicture, seed: int) -> GreyPicture:
    """Small, out of focus, pale and grainy."""
    random = np.random.default_rng([seed, 21])
    small = cv2.resize(picture, None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA).astype(np.float32)
    soft = cv2.GaussianBlur(small, (0, 0), 0.6)
    grainy = 0.2 * soft + 40 + random.normal(0, random.uniform(12, 17), soft.shape)
    return np.asarray(np.clip(grainy, 0, 255), np.uint8)


def renderings_of(picture: GreyPicture) -> tuple[set[str], list[Corners]]:
    """Return the texts of all renderings, and where codes were located and not decoded."""
    detections = [detect_with_zxing(picture, micro=True)]
    for rendering in CASCADE:
        shown = np.ascontiguousarray(rendering.render(picture))
        detections.append(detect_with_zxing(shown, rendering.binarizer, scale=rendering.scale(picture)))
    texts = {code.text for detection in detections for code in detection.decoded}
    return texts, [corners for detection in detections for corners in detection.undecoded]


def test_a_closer_look_reads_what_no_rendering_shows_and_nothing_else(symbol: Symbol) -> None:
    read, more = 0, 0
    for seed in range(PICTURES):
        # given a code in bad light
        picture, _ = symbol(TEXT, 7 * seed, version=4, module=8)
        spoiled = spoilt(picture, seed)
        texts, lost = renderings_of(spoiled)

        # when it is found, but not read
        looked = {seen.text for seen in retry_crops(spoiled, lost, ())}

        # then it is read or not, but never something else
        assert looked <= {TEXT}
        assert texts <= {TEXT}
        assert {seen.text for seen in read_qr_codes(spoiled)} >= texts | looked
        read, more = read + bool(texts), more + bool(looked - texts)
    assert more >= 2, (read, more)


def test_what_lies_where_a_code_was_read_is_not_looked_at(symbol: Symbol) -> None:
    picture, _ = symbol(TEXT, 0, version=4, module=8)
    read = detect_with_zxing(picture).decoded
    (seen,) = read

    assert retry_crops(picture, [seen.corners], read) == ()
    assert [sighting.text for sighting in retry_crops(picture, [seen.corners], ())] == [TEXT]


def test_places_too_small_for_any_code_and_empty_ones_give_nothing(symbol: Symbol) -> None:
    picture, _ = symbol(TEXT, 0, version=4, module=8)
    empty = np.full_like(picture, 120)

    assert retry_crops(picture, [((1, 1), (5, 1), (5, 5), (1, 5))], ()) == ()
    assert retry_crops(empty, [((20, 20), (90, 20), (90, 90), (20, 90))], ()) == ()


def test_where_several_codes_lie_those_in_worse_light_are_looked_for_too(symbol: Symbol) -> None:
    # given six codes, of which the lower three are pale and grainy
    texts = [f"HTTPS://EXAMPLE.ORG/TABLE/{number}" for number in range(6)]
    shown = [symbol(text, 3, version=4, module=4)[0] for text in texts]
    sheet = np.vstack((np.hstack(shown[:3]), np.hstack(shown[3:]))).astype(np.float32)
    half = len(sheet) // 2
    sheet[half:] = 0.2 * sheet[half:] + 40 + np.random.default_rng(5).normal(0, 12, sheet[half:].shape)
    uneven = np.clip(sheet, 0, 255).astype(np.uint8)
    assert {seen.text for seen in detect_with_zxing(uneven).decoded} < set(texts)

    # then those in the light do not keep the others from being looked for
    assert {seen.text for seen in read_qr_codes(uneven)} == set(texts)
