"""Cameras: USB, ribbon cable, IP streams, video files, folders of pictures."""
