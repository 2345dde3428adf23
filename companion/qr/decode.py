"""Decode a located QR symbol module by module, also on bent, blurred or damaged paper.

Three steps: fit a map from the symbol's grid to the picture, first to the finder patterns and then to all function
patterns (``_fit_layouts``); refine it with more and more of the data modules, and take blur away where modules run
into each other (``_refine_modules``); correct what is still wrong with the symbol's check codewords.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np

from companion.qr.finder_patterns import FinderPattern, correlate, locate_corner_patterns
from companion.qr.sampling import (
    BLANK_CONFIDENCE,
    GradientPicture,
    PolynomialMap,
    SampledModules,
    compute_gradients,
    expect_tones,
    fit_map,
    fit_map_to_points,
    locate_all_modules,
    locate_modules,
    sample_modules,
)
from companion.qr.sighting import F64, Corners, GreyPicture, Mask
from companion.qr.spec import (
    BASE_SIDE,
    MAX_VERSION,
    SIDE_PER_VERSION,
    TIMING,
    SymbolLayout,
    build_formats,
    build_layout,
    build_mask,
    build_symbol,
    correct_codewords,
)
from companion.qr.zxing import RIM, rectify_symbol

MIN_SIDE, MAX_SIDE = 128, 480
"""Pixels a side of the rectified symbol."""
NOISE_SIGMA = 1.0
"""Pixels of Gaussian blur against noise."""
ALIGNED = 0.99
"""Share of the function patterns seen as expected from which on the grid is certainly in place."""
MAX_FORMATS = 2
"""Formats (level and mask) that are tried, the best correlated first."""
MIN_FORMAT_CORRELATION = 0.7
MIN_AGREEMENT = 0.8
"""Share of the data bits, weighted by confidence, that correction must leave as they were seen."""

TRIED_VERSIONS = 3
"""Versions that are tried: those that agree best with the finder patterns."""
MIN_TIMING_CORRELATION, MIN_TIMING_MARGIN = 0.12, 0.08
"""Correlation of the timing patterns from which on a version is accepted, and its lead over the next version.

