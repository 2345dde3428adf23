"""From frame to frame: what changed, what came to rest, where it lies."""
