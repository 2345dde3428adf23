"""What a camera recognises besides labels: dice, cards without labels, cards of other games."""
