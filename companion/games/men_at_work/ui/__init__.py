"""The texts of Men at Work that its field types alone do not give."""
