"""The rules: commands become events, events make positions.  Pure."""
