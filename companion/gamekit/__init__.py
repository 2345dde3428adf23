"""What a game and the house owe each other: protocols and values only, nothing that knows a game."""

KIT = 1
"""The version of this kit.  A game names the one that it was written for; the registry refuses one it does not know."""
