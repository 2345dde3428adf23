"""Looking ahead at a player's money."""
