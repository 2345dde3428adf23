"""Printed sheets as a scanner sees them."""

from pathlib import Path

import numpy as np
import pypdfium2 as pdfium


def scanned(pdf: Path, dots: int = 300) -> list[np.ndarray]:
    """The sheets in grey, ``dots`` an inch."""
    document = pdfium.PdfDocument(pdf)
    sheets = [page.render(scale=dots / 72, grayscale=True).to_numpy().squeeze() for page in document]
    document.close()
    return [np.ascontiguousarray(sheet) for sheet in sheets]
