"""Labels of a deck that is known: where they may lie, and which of its cards they are."""
