"""The pages of a game that brings none, drawn from its offers, overview and view."""
