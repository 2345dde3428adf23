"""Describe the rules of a game for its handbook: chapters, texts, sources and refusals."""

from typing import Any

from companion.game_api.handbook import Handbook, Rule
from companion.words.words import Words


def describe_chapters(words: Words, book: Handbook) -> list[dict[str, Any]]:
    """Return the chapters of a game's handbook in order, each with its rules."""
    return [
        {
            "id": chapter,
            "title": chapter_title(words, chapter),
            "rules": [describe_rule(words, book, rule) for rule in book.rules if rule.chapter == chapter],
        }
        for chapter in book.chapters
    ]


def chapter_title(words: Words, name: str) -> str:
    """Return the title of a chapter; most chapters are named after phases."""
    title = words.say_in("chapter", name)
    return words.say_in("phase", name) if title == name else title


def describe_rule(words: Words, book: Handbook, rule: Rule) -> dict[str, Any]:
    """Return one rule with its title, text, sources and refusals."""
    texts = [text.replace("-", "\u2013") for text in rule.source.texts]
    return {
        "id": rule.id,
        "chapter": chapter_title(words, rule.chapter),
        "title": words.say_in("rulebook", rule.id),
        "says": words.say_in("rulebook says", rule.id),
        "sources": ", ".join([*texts, *rule.source.rulings]),
        "refusals": [{"id": refusal, "says": _example(words, book, refusal)} for refusal in rule.refusals],
    }


def find_rule(words: Words, book: Handbook, name: str) -> dict[str, Any] | None:
    """Return the rule with an id, or the rule behind a refusal; ``None`` for an unknown name."""
    rule = book.about(name)
    return None if rule is None else describe_rule(words, book, rule)


def _example(words: Words, book: Handbook, refusal: str) -> str:
    """Return a refusal's sentence with example figures."""
    return words.refusal(refusal, book.examples.of(refusal), book.examples.names, book.examples.catalog)
