"""Pictures of the cards of a box that is taught: taken under the camera or by a phone, kept beside what is printed.

By them bare cards are recognised later.  Every call may come from any thread.
"""

import logging
import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import Protocol, TypeAlias

import numpy as np

from companion.qr.sighting import Picture, ToJpeg
from companion.service.ports import ForeignPicture, UnreadablePicture
from companion.service.teaching.boxes import Boxes, TaughtBox, UnknownBox
from companion.vision.card_art.match import MIN_WEAKEST, find_lookalikes, recognise_card
from companion.vision.card_art.outline import TaughtCard, TaughtCards, map_to_picture, resize_card

log = logging.getLogger(__name__)

ToPicture: TypeAlias = Callable[[bytes], Picture]


class PictureFiles(Protocol):
    """Keeps pictures of cards as JPEG, each write before it returns."""

    def cards(self, box: str) -> Mapping[str, float]:
        """Return the cards of a box of which there is a picture, and when each was kept (seconds)."""
        ...

    def read(self, box: str, card: str) -> bytes | None:
        """Return a picture."""
        ...

    def write(self, box: str, card: str, jpeg: bytes) -> None:
        """Keep a picture in place of the one before."""
        ...

    def remove(self, box: str, card: str | None = None) -> None:
        """Forget a picture, or all of a box."""
        ...


class CardArtPictures:
    """The pictures of all boxes here."""

    def __init__(self, boxes: Boxes, files: PictureFiles, to_jpeg: ToJpeg, to_picture: ToPicture) -> None:
        """Store the boxes, where pictures are kept, and how JPEG is written and read."""
        self._boxes, self._files = boxes, files
        self._to_jpeg, self._to_picture = to_jpeg, to_picture
        self._lock = threading.Lock()
        self._ready: dict[str, dict[str, tuple[float, TaughtCard]]] = {}
        self._loaded: dict[str, tuple[Mapping[str, float], TaughtCards]] = {}

    def keep(self, box: str, card: str, face: Picture, *, new: bool = False) -> bool:
        """Keep a picture of a card that was cut out; ``UnknownBox``.

        ``new``: only where it is another card than the one of which the latest picture was kept; else ``False``.
        """
        taught_box = self._read_box(box, card)
        if new and self._is_latest(taught_box, face):
            return False
        self._files.write(taught_box.id, card, self._to_jpeg(face))
        return True

    def decode(self, data: bytes) -> Picture:
        """Read a picture that was sent; ``ForeignPicture``, ``UnreadablePicture``."""
        return self._to_picture(data)

    def turn(self, box: str, card: str) -> None:
        """Turn the picture of a card by half; ``UnknownBox`` where there is none."""
        kept = self.picture(box, card)
        if kept is None:
            raise UnknownBox(card)
        self._files.write(box, card, self._to_jpeg(np.ascontiguousarray(self._to_picture(kept)[::-1, ::-1])))

    def picture(self, box: str, card: str) -> bytes | None:
        """Return the picture of a card as JPEG; ``UnknownBox``."""
        return self._files.read(self._read_box(box, card).id, card)

    def forget(self, box: str, card: str) -> None:
        """Forget the picture of a card; ``UnknownBox``."""
        self._files.remove(self._read_box(box, card).id, card)

    def forget_box(self, box: str) -> None:
        """Forget all pictures of a box."""
        self._files.remove(box)

    def picture_times(self, box: TaughtBox) -> Mapping[str, float]:
        """Return the cards of which there is a picture, and when each was kept (seconds)."""
        return self._files.cards(box.id)

    def alike(self, box: TaughtBox, card: str) -> list[str]:
        """Return the cards whose art cannot be distinguished from this one's; a label on one of them can."""
        return find_lookalikes(self._of(box), card)

    def loader_for(self, game: str, catalog: str) -> Callable[[], TaughtCards] | None:
        """Return what loads the faces of the box that was kept as a catalog; ``None`` where none was taught."""
        for box in self._boxes.all():
            if box.game == game and catalog in (box.catalog, *box.earlier) and self._files.cards(box.id):
                return partial(self._of, box)
        return None

    def _of(self, box: TaughtBox) -> TaughtCards:
        with self._lock:
            kept = dict(self._files.cards(box.id))
            if box.id not in self._loaded or self._loaded[box.id][0] != kept:
                before = self._ready.get(box.id, {})
                now = {card: before.get(card) for card in kept}
                ready = {
                    card: taught
                    if taught is not None and taught[0] == kept[card]
                    else self._made(box.id, card, kept[card])
                    for card, taught in now.items()
                }
                self._ready[box.id] = {card: taught for card, taught in ready.items() if taught is not None}
                self._loaded[box.id] = (kept, TaughtCards(taught for _, taught in self._ready[box.id].values()))
            return self._loaded[box.id][1]

    def _made(self, box: str, card: str, at: float) -> tuple[float, TaughtCard] | None:
        jpeg = self._files.read(box, card)
        try:
            return None if jpeg is None else (at, TaughtCard.of(card, resize_card(self._to_picture(jpeg))))
        except (ForeignPicture, UnreadablePicture) as fault:
            log.warning("box %s: the picture of %s cannot be read (%s); it is as if not taught", box, card, fault)
            return None

    def _read_box(self, box: str, card: str) -> TaughtBox:
        taught_box = self._boxes.get(box)
        self._boxes.require_card(taught_box, card)
        return taught_box

    def _is_latest(self, box: TaughtBox, face: Picture) -> bool:
        kept = self._files.cards(box.id)
        before = self._files.read(box.id, max(kept, key=lambda card: kept[card])) if kept else None
        if before is None:
            return False
        taught = TaughtCards({"before": resize_card(self._to_picture(before))})
        same = recognise_card(taught, [face], map_to_picture(face))
        return same is not None and same.weakest >= MIN_WEAKEST
