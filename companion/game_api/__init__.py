"""What a game gives to the program, as protocols and values: the plug-in API, version 2."""

API_VERSION = 2
"""The version of the plug-in API.  A game names the one that it was written for; the registry refuses any other."""
