"""Show the positions of a game on trial by the parts that describe them, as pages do, and report what is wrong."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

from companion.bot_games.games import filled_in
from companion.engine.game import BANKER, SPECTATOR, Position, Refused
from companion.engine.ledger import player_account
from companion.game_api.boards import fits_offer, places_of
from companion.game_api.guard import own_place
from companion.game_api.manifest import LoadedGame, Manifest
from companion.game_api.messages import field_types, verb_of
from companion.game_api.stage import (
    CorrectableFigure,
    Ending,
    GlossaryTerm,
    RoundWorth,
    Stage,
    TakeOverForm,
    stage_faults,
    type_faults,
)
from companion.game_api.ui import Language, TableView, TextContext
from companion.service.table.history import names_of, offer_json, open_to, shown_to

MOST_VALUES = 12
"""Maximum number of offers of a viewer, and of values of a figure, that are tried."""


class PartTrial:
    """The describing parts of one game as it is played."""

    def __init__(self, game: LoadedGame, languages: Mapping[str, Language], taps: dict[str, bool]) -> None:
        """Store the game, the words of each language, and by kind of tap whether such a command was offered."""
        self._game, self._languages, self._taps = game, languages, taps
        self._lots = Random(1)  # noqa: S311 - lots, no secret
        self._stage, self._drawings, self._flights, self._offer_texts = (
            game.part(name) for name in ("stage", "drawings", "flights", "offer_texts")
        )
        self._ui = None if game.manifest.ui is None else game.manifest.ui()
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
        scene = self._scene(position, SPECTATOR, BANKER, entries)
        for language, words in self._languages.items():
            yield from self._faults_of_scene(replace(scene, words=words), language)
        for viewer in viewers[:-1]:
            scene = self._scene(position, viewer, viewer, entries)
            yield from self._faults_of_scene(scene, "en")
            self._describe(scene)
            self._describe_offers(scene)
            if viewer != BANKER:
                self._ask(position, viewer)
                self._draw_deals(scene, position, viewer)

    def faults_of_corrections(
        self,
        position: Position[Any],
        entries: Sequence[dict[str, Any]],
        decide: Callable[[Mapping[str, Any]], object],
    ) -> Iterator[str]:
        """Yield the first value of each figure that the banker may choose and the rules refuse.

        Args:
            position: the position.
            entries: the journal until then.
            decide: decides a command; raises ``Refused``.

        """
        part = self._game.part("corrections")
        for figure in () if part is None else part.figures(self._scene(position, BANKER, BANKER, entries)):
            wrong = [*type_faults(figure, CorrectableFigure, "a figure of corrections")]
            yield from wrong
            commands = () if wrong else [choice.command for choice in figure.choices[:MOST_VALUES]]
            for command in (command for command in commands if command is not None):
                try:
                    decide(self._with_reason(command))
                except Refused as refused:
                    yield f"corrections has the value {dict(command)} of {figure.key}, which is refused: {refused}"
                    break

    def faults_of_ending(self, position: Position[Any], entries: Sequence[dict[str, Any]]) -> Iterator[str]:
        """Yield what is wrong with the story of a game that is over."""
        story, scores = self._game.part("story"), self._game.can.scores
        if story is None:
            return
        rows = () if scores is None else scores(position, BANKER)
        worth = {row.player: row.figures[0][1] for row in rows if row.figures}
        worths = [RoundWorth(number, worth) for number in (0, 1) if worth]
        events = [event for entry in entries for event in entry["events"]]
        ending = story.ending(self._scene(position, SPECTATOR, SPECTATOR, entries), events, worths)
        if ending is not None:
            yield from type_faults(ending, Ending, "the ending of its story")

    def _with_reason(self, command: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a command as it is given from the sheet of a figure, which asks for a reason."""
        kind = self._game.messages.command(str(command.get("do")))
        fields = () if kind is None else field_types(kind).values()
        return {**command, "reason": "why"} if any(field.name == "reason" for field in fields) else command

    # What the other parts raise is logged by whoever loads them, and so told.

    def _describe(self, scene: TableView) -> None:
        """Let figures be worded, the position and what has just happened be drawn."""
        for values in (scene.position, *scene.players.values()):
            for name, value in values.items():
                scene.words.described_figure(name, value, scene.names, scene.catalog)
        if self._drawings is not None:
            self._drawings.pictures(scene)
        for event in scene.entries[-1]["events"]:
            if self._flights is not None and not self._game.messages.is_held_back(event):
                self._flights.flights(event, scene.words)

    def _describe_offers(self, scene: TableView) -> None:
        """Let some of what is offered be worded, and its choices and deals be drawn."""
        telling = TextContext(
            words=scene.words,
            card=lambda card: scene.words.card(card, scene.catalog),
            person=lambda player: scene.names.get(player, player),
            catalog=scene.catalog,
        )
        texts, stage = self._offer_texts, self._stage
        if texts is not None and scene.turn is not None and not scene.overview.finished:
            texts.not_yet(scene.position, scene.turn, telling)
        for offer in scene.offers[:MOST_VALUES]:
            if texts is not None:
                texts.offer(offer, scene.position, telling)
            alone = replace(scene, offers=tuple(scene.offers_of(offer["do"])))
            for name, field in offer["fields"].items():
                if stage is not None and field["kind"] in ("one_of", "some_of", "bag"):
                    stage.choices(alone, name, list(field.get("values", field.get("kinds"))))

    def _draw_deals(self, scene: TableView, position: Position[Any], player: str) -> None:
        """Let what a player may ask of another one be drawn."""
        consent, stage = self._game.can.consent, self._stage
        if stage is None or consent is None:
            return
        for offer in self._game.rules.offers(position, player)[:MOST_VALUES]:
            with suppress(Refused, IndexError, ValueError):  # nothing to choose: noticed where the offer is taken
                written = filled_in(offer, self._lots)
                if consent(self._game.codec.command(written)) not in (None, player):
                    stage.deal(scene, written)

    def _ask(self, position: Position[Any], player: str) -> None:
        """Ask what a player may know of the figures: forecasts, advice, and how money came about."""
        can, account = self._game.can, player_account(player)
        with suppress(Refused):
            if can.explainer is not None and can.explainer.has(position, account):
                can.explainer.figure(position, account)
                for part in can.explainer.parts(position, account):
                    can.explainer.source(part.rule)
            if can.forecast is not None:
                can.forecast(position, player, player, None, None)
            offered = {offer.do for offer in self._game.rules.offers(position, player)}
            if can.advice is not None and can.advice.verb in offered:
                can.advice.suggest(position, player)

    def _scene(self, position: Position[Any], viewer: str, actor: str, entries: Sequence[dict[str, Any]]) -> TableView:
        """Return what a viewer sees of a position and its journal, with the offers of whoever holds the screen.

        A game with pages of its own makes its scene of that.
        """
        game = self._game
        seen = TableView(
            table="trial",
            version=len(entries),
            position=game.view(position, viewer),
            overview=game.rules.overview(position),
            offers=tuple(offer_json(offer) for offer in open_to(game.rules, position, actor)),
            catalog=game.cards.as_json(game.cards.in_use(position.state)),
            words=self._languages["en"],
            entries=tuple(self._journal(entries, viewer)),
        )
        scene: TableView = seen if self._ui is None else self._ui.scene(seen)
        return scene

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


def form_faults(manifest: Manifest, deck: Any, words: Language) -> Iterator[str]:
    """Yield why the page of a game under way, or that of its words, cannot be shown.

    Args:
        manifest: the game.
        deck: its first bundled catalog.
        words: the language that is shown.

    """
    try:
        forms = None if manifest.take_over is None else manifest.take_over()
        form = None if forms is None else forms.form(words, manifest.cards().as_json(deck), manifest.seats.colours)
        yield from () if form is None else type_faults(form, TakeOverForm, "the form of its take_over")
    except Exception as error:  # noqa: BLE001 - a game from elsewhere may fail in any way
        yield f"its take_over has no form: {type(error).__name__}: {error}{own_place(error)}"
    try:
        glossary = None if manifest.glossary is None else manifest.glossary()
        for terms in () if glossary is None else glossary.groups(words).values():
            for term in terms:
                yield from type_faults(term, GlossaryTerm, "a term of its glossary")
    except Exception as error:  # noqa: BLE001 - as above
        yield f"its glossary has no groups: {type(error).__name__}: {error}{own_place(error)}"
