"""What people see and hear of Monopoly Builder, as far as the plain face leaves it to the game."""
