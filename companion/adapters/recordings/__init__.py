"""Recorded evenings on disk: what the camera saw and what came of it."""
