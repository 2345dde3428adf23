"""The plug-in API, version 2: protocols and values by which a game is part of the program."""

API_VERSION = 2
"""The version of the plug-in API.  A game names the one that it was written for; the registry refuses any other."""
