"""Games played by bots: single games, tournaments, and the table of the demonstration."""
