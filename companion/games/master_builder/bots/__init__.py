"""Players who are no people: they see a position and its offers, and name one command."""
