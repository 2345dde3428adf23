"""Which of the taught faces lies under the camera, and how sure that is."""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.vision.face.alike import looks_alike
from companion.vision.face.face import Matrix
from companion.vision.face.known import KnownFaces
from companion.vision.face.laid import TURN, Laid, laid, together
from companion.vision.face.told import Told, least, told
from companion.vision.label.sighting import Picture

LOOKED_AT = 7
"""So many of the likest faces are laid upon the picture exactly."""
SURE_MARGIN, SURE_APART, SURE_LEAST, SURE_FITS = 0.72, 0.5, 0.87, 0.7
"""Below these nothing is proposed (docs/reading.md says on what they were found)."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """The likest face: its card and the next likest one's (if any), and how far they are told apart (``Told``).

    ``fits``: correlation with what is printed there; ``least``: how alike they are where they are least alike;
    ``twins``: another card was taught with nearly the same print.
    """

    card: str
    other: str | None
    fits: float
    least: float
    told: Told
    twins: bool

    @property
    def sure(self) -> bool:
        """Say whether it may be proposed: it is this card and no other, nor one that was never taught."""
        apart = self.told.margin >= SURE_MARGIN and self.told.apart >= SURE_APART
        return apart and not self.twins and self.least >= SURE_LEAST and self.fits >= SURE_FITS


def recognise(known: KnownFaces, pictures: Sequence[Picture], start: Matrix) -> Recognised | None:
    """Tell which face lies in pictures of one place, each a later one; ``None`` where none was taught.

    ``start``: how it lies about, the map from the pixels of a face to those of the picture; it may stand on its head.
    """
    if not known.faces:
        return None
    _, number, turned = known.likest(together(pictures, start))
    first = laid(known.faces[number], pictures, start @ TURN if turned else start)
    order = known.order(first.shown)[:LOOKED_AT]
    found = [first if one == number else laid(known.faces[one], pictures, first.onto) for one in order]
    best, nearest, how = _best(sorted(found, key=lambda one: -one.fits))
    other = None if nearest is None else nearest.known.card
    twins = looks_alike(known, best.known.card)
    return Recognised(best.known.card, twins[0] if twins else other, best.fits, least(best), how, bool(twins))


def _best(found: Sequence[Laid]) -> tuple[Laid, Laid | None, Told]:
    """Hold each beside the best so far; give the best, the one that is least told from it, and how far."""
    best, nearest, how = found[0], None, Told(1.0, 99.0)
    for rival in found[1:]:
        winner, loser, here = best, rival, told(best, rival)
        if here.margin < 0:
            winner, loser, here = rival, best, told(rival, best)
        if here.margin < how.margin or winner is not best:
            nearest, how = loser, here
        best = winner
    return best, nearest, how
