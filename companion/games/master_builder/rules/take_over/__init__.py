"""Going on with a game that was begun elsewhere: a position checked for sums and legality."""
