"""What a cheap camera adds: a lens that bends lines, processing of its own, rows read while lamps flicker."""

import cv2
import numpy as np
import numpy.typing as npt

from companion.adapters.cameras.card_art import Colours
from companion.adapters.cameras.nuisances import Nuisances

Floats = npt.NDArray[np.float64]


class Webcam:
    """One camera's own ways, drawn by a seed.  Not thread-safe: one scene owns it."""

    def __init__(self, width: int, height: int, seed: int, nuisances: Nuisances) -> None:
        random = np.random.default_rng([seed, 9])
        self._random = random
        self._size = (width, height)
        bends, sharp, soft, blocks = random.uniform((0.02, 0.6, 0.4, 50), (0.15, 1.8, 0.8, 70))
        self.bends = float(bends) if "lens" in nuisances else 0.0
        """How much nearer to the middle the corners are seen than the middle's scale says, as a share."""
        self._sharp, self._soft = (float(sharp), float(soft)) if "sharpening" in nuisances else (0.0, 0.0)
        self._blocks = int(blocks) if "blocks" in nuisances else None
        self._flickers = "flicker" in nuisances
        self._maps = self._bent() if self.bends else None

    def through_lens(self, picture: Colours) -> Colours:
        """Return the picture as the lens bends it; its corners stay where they are."""
        if self._maps is None:
            return picture
        return np.asarray(cv2.remap(picture, *self._maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)

    def pixel_of(self, x: float, y: float) -> tuple[float, float]:
        """Return where the lens shows what would be seen at a pixel without it."""
        middle, half = np.array(self._size) / 2, np.hypot(*self._size) / 2
        off = (np.array([x, y]) - middle) / half
        shown = off * (1 - self.bends * float(off @ off)) / (1 - self.bends)
        right, down = shown * half + middle
        return float(right), float(down)

    def processed(self, picture: Colours) -> Colours:
        """Return what the camera makes of a picture that it has taken."""
        shown = self._flickering(picture) if self._flickers else picture
        if self._sharp:
            smooth = cv2.GaussianBlur(shown, (0, 0), self._soft)
            shown = np.asarray(
                cv2.addWeighted(smooth, 1 + self._sharp, cv2.GaussianBlur(smooth, (0, 0), 1.2), -self._sharp, 0),
                np.uint8,
            )
        if self._blocks is not None:
            _, data = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, self._blocks])
            shown = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
        return shown

    def _flickering(self, picture: Colours) -> Colours:
        """Return a picture whose rows were read while lamps flickered, and whose exposure was set anew."""
        rows = np.arange(self._size[1], dtype=np.float32)
        wave = self._random.uniform(0.03, 0.15) * np.sin(
            rows / self._random.uniform(60, 200) + self._random.uniform(0, 6)
        )
        gain = (self._random.uniform(0.75, 1.15) * (1 + wave)).astype(np.float32)
        return np.asarray(np.clip(picture * gain[:, None, None], 0, 255), np.uint8)

    def _bent(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        width, height = self._size
        half = np.hypot(width, height) / 2
        x, y = np.meshgrid((np.arange(width) + 0.5 - width / 2) / half, (np.arange(height) + 0.5 - height / 2) / half)
        shown = np.hypot(x, y)
        straight = shown.copy()
        for _ in range(12):
            straight = shown * (1 - self.bends) / (1 - self.bends * straight**2)
        scale = np.where(shown > 0, straight / np.maximum(shown, 1e-9), 1 - self.bends)
        across, down = (own * scale * half + size / 2 - 0.5 for own, size in ((x, width), (y, height)))
        return across.astype(np.float32), down.astype(np.float32)
