"""What every game stands on: journal, ledger, auction, turn order.  Standard library only."""