Both are low because little is left of timing patterns where modules run into each other.
"""
START_STIFFNESS = (1.0, 1e-2)
"""Stiffness of the first map: nearly affine, then bent as the finder patterns are."""
FUNCTION_STIFFNESS, ALIGNMENT_STIFFNESS = 1e-4, 1e-3
ALIGNMENT_WEIGHT = 3.0
"""Weight of an alignment pattern, against 1 for each of nine points of a finder pattern."""
MIN_ALIGNMENT_CORRELATION = 0.6
ALIGNMENT_OFFSETS = np.arange(-3.5, 3.6, 0.5)
"""Offsets in modules that an alignment pattern is searched at, in either direction."""
OFFSET_PENALTY = 0.03
"""Correlation that an offset of one module costs."""

KERNEL_REACH = 2
"""Modules to each side that the blur kernel covers."""
DECISION_GAINS = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0)
"""How sharply modules are decided in each step of the deconvolution."""
DECISION_STEP = 0.5
"""Share of a decision that is applied, so that neighbours do not overshoot together."""
KERNEL_DAMPING = 0.02
"""Ridge penalty of the kernel, as a share of the weights."""

FIT_ROUNDS = 2
"""Rounds of classifying modules and fitting the map in each stage at least, and steps of each fit."""
MAX_FIT_ROUNDS = 6
"""Rounds at most, while more than ``SETTLED`` of the modules change."""
SETTLED = 0.004
MIN_FUNCTION_AGREEMENT = 0.77
"""Share of the function patterns that must be seen as expected, or the symbol is given up."""
MAX_BLANK = 0.3
"""Share of blank modules from which on no correction is possible."""
BLURRED = 0.85
"""Mean confidence below which the symbol is deconvolved."""


@dataclass(frozen=True, slots=True)
class _Stage:
    """One stage of the refinement.

    ``degree`` and ``stiffness``: of the map. ``reach``: distance from function patterns, in modules, over which data
    modules lose their weight. ``decodes``: whether decoding is tried after it.
    """

    degree: int
    reach: float
    stiffness: float = 1e-4
    decodes: bool = False


STAGES = (
    _Stage(2, 2.0),
    _Stage(3, 4.0),
    _Stage(4, 6.0),
    _Stage(4, 12.0),
    _Stage(4, 50.0, decodes=True),
    _Stage(5, 50.0, 1e-5),
    _Stage(6, 50.0, 1e-5, decodes=True),
)


def decode_symbol(grey: GreyPicture, corners: Corners) -> Mask | None:
    """Return the corrected modules of the symbol with these corners, N x N, True for dark; None if it is not decoded.

    ``corners``: clockwise from the symbol's own top left; some modules of error are tolerated.
    """
    longest = max(math.dist(*ends) for ends in pairwise((*corners, corners[0])))
    side = int(np.clip(longest, MIN_SIDE, MAX_SIDE))
    flat = rectify_symbol(grey, corners, side).astype(np.float32)
    picture = compute_gradients(np.asarray(cv2.GaussianBlur(flat, (0, 0), NOISE_SIGMA), np.float32))
    patterns = locate_corner_patterns(picture, side * RIM, side)
    if patterns is None:
        return None
    for layout, grid in _fit_layouts(picture, patterns):
        modules = None
        for modules in _refine_modules(picture, layout, grid):
            symbol = _correct_symbol(layout, modules)
            if symbol is not None:
                return symbol
        if modules is not None and (modules.are_dark == layout.dark)[layout.fixed].mean() >= ALIGNED:
            return None  # the grid is in place, and too much of the symbol is lost
    return None


def _correct_symbol(layout: SymbolLayout, modules: SampledModules) -> Mask | None:
    """Return the symbol with its codewords corrected, or None if no format yields a plausible correction."""
    rows, columns = layout.data.T
    dark, confidence = modules.are_dark[rows, columns], modules.confidence[rows, columns]
    count = len(dark) // 8 * 8
    doubt = 1 - confidence[:count].reshape(-1, 8)
    for level, mask in _rank_formats(modules):
        bits = dark ^ build_mask(layout.version, mask)[rows, columns]
        seen = np.packbits(bits[:count])
        codewords = correct_codewords(seen, doubt.max(axis=1) + doubt.mean(axis=1), layout.version, level)
        if codewords is None:
            continue
        corrected = np.unpackbits(codewords).astype(np.bool_)
        if float(np.average(corrected == bits[:count], weights=confidence[:count] + 1e-6)) >= MIN_AGREEMENT:
            return build_symbol(layout.version, level, mask, corrected)
    return None


def _rank_formats(modules: SampledModules) -> Iterator[tuple[str, int]]:
    """Yield the levels and masks that agree best with both copies of the format information."""
    side = len(modules.tone)
    signed = np.where(modules.are_dark, 1.0, -1.0) * modules.confidence
    ranked = []
    for level, mask, positions, dark in build_formats():
        row, column = np.nonzero(positions)
        own_row, own_column = (np.where(index > 8, index + side - 21, index) for index in (row, column))  # noqa: PLR2004
        seen = signed[own_row, own_column]
        agreement = (seen * np.where(dark[row, column], 1, -1)).sum() / max(np.abs(seen).sum(), 1)
        ranked.append((float(agreement), level, mask))
    for correlation, level, mask in sorted(ranked, reverse=True)[:MAX_FORMATS]:
        if correlation >= MIN_FORMAT_CORRELATION:
            yield level, mask


# Layout: the version, and a first map from its grid to the picture.


def _fit_layouts(
    picture: GradientPicture, patterns: tuple[FinderPattern, FinderPattern, FinderPattern]
) -> Iterator[tuple[SymbolLayout, PolynomialMap]]:
    """Yield the likeliest layout with its map: for nearly affine maps first, then for bent ones."""
    for stiffness in START_STIFFNESS:
        candidates = []
        for version in _likely_versions(patterns):
            layout = build_layout(version)
            spanned = _span_patterns(patterns, layout.side, stiffness)
            grid = _fit_function_patterns(picture, layout, _fit_alignment_patterns(picture, layout, spanned))
            candidates.append((_correlate_timing(picture, layout, grid), layout, grid))
        candidates.sort(key=lambda candidate: -candidate[0])
        correlation, layout, grid = candidates[0]
        if correlation >= MIN_TIMING_CORRELATION and correlation - candidates[1][0] >= MIN_TIMING_MARGIN:
            yield layout, grid


def _likely_versions(patterns: tuple[FinderPattern, FinderPattern, FinderPattern]) -> list[int]:
    """Return the versions that agree best with the distances of the finder patterns and the sizes of their modules."""
    first, right, bottom = patterns
    top = np.linalg.norm(right.centre - first.centre) / (
        (np.linalg.norm(first.across) + np.linalg.norm(right.across)) / 2
    )
    left = np.linalg.norm(bottom.centre - first.centre) / (
        (np.linalg.norm(first.down) + np.linalg.norm(bottom.down)) / 2
    )
    estimate = ((top + left) / 2 + 7 - BASE_SIDE) / SIDE_PER_VERSION
    return sorted(range(1, MAX_VERSION + 1), key=lambda version: abs(version - estimate))[:TRIED_VERSIONS]


def _span_patterns(
    patterns: tuple[FinderPattern, FinderPattern, FinderPattern], side: int, stiffness: float
) -> PolynomialMap:
    """Return the map of degree 2 through three finder patterns."""
    square = np.array([(x, y) for x in (-3.5, 0, 3.5) for y in (-3.5, 0, 3.5)])
    centres = np.array([(3.5, 3.5), (side - 3.5, 3.5), (3.5, side - 3.5)])
    targets = np.concatenate([pattern.locate(square) for pattern in patterns])
    points = np.concatenate([centre + square for centre in centres]) / side * 2 - 1
    return fit_map_to_points(points, targets, np.ones(len(points)), 2, stiffness)


def _fit_alignment_patterns(picture: GradientPicture, layout: SymbolLayout, grid: PolynomialMap) -> PolynomialMap:
    """Return the map fitted to the alignment patterns that are seen near their expected places, nearest first."""
    side = layout.side
    corner = np.array([(x, y) for x in (-1.0, -0.8, 0.0) for y in (-1.0, -0.8, 0.0)])
    corners = np.concatenate([corner, corner * (-1, 1), corner * (1, -1)])
    points, targets, weights = corners, grid.apply(corners), np.ones(len(corners))
    for row, column in sorted(layout.alignment, key=sum):
        located = _locate_alignment_pattern(picture, grid, side, row, column)
        if located is None:
            continue
        points, targets = np.vstack((points, locate_modules(row, column, side))), np.vstack((targets, located))
        weights = np.append(weights, ALIGNMENT_WEIGHT)
        grid = fit_map_to_points(points, targets, weights, 2, ALIGNMENT_STIFFNESS)
    return grid


def _locate_alignment_pattern(
    picture: GradientPicture, grid: PolynomialMap, side: int, row: int, column: int
) -> F64 | None:
    """Return the pixel (1 x 2) of an alignment pattern near its expected place, or None if none is seen."""
    across, down = (values.ravel() for values in np.meshgrid(np.arange(-2, 3), np.arange(-2, 3)))
    tones = np.where(np.maximum(np.abs(across), np.abs(down)) == 1, 1.0, -1.0)
    off_x, off_y = (values.ravel() for values in np.meshgrid(ALIGNMENT_OFFSETS, ALIGNMENT_OFFSETS))
    x, y = column + off_x[:, None] + across, row + off_y[:, None] + down
    samples = picture.sample(grid.apply(locate_modules(y.ravel(), x.ravel(), side)))[0].reshape(x.shape)
    scores = correlate(samples, tones, np.ones(len(tones))) - OFFSET_PENALTY * np.hypot(off_x, off_y)
    best = int(scores.argmax())
    if scores[best] < MIN_ALIGNMENT_CORRELATION:
        return None
    return grid.apply(locate_modules(row + off_y[best], column + off_x[best], side))


def _fit_function_patterns(picture: GradientPicture, layout: SymbolLayout, grid: PolynomialMap) -> PolynomialMap:
    """Return the map fitted to all function patterns, under light that changes evenly over the symbol."""
    centres = locate_all_modules(layout.side)[layout.fixed.ravel()]
    dark = layout.dark[layout.fixed]
    slope = np.column_stack((np.ones(len(centres)), centres))
    terms = np.hstack((slope, slope * dark[:, None]))
    for _ in range(3):
        tone = picture.sample(grid.apply(centres))[0]
        light = np.linalg.lstsq(terms, tone, rcond=None)[0]
        contrast = np.zeros((layout.side,) * 2)
        contrast[layout.fixed] = -slope @ light[3:]
        tones = np.zeros((layout.side,) * 2)
        tones[layout.fixed] = terms @ light
        target = expect_tones(tones, contrast, layout.fixed.astype(np.float64))
        grid = fit_map(grid, picture, target, FUNCTION_STIFFNESS, 2)
    return grid


def _correlate_timing(picture: GradientPicture, layout: SymbolLayout, grid: PolynomialMap) -> float:
    """Return the correlation with the timing patterns; 0 where the picture is uniform."""
    timing = np.zeros((layout.side,) * 2, np.bool_)
    timing[TIMING, 8:-8] = timing[8:-8, TIMING] = True
    tone = picture.sample(grid.apply(locate_all_modules(layout.side)[timing.ravel()]))[0]
    return float(np.corrcoef(-tone, layout.dark[timing])[0, 1]) if tone.std() > 1 else 0.0


# Refinement: the map is fitted to more and more data modules, from the function patterns outwards.


def _refine_modules(picture: GradientPicture, layout: SymbolLayout, grid: PolynomialMap) -> Iterator[SampledModules]:
    """Yield the modules of a symbol, better and better, each time that decoding is worth a try."""
    distance = cv2.distanceTransform((~layout.fixed).astype(np.uint8), cv2.DIST_L2, 3).astype(np.float64)
    modules = sample_modules(picture, grid, layout.side)
    yield modules
    for stage in STAGES:
        near = np.exp(-((distance / stage.reach) ** 2))
        for turn in range(1, MAX_FIT_ROUNDS + 1):
            dark = np.where(layout.fixed, layout.dark, modules.are_dark)
            weights = np.where(layout.fixed, 1.0, near * modules.confidence)
            tones = np.where(dark, modules.dark, modules.light)
            target = expect_tones(tones, modules.light - modules.dark, weights)
            grid = fit_map(grid.raise_degree(stage.degree), picture, target, stage.stiffness, FIT_ROUNDS)
            before, modules = modules, sample_modules(picture, grid, layout.side)
            changed = np.count_nonzero(modules.are_dark != before.are_dark)
            if turn >= FIT_ROUNDS and changed <= SETTLED * modules.tone.size:
                break
        if _is_hopeless(layout, modules):
            return
        if stage.decodes:
            yield modules
            if modules.confidence.mean() < BLURRED:
                yield from _refine_deblurred(picture, layout, grid, modules)


def _is_hopeless(layout: SymbolLayout, modules: SampledModules) -> bool:
    """Return whether too little is in place, or too much is blank."""
    in_place = np.mean((modules.are_dark == layout.dark)[layout.fixed])
    blank = np.mean(modules.confidence <= BLANK_CONFIDENCE)
    return bool(in_place < MIN_FUNCTION_AGREEMENT or blank > MAX_BLANK)


def _refine_deblurred(
    picture: GradientPicture, layout: SymbolLayout, grid: PolynomialMap, modules: SampledModules
) -> Iterator[SampledModules]:
    """Yield the deblurred modules, then once more with the map fitted to the tones that they have under the blur."""
    deblurred, tones = _deblur_modules(layout, modules)
    yield deblurred
    for _ in range(FIT_ROUNDS):
        weights = np.where(layout.fixed, 1.0, deblurred.confidence)
        target = expect_tones(tones, modules.light - modules.dark, weights)
        grid = fit_map(grid, picture, target, STAGES[0].stiffness, FIT_ROUNDS)
        modules = sample_modules(picture, grid, layout.side)
        deblurred, tones = _deblur_modules(layout, modules)
    yield deblurred


def _deblur_modules(layout: SymbolLayout, modules: SampledModules) -> tuple[SampledModules, F64]:
    """Return the modules with the blur between them removed, and the tones that they have under the blur, N x N.

    Tones are modelled as the printed modules convolved with a kernel of 5 x 5 modules. In turn, the kernel is fitted
    by least squares, and each module is decided given its neighbours, softly first (soft decision feedback, as used
    against intersymbol interference).
    """
    half = np.maximum(modules.light - modules.dark, 1) / 2
    observed = np.clip((modules.tone - (modules.light + modules.dark) / 2) / half, -1.5, 1.5)
    printed_tones = np.where(layout.dark, -1.0, 1.0)
    usable = np.where(modules.confidence > BLANK_CONFIDENCE, 1.0, 0.0)  # blank patches tell nothing of the blur
    printed = np.where(layout.fixed, printed_tones, np.clip(observed, -1, 1))
    kernel = np.zeros((2 * KERNEL_REACH + 1,) * 2)
    score, bias = observed, 0.0
    for gain in DECISION_GAINS:
        kernel, bias = _fit_kernel(observed, printed, np.where(layout.fixed, 3.0, np.abs(printed)) * usable)
        residual = (observed - bias - _convolve(printed, kernel)) * usable
        power = float((kernel**2).sum())
        matched = cv2.filter2D(residual, -1, kernel[::-1, ::-1], borderType=cv2.BORDER_CONSTANT)
        score = printed + matched / max(power, 1e-6)
        decided = np.tanh(gain * score)
        printed = np.where(layout.fixed, printed_tones, (1 - DECISION_STEP) * printed + DECISION_STEP * decided)
    middle = (modules.light + modules.dark) / 2
    confidence = np.minimum(1, np.abs(score)) * np.where(usable > 0, 1.0, BLANK_CONFIDENCE)
    deblurred = replace(modules, tone=middle + half * np.clip(score, -1, 1), confidence=confidence)
    return deblurred, middle + half * (_convolve(printed, kernel) + bias)


def _convolve(printed: F64, kernel: F64) -> F64:
    """Return the modules, in a light quiet zone, convolved with a kernel."""
    wide = np.pad(printed, KERNEL_REACH, constant_values=1.0)
    return np.asarray(
        cv2.filter2D(wide, -1, kernel)[KERNEL_REACH:-KERNEL_REACH, KERNEL_REACH:-KERNEL_REACH], np.float64
    )


def _fit_kernel(observed: F64, printed: F64, weights: F64) -> tuple[F64, float]:
    """Return the kernel and the bias that explain the observed tones best (weighted ridge regression)."""
    side, width = len(observed), 2 * KERNEL_REACH + 1
    wide = np.pad(printed, KERNEL_REACH, constant_values=1.0)
    columns = [wide[y : y + side, x : x + side].ravel() for y in range(width) for x in range(width)]
    terms = np.column_stack((*columns, np.ones(side * side)))
    normal: F64 = (terms * weights.ravel()[:, None]).T @ terms
    normal += KERNEL_DAMPING * weights.sum() * np.diag([1.0] * width**2 + [0.0])
    solution = np.linalg.solve(normal + 1e-6 * np.eye(width**2 + 1), terms.T @ (weights.ravel() * observed.ravel()))
    return np.asarray(solution[:-1].reshape(width, width), np.float64), float(solution[-1])
