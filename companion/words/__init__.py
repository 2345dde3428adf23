"""Everything that is said to people, in three languages.  Rules give ids and figures; sentences are made here."""

from companion.words.catalogues import LANGUAGES, chosen_language
from companion.words.speech import Words

__all__ = ["LANGUAGES", "Words", "chosen_language"]
