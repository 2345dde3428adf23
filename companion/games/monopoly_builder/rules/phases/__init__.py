"""Decisions on commands of play, and what follows by itself."""
