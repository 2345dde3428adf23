"""Cameras: the simulated one, USB, video files, folders of pictures."""
