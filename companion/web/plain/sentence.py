"""The one sentence of the plain face."""

from companion.gamekit.seen import Seen


def winners(scene: Seen) -> list[str]:
    """Give everybody who shares the first rank."""
    return [place.player for place in scene.overview.standings if place.rank == 1]


def sentence(scene: Seen) -> str:
    """Give the id of the sentence that says whom the table waits for, or who has won."""
    if scene.overview.finished:
        return "{player} wins" if winners(scene) else "The game is over"
    return "Waiting for {player}" if scene.waiting else "The table waits"
