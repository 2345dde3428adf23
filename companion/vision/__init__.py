"""Sight: arrays in, values out.  Finds and reads tags, follows them, and places them in zones; no I/O, no threads."""
