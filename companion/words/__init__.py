"""All text for people, in three languages: rules return ids and figures, from which sentences are made here."""

from companion.words.words import LANGUAGES, Words, choose_language, isolate

__all__ = ["LANGUAGES", "Words", "choose_language", "isolate"]
