"""What a game gives to the program, as protocols and values: the plug-in API, version 2."""

KIT = 1
"""The version of this kit.  A game names the one that it was written for; the registry refuses one it does not know."""
