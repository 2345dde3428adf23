"""Bots of Monopoly Builder: three strengths that buy, bid, trade, build and mortgage by what lies there."""
