"""Games played by bots: shuffled boxes, tournaments, and the table of the demonstration."""
