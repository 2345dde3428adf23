"""What the banker puts right: money, cards, names, and whose turn it is."""
