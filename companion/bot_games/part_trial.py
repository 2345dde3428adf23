"""Show the positions of a game on trial by the parts that describe them, as pages do, and report what is wrong."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.engine.game import BANKER, SPECTATOR, Position
from companion.game_api.boards import fits_offer, places_of
from companion.game_api.manifest import LoadedGame
from companion.game_api.messages import verb_of
from companion.game_api.stage import Stage, stage_faults, type_faults
from companion.game_api.ui import Language, TableView
from companion.service.table.history import names_of, offer_json, open_to, shown_to


class PartTrial:
    """The describing parts of one game as it is played."""

    def __init__(self, game: LoadedGame, languages: Mapping[str, Language], taps: dict[str, bool]) -> None:
        """Store the game, the words of each language, and by kind of tap whether such a command was offered."""
        self._game, self._languages, self._taps = game, languages, taps
        self._stage = game.part("stage")
        self._verbs = frozenset(verb_of(kind) for kind in game.messages.commands)

    def faults(
        self, position: Position[Any], viewers: Sequence[str], entries: Sequence[dict[str, Any]]
    ) -> Iterator[str]:
        """Yield what is wrong with what pages show of a position.

        Which taps are offered is stored.

        Args:
            position: the position.
            viewers: the players and the banker, last everybody.
            entries: the journal until then.

        """
        if self._stage is None:
            return
        scene = self._scene(position, SPECTATOR, BANKER, entries)
        for language, words in self._languages.items():
            yield from self._faults_of_scene(replace(scene, words=words), language)
        for viewer in viewers[:-1]:
            yield from self._faults_of_scene(self._scene(position, viewer, viewer, entries), "en")

    def _scene(self, position: Position[Any], viewer: str, actor: str, entries: Sequence[dict[str, Any]]) -> TableView:
        """Return what a viewer sees of a position and its journal, with the offers of whoever holds the screen."""
        game = self._game
        return TableView(
            table="trial",
            version=len(entries),
            position=game.view(position, viewer),
            overview=game.rules.overview(position),
            offers=tuple(offer_json(offer) for offer in open_to(game.rules, position, actor)),
            catalog=game.cards.as_json(game.cards.in_use(position.state)),
            words=self._languages["en"],
            entries=tuple(self._journal(entries, viewer)),
        )

    def _journal(self, entries: Sequence[dict[str, Any]], viewer: str) -> list[dict[str, Any]]:
        """Return the entries as a viewer may see them now."""
        messages, later, shown = self._game.messages, frozenset[str](), list[dict[str, Any]]()
        for entry in reversed(entries):
            names = names_of(entry["events"])
            later |= names
            secret = messages.still_secret(messages.secret & names, later)
            shown.append(shown_to(self._game, viewer, entry, secret) if secret else entry)
        return shown[::-1]

    def _faults_of_scene(self, scene: TableView, language: str) -> Iterator[str]:
        """Yield what is wrong with a scene as a viewer sees it; nothing more where it cannot be drawn at all."""
        stage = None if self._stage is None else self._stage.stage(scene)
        if stage is None:
            return
        wrong = [*type_faults(stage, Stage, "stage")]
        yield from wrong
        if wrong:
            return
        yield from (f"{language}: {fault}" for fault in stage_faults(stage, scene.overview.seats, self._verbs))
        for command in (place.command for surface in stage.surfaces for place in places_of(surface)):
            if command is not None:
                tap = ", ".join((str(command.get("do")), *sorted({*command} - {"do"})))
                fits = any(fits_offer(command, offer) for offer in scene.offers)
                self._taps[tap] = fits or self._taps.get(tap, False)
