"""Follow labels from frame to frame and report when one comes to rest."""
