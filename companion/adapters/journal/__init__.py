"""The journal on SQLite, with its migrations and checksums, and in memory."""
