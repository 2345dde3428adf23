"""Codes of any kind, with no deck in mind."""
