"""Drawings of the game for paper and screens: pieces, the 21 instructions, cards."""
