"""What people see and hear of Men at Work, as far as the plain face leaves it to the game."""
