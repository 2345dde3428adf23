"""Recordings: the frames of a camera on disk, with the placements that were read from them."""
