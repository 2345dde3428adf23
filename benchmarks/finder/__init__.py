"""Trains the net that finds labels: pictures drawn anew each time, weights that a seed repeats."""
