"""Detectors of things without labels of the deck: dice, cards without labels, cards of other games."""
