"""The companion at a real board-game table: reads the cards, keeps the rules, counts the money."""

__version__ = "0.1.0"
