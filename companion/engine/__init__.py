"""Foundation of every game: journal, ledger, auction, turn order.  Standard library only."""
