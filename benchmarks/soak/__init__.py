"""An evening without end: whether the program takes more and more of anything."""
