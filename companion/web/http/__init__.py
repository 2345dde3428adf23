"""What every request goes through: who asks, what was posted twice, problems, headers, streams."""
