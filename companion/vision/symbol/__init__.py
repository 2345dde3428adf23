"""QR symbols that no reader makes out: where each module lies on what is bent, and what it is where some are lost."""
