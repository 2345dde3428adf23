"""The fixed modules of every symbol, and the places of its codewords, against symbols that another program drew."""

import numpy as np
import pytest
import segno

from companion.qr.spec import LEVELS, block_sizes, build_layout, build_mask, build_symbol, count_side_modules

VERSIONS = (1, 2, 6, 7, 10, 12)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("mask", range(8))
def test_a_symbol_is_drawn_again_from_the_bits_that_it_bears(version: int, mask: int) -> None:
    # given a symbol
    drawn = segno.make_qr("TABLE 7", version=version, error="M", mask=mask, boost_error=False)
    modules = np.array([list(row) for row in drawn.matrix], np.bool_)

    # when its bits are taken in their order, without the mask
    rows, columns = build_layout(version).data.T
    bits = (modules ^ build_mask(version, mask))[rows, columns]

    # then they begin as that text must (alphanumeric, seven letters), and give the same symbol
    first = np.packbits(bits)[: 1 if len(block_sizes(version, "M")) > 1 else 2]
    assert first[0] == (0b0010 << 4 | 7 >> (5 if version < 10 else 7))
    assert (build_symbol(version, "M", mask, bits) == modules).all()


@pytest.mark.parametrize("version", VERSIONS)
def test_what_is_fixed_is_the_same_whatever_a_symbol_says(version: int) -> None:
    symbol = build_layout(version)
    for text, error in (("1", "L"), ("TABLE 12", "H"), ("anything", "Q")):
        if version == 1 and error != "L":
            continue
        drawn = segno.make_qr(text, version=version, error=error, boost_error=False)
        modules = np.array([list(row) for row in drawn.matrix], np.bool_)
        assert modules.shape == (count_side_modules(version),) * 2
        assert (modules == symbol.dark)[symbol.fixed].all()


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("level", LEVELS)
def test_all_codewords_of_all_blocks_fit_into_the_data_modules(version: int, level: str) -> None:
    total = sum(codewords for codewords, _ in block_sizes(version, level))

    assert 0 <= len(build_layout(version).data) - 8 * total < 8


def test_alignment_patterns_are_where_the_standard_has_them() -> None:
    assert build_layout(1).alignment == ()
    assert build_layout(2).alignment == ((18, 18),)
    assert build_layout(7).alignment == ((22, 22), (22, 38), (38, 22), (38, 38))
