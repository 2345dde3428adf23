"""Dice at rest, read by their pips."""
