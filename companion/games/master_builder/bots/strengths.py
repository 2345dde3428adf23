"""The three strengths by name."""

from collections.abc import Mapping

from companion.games.master_builder.bots.chancy import chancy
from companion.games.master_builder.bots.middle import middle
from companion.games.master_builder.bots.strong import strong
from companion.games.master_builder.bots.turn import Bot

STRENGTHS: Mapping[str, Bot] = {"random": chancy, "middle": middle, "strong": strong}
"""``random`` takes any offer, ``middle`` plays by rules of thumb, ``strong`` thinks every choice to the end."""
