"""What is wrong with a recording.  Apart, so that whoever only tells of it does not wait for OpenCV."""


class RecordingError(Exception):
    """No recording that can be played; the message is one line that names the folder and what is wrong."""
