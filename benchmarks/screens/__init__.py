"""Fifty screens that follow one table."""
