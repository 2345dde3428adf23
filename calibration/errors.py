"""Errors of mats and camera profiles, apart from what loads OpenCV."""


class MatError(ValueError):
    """Raised for a mat file that cannot be used; the message is one line."""


class ProfileError(ValueError):
    """Raised for a profile that cannot be used; the message is one line and says what to do."""
