"""Tables as they are run: submitting commands, reading cards, letting people in."""
