"""Why a request was not carried out, where the rules had no say in it."""

from typing import Literal, TypeAlias

Why: TypeAlias = Literal["full", "locked", "read_only", "failing", "torn"]
"""What is the matter with a disk, or with what lies on it."""


class Stale(Exception):  # noqa: N818 - an answer, not an error of the program
    """The sender had not seen the current version."""

    def __init__(self, version: int) -> None:
        """Say which version is current."""
        super().__init__(f"the table is at version {version}")
        self.version = version


class Forbidden(Exception):  # noqa: N818 - an answer, not an error of the program
    """The command is not the sender's to give."""


class KeyReused(Exception):  # noqa: N818 - an answer, not an error of the program
    """An idempotency key came again with another command."""


class UnknownTable(Exception):  # noqa: N818 - an answer, not an error of the program
    """No table of that id."""

    def __init__(self, table_id: str) -> None:
        """Say which id was asked for."""
        super().__init__(table_id)
        self.table_id = table_id


class UnknownProposal(Exception):  # noqa: N818 - an answer, not an error of the program
    """No such proposal waits for an answer."""


class ForeignPicture(Exception):  # noqa: N818 - an answer, not an error of the program
    """What was sent is in no format that is taken; the message says which are."""


class UnreadablePicture(Exception):  # noqa: N818 - an answer, not an error of the program
    """What was sent is a broken picture, or one too large to unfold; the message is one line."""


class UnknownAccount(Exception):  # noqa: N818 - an answer, not an error of the program
    """No account and no figure of that name is at this table."""


class TornJournal(Exception):  # noqa: N818 - told to the operator in one line
    """A stored journal cannot be folded: the message says which entry and why."""


class UnknownVersion(Exception):  # noqa: N818 - an answer, not an error of the program
    """The journal has no entry of this number."""


class Conflict(Exception):  # noqa: N818 - an answer, not an error of the program
    """Somebody else has stored the next entry, or used the key: look again, then decide anew."""


class NotStored(Exception):  # noqa: N818 - an answer, not an error of the program
    """The disk did not take it, so it has not happened."""

    def __init__(self, why: Why) -> None:
        """Say what is the matter with the disk."""
        super().__init__(f"the disk is {why.replace('_', '-')}")
        self.why: Why = why
