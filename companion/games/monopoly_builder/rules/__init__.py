"""The rules of Monopoly Builder: turns by dice, money and chips in double entry, debts, auctions, a town of blocks."""
