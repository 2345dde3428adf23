"""The texts of Monopoly Builder that its field types alone do not give."""
