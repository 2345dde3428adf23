"""Bots of Men at Work: a shuffled pile, and hands that tremble more or less."""
