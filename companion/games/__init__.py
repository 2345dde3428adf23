"""The games that the companion knows: one package a game, which do not know each other."""
