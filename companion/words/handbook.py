"""The rules in words: chapter by chapter, each with its source and with what the companion says when it says no."""

from typing import Any

from companion.game_api.handbook import Handbook, Rule
from companion.words.words import Words


def describe_chapters(words: Words, book: Handbook) -> list[dict[str, Any]]:
    """Tell all rules, in the order of a game."""
    return [
        {
            "id": one,
            "title": chapter_title(words, one),
            "rules": [describe_rule(words, book, rule) for rule in book.rules if rule.chapter == one],
        }
        for one in book.chapters
    ]


def chapter_title(words: Words, name: str) -> str:
    """Name a chapter: a phase, or what is before, after and beside them."""
    title = words.say_in("chapter", name)
    return words.say_in("phase", name) if title == name else title


def describe_rule(words: Words, book: Handbook, rule: Rule) -> dict[str, Any]:
    """Tell one rule."""
    texts = [text.replace("-", "\u2013") for text in rule.source.texts]
    return {
        "id": rule.id,
        "chapter": chapter_title(words, rule.chapter),
        "title": words.say_in("rulebook", rule.id),
        "says": words.say_in("rulebook says", rule.id),
        "sources": ", ".join([*texts, *rule.source.rulings]),
        "refusals": [{"id": refusal, "says": _spoken(words, book, refusal)} for refusal in rule.refusals],
    }


def find_rule(words: Words, book: Handbook, name: str) -> dict[str, Any] | None:
    """Tell the rule of an id, or of a refusal."""
    rule = book.about(name)
    return None if rule is None else describe_rule(words, book, rule)


def _spoken(words: Words, book: Handbook, refusal: str) -> str:
    """Say a refusal as players might have met it."""
    return words.refusal(refusal, book.examples.of(refusal), book.examples.names, book.examples.catalog)
