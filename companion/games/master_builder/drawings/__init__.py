"""Drawings of the game for paper: its cards, and what else lies on the table."""
