"""The markup of an answer as tests compare it: however it was laid out."""

import re
from html import unescape

from werkzeug.test import TestResponse


def flat(answer: TestResponse) -> str:
    """Return markup on one line, without the white space that only lays it out."""
    spaced = re.sub(r"[ \n]+", " ", unescape(answer.get_data(as_text=True)))
    return re.sub(r"(?<=>) | (?=</?\w|>)", "", spaced)
