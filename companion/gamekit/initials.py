"""The letters on the players' badges."""

from collections.abc import Mapping


def initials(names: Mapping[str, str]) -> dict[str, str]:
    """Give each player the first letter of the name, two letters to those who would share one."""
    first = {player: (name.strip()[:1] or "?").upper() for player, name in names.items()}
    shared = [letter for letter in first.values() if list(first.values()).count(letter) > 1]
    return {
        player: (names[player].strip()[:1].upper() + names[player].strip()[1:2].lower()) if letter in shared else letter
        for player, letter in first.items()
    }
