"""Bots: each sees what its player may see, and takes one of that player's offers.

``dealer`` asks them in turn and turns cards from the piles; ``strengths`` names them.
"""
