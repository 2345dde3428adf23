"""The box: what a catalog must hold, how files are read, how cards are shown, and the bundled board."""
