"""Tables of bots: boxes shuffled by a seed, games played as fast as can be, and one under a simulated camera."""
