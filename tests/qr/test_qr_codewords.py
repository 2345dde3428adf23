"""Codewords that are wrong or doubtful are put right, as far as the check codewords reach and no further."""

import numpy as np
import pytest
import segno

from companion.qr.spec import RESERVED_CHECKS, block_sizes, build_layout, build_mask, correct_codewords

Words = np.typing.NDArray[np.uint8]
CASES = [(2, "M"), (4, "L"), (5, "Q"), (7, "H")]


def codewords_of(version: int, level: str) -> Words:
    """Return the codewords of a symbol that another program drew."""
    drawn = segno.make_qr("HTTPS://EXAMPLE.ORG", version=version, error=level, mask=3, boost_error=False)
    rows, columns = build_layout(version).data.T
    modules = np.array([list(row) for row in drawn.matrix], np.bool_)
    bits = (modules ^ build_mask(version, 3))[rows, columns]
    return np.packbits(bits[: len(bits) // 8 * 8])


def checks_of(version: int, level: str) -> int:
    total, data = block_sizes(version, level)[0]
    return total - data


def spoilt(words: Words, places: np.typing.NDArray[np.intp], random: np.random.Generator) -> Words:
    other = words.copy()
    other[places] ^= random.integers(1, 256, len(places)).astype(np.uint8)
    return other


@pytest.mark.parametrize(("version", "level"), CASES)
def test_what_is_whole_stays_as_it_is(version: int, level: str) -> None:
    words = codewords_of(version, level)

    codewords = correct_codewords(words, np.zeros(len(words)), version, level)

    assert codewords is not None
    assert (codewords == words).all()


@pytest.mark.parametrize(("version", "level"), CASES)
def test_wrong_codewords_that_nobody_doubts_are_put_right_up_to_half_of_the_checks(version: int, level: str) -> None:
    random = np.random.default_rng(version)
    words = codewords_of(version, level)
    wrong = random.permutation(len(words))[: (checks_of(version, level) - RESERVED_CHECKS) // 2]

    codewords = correct_codewords(spoilt(words, wrong, random), np.zeros(len(words)), version, level)

    assert codewords is not None
    assert (codewords == words).all()


@pytest.mark.parametrize(("version", "level"), CASES)
def test_lost_codewords_that_are_doubted_are_put_right_twice_as_often(version: int, level: str) -> None:
    random = np.random.default_rng(version)
    words = codewords_of(version, level)
    lost = random.permutation(len(words))[: checks_of(version, level) - RESERVED_CHECKS]
    doubt = np.zeros(len(words))
    doubt[lost] = 1

    spoiled = spoilt(words, lost, random)

    codewords = correct_codewords(spoiled, doubt, version, level)
    assert codewords is not None
    assert (codewords == words).all()
    if len(block_sizes(version, level)) == 1:
        assert correct_codewords(spoiled, np.zeros(len(words)), version, level) is None


@pytest.mark.parametrize(
    ("version", "level"), [CASES[0], *(pytest.param(*case, marks=pytest.mark.nightly) for case in CASES[1:])]
)
def test_no_sense_is_made_of_nonsense(version: int, level: str) -> None:
    random = np.random.default_rng([version, 5])
    many = len(codewords_of(version, level))

    for _ in range(150):
        words = random.integers(0, 256, many).astype(np.uint8)
        assert correct_codewords(words, random.random(many), version, level) is None
