"""A simulated camera: renders pictures of a table with cards, dice, a mat and the faults of real cameras."""
