"""Backups: one archive of all data, and the folder that keeps the latest."""
