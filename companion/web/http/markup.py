"""Sentences as markup: a page says hundreds, the same ones every time."""

from collections.abc import Mapping
from functools import lru_cache
from itertools import chain, zip_longest
from string import Formatter

from markupsafe import Markup, escape

MOST_KEPT = 8192
"""Sentences that stay taken apart: all that three languages of three games have."""


def filled(sentence: str, values: Mapping[str, object]) -> Markup:
    """Escape a sentence and put values in its ``{places}``: escaped too, markup as it is.

    As ``escape(sentence).format(**values)`` of MarkupSafe does; sentences with nothing but plain places, which are
    nearly all, are taken apart once and not every time.
    """
    texts, places = _taken_apart(sentence)
    if texts is None:
        return escape(sentence).format(**values)
    if not places:
        return texts[0]
    filled_in = [escape(values[place]) for place in places]
    # Joined as plain text, which is quicker: all of it has been escaped.
    return Markup("".join(chain.from_iterable(zip_longest(texts, filled_in, fillvalue=""))))  # noqa: S704


@lru_cache(MOST_KEPT)
def _taken_apart(sentence: str) -> tuple[tuple[Markup, ...] | None, tuple[str, ...]]:
    """Give the texts and the places behind them; no texts where a place asks for more than a value by its name."""
    parts = list(Formatter().parse(str(escape(sentence))))
    places = tuple(place for _, place, *_ in parts if place is not None)
    asks_for_more = any(spec or conversion for _, _, spec, conversion in parts) or not all(
        map(str.isidentifier, places)
    )
    if asks_for_more or len(parts) > len(places) + 1:  # a doubled brace parts a text from the next
        return None, ()
    return tuple(Markup(text) for text, *_ in parts) or (Markup(),), places  # noqa: S704 - escaped above
