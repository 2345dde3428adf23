"""What was found when the machine and all that is kept on it were looked at."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at.  ``needed``: without it the app could not serve.  ``mend``: what to do."""

    name: str
    works: bool
    needed: bool
    message: str
    mend: str = ""

    def as_json(self) -> dict[str, object]:
        """Write it, by the names of its first version."""
        told = {"name": self.name, "works": self.works, "needed": self.needed}
        return {**told, "told": self.message, "mend": self.mend}
