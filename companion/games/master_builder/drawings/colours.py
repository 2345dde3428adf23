"""The colours of workers, quirks and cards on paper; on screens they stand in ``static/tokens.css``."""

WORKERS = {"A": "#37702b", "T": "#67418c", "F": "#b23a26", "MC": "#eac24e"}
ON_WORKERS = {"A": "#ffffff", "T": "#ffffff", "F": "#ffffff", "MC": "#2a231b"}
RANKS = {"A": 1, "T": 2, "F": 3, "MC": 4}
"""Notches beside the letters: who does not see the colour counts them."""
TINT = {"A": "#e3efdf", "T": "#ece4f3", "F": "#f7e3df", "MC": "#fbf1d2"}
SECOND = "#5d5348"
"""Words of less weight."""
PAPER = "#fbf8f1"
BACKS = {"contracts": "#8a4b2d", "workers": "#2f4f5f", "events": "#7a2f3d", "economy": "#5c5a2a"}
