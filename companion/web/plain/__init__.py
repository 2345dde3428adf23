"""The plain face: pages for a game that brings none, drawn from offers, overview and what its position shows."""
