"""Drawings of the game for paper and screens: cards, the ring of spaces, the foundation, money."""
