"""Everything that is said to people, in three languages.  Rules give ids and figures; sentences are made here."""

from companion.words.words import LANGUAGES, Words, choose_language

__all__ = ["LANGUAGES", "Words", "choose_language"]
