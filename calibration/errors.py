"""Files that cannot be used: known to whoever tells people, without loading what reads pictures."""


class MatError(ValueError):
    """A mat file that cannot be used, with what is wrong, in one line."""


class ProfileError(ValueError):
    """A profile that cannot be used; the message is one line with the mend."""
