"""Teaching: an owner's box is typed in card by card, on any device, and becomes a catalog."""
