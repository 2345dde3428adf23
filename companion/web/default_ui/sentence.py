"""The sentence of the default pages: whom the table waits for, or who has won."""

from companion.game_api.ui import TableView


def winners(scene: TableView) -> list[str]:
    """Return everybody who shares the first rank."""
    return [place.player for place in scene.overview.standings if place.rank == 1]


def sentence(scene: TableView) -> str:
    """Return the id of the sentence that names who has to act, or who has won."""
    if scene.overview.finished:
        return "{player} wins" if winners(scene) else "The game is over"
    return "Waiting for {player}" if scene.waiting else "The table waits"
