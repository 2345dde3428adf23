"""Pictures of the table for screens."""

import cv2
import numpy as np
import numpy.typing as npt

QUALITY = 80


def to_jpeg(image: npt.NDArray[np.uint8]) -> bytes:
    """Write a picture (uint8, height x width (x 3), blue green red) as JPEG."""
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not done:
        message = f"no JPEG can be made of {image.dtype} {image.shape}"
        raise ValueError(message)
    return data.tobytes()
