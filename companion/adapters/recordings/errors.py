"""The error of a recording, apart from what loads OpenCV."""


class RecordingError(Exception):
    """A recording cannot be played; the message is one line that names the folder and the fault."""
