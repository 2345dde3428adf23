"""Play a game by its offers alone and report what no game may do, a line each.

In every game each command goes the way that it goes at a table: it is offered, decided, written as JSON, read again and
folded.  Now and then everything that a position shows is compared with what it showed before and will show again.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from random import Random
from string import Formatter
from time import monotonic
from typing import Any

from companion.bootstrap import load_bundled_catalog
from companion.bootstrap.games import (
    RESERVED_VERBS,
    load_game,
    name_faults,
    part_faults,
    rules_gaps,
    translation_faults,
)
from companion.bot_games.games import CATALOG, CLOSED, MOST_COMMANDS, SELDOM, TRIES, bots_of, broken_promises, filled_in
from companion.bot_games.hidden import (
    OtherChoice,
    RandomCommands,
    appearance,
    asked_position,
    choice_leaks,
    json_fault,
    later_leaks,
    money_leaks,
    other_choice,
    verb_of_command,
)
from companion.bot_games.part_trial import PartTrial, form_faults
from companion.bot_games.trial_report import (
    ENDING,
    TrialReport,
    alike_faults,
    member_names,
    moves_cards,
    never_happened,
    never_offered,
    payment_line,
    price_of,
    raised_line,
    raw_values,
    refusal_line,
    step_faults,
)
from companion.engine.game import BANKER, SPECTATOR, Offer, Placement, Position, Refused
from companion.engine.journal import Json
from companion.engine.timeline import UnsettledError, decide_and_settle, fold
from companion.game_api.guard import (
    LONGEST,
    MistakeFaults,
    TrialError,
    WatchedRules,
    card_faults,
    stored_json,
)
from companion.game_api.manifest import LoadedGame, Manifest, make_rules
from companion.service.table.history import HISTORY_EVENTS, names_of
from companion.words import LANGUAGES, Words

COMPARED = 1.0
"""Of the first position of each phase everything that it shows is compared; of the n-th with this chance over n."""
AT = "2000-01-01T12:00:00+00:00"
"""When every entry was stored."""
TRIED = 0.3
"""Chance that in the first position of a phase hidden things are varied and impossible commands tried; then over n."""


def play_trials(
    manifest: Manifest,
    catalog: Any,
    games: int,
    seed: int,
    report: Callable[[int], object] = lambda _played: None,
    met: TrialReport | None = None,
) -> TrialReport:
    """Play games, until hardly any seems to end, and return what was noticed; game n is that of the seed plus n.

    Args:
        manifest: the game.
        catalog: its cards.
        games: how many.
        seed: of the first game; the same seed plays the same game.
        report: called with the number of games played so far.
        met: where to put it; by default a report of its own.

    """
    result = TrialReport() if met is None else met
    cards = manifest.cards()
    result.names |= member_names(cards.as_json(catalog))
    if manifest.kinds:
        ids = cards.ids(catalog)
        result.of_no_kind = tuple(card for card in ids if not any(kind.has(card) for kind in manifest.kinds))
    begun_at = monotonic()
    with MistakeFaults(result.faults) as mistakes:
        for number in range(games):
            mistakes.seed = seed + number
            play_trial(manifest, catalog, mistakes.seed, result)
            result.games += 1
            report(result.games)
            if result.is_endless(monotonic() - begun_at):
                break
    return result


def check_game(
    manifest: Manifest,
    games: int,
    seed: int,
    report: Callable[[int], object] = lambda _played: None,
    met: TrialReport | None = None,
) -> Iterator[str]:
    """Yield all faults of a game, a line each: of its names and parts, and of games that are played with its cards.

    The arguments are those of ``play_trials``.
    """
    yield from declared_faults(manifest)
    yield from played_faults(manifest, games, seed, report, met)


def declared_faults(manifest: Manifest) -> Iterator[str]:
    """Yield the faults of a game's names, parts and sentences, which are found without playing it."""
    catalog = load_bundled_catalog(manifest)
    yield from name_faults(manifest, catalog, RESERVED_VERBS, HISTORY_EVENTS)
    yield from part_faults(manifest, catalog)
    yield from card_faults(manifest, catalog, Words("en", manifest))
    yield from form_faults(manifest, catalog, Words("en", manifest))
    yield from translation_faults(manifest)


def played_faults(
    manifest: Manifest, games: int, seed: int, report: Callable[[int], object], met: TrialReport | None = None
) -> Iterator[str]:
    """Yield the faults of games that are played; none is played by rules that lack functions."""
    catalog = load_bundled_catalog(manifest)
    if any(rules_gaps(manifest, catalog)):
        return
    played = play_trials(manifest, catalog, games, seed, report, met)
    for fault, first, count in alike_faults(played.faults):
        more = f" (and {count - 1} more like it)" if count > 1 else ""
        yield f"{fault}{more}; to see it again: --seed {first} --games 1"
    ended = played.games - played.given_up
    if ended < ENDING * played.games:
        early = f", so the other {games - played.games} were not played" if played.games < games else ""
        yield f"only {ended} of {played.games} games reach an end within {MOST_COMMANDS:,} commands{early}"
    if played.is_large:
        yield from never_offered(manifest, played)
        yield from never_happened(manifest, played)


def play_trial(manifest: Manifest, catalog: Any, seed: int, report: TrialReport) -> None:
    """Play one game to its end and add what it shows to the report."""
    trial = _Trial(manifest, catalog, seed, report)
    try:
        trial.play()
    except Exception as error:  # noqa: BLE001 - whatever comes of what a game returns is its fault
        trial.note(str(error) if isinstance(error, TrialError) else raised_line(error))


class _Trial:
    """One game as it is played."""

    def __init__(self, manifest: Manifest, catalog: Any, seed: int, report: TrialReport) -> None:
        self._manifest, self._seed, self._report = manifest, seed, report
        self._lots, self._other_lots = Random(seed), Random(seed)  # noqa: S311 - lots, no secret
        catalogs = {CATALOG: catalog}
        watched: Any = WatchedRules(make_rules(manifest, catalogs))  # in place of those that swallow what they raise
        self._game: LoadedGame = replace(load_game(manifest, catalogs), rules=watched)
        languages = {language: _words(language, manifest) for language in LANGUAGES}
        self._parts = PartTrial(self._game, languages, report.taps)
        self._rules = self._game.rules
        self._entries: list[dict[str, Any]] = []
        self._choices: list[tuple[int, OtherChoice]] = []
        self._viewers: tuple[str, ...] = ()
        self._phase = "start"
        self._met = Counter[str]()

    def note(self, fault: str) -> None:
        """Add a fault to the report, with the phase in which it was noticed."""
        self._report.faults.setdefault(f"{fault} (phase {self._phase})", self._seed)

    def _note_all(self, faults: Iterable[str]) -> None:
        for fault in faults:
            self.note(fault)

    def play(self) -> None:
        """Play to the end; ``TrialError`` where it cannot go on."""
        position = self._begin()
        self._viewers = (*self._rules.players(position), BANKER, SPECTATOR)
        for _ in range(MOST_COMMANDS):
            self._note_all(step_faults(getattr(position.state, "step", None), self._game.messages.secret))
            overview = self._rules.overview(position)
            self._phase = overview.phase
            self._report.phases.add(overview.phase)
            if overview.finished:
                self._check_end(position)
                self._report.ended += 1
                return
            position = self._step(position)
        self._report.given_up += 1

    def _begin(self) -> Position[Any]:
        """Return the first position, at a table of as many players as it is the turn of, by rules that are drawn."""
        seats, bots = self._manifest.seats, bots_of(self._manifest)
        players = seats.fewest + self._seed % (seats.most - seats.fewest + 1)
        rules: Mapping[str, Any] = bots.drawn_rulebook(self._lots) if self._seed % 2 else {}
        beginning = {**bots.beginning(players, self._seed), **rules, "catalog": CATALOG}
        try:
            _, events, position = self._decided(None, beginning)
        except (Refused, ValueError) as error:
            message = f"a table of {players} cannot be begun: {' '.join(str(error).split())[:LONGEST]}"
            raise TrialError(message) from error
        self._keep_entry(BANKER, beginning, events)
        self._report.effective |= names_of(events)
        return position

    def _step(self, position: Position[Any]) -> Position[Any]:
        """Carry out a command that is offered and return the position after it."""
        offers = [offer for player in self._rules.players(position) for offer in self._rules.offers(position, player)]
        self._report.offered |= {offer.do for offer in offers}
        if not offers:
            message = "stops: nothing is offered, and the game is not over"
            raise TrialError(message)
        compared = self._is_drawn("compared", COMPARED)
        before = self._shown(position) if compared else None
        if compared:
            self._check_parts(position)
        if self._choices and self._is_drawn("later", COMPARED, self._other_lots):
            self._check_later(position)
        if self._is_drawn("tried", TRIED):
            self._try_offers(position, offers)
            self._try_hidden_money(position)
            self._try_anything(position)
            self._lay_cards(position)
        offer, command, events, after = self._accepted(position, offers)
        self._keep_entry(offer.player, command, events)
        self._check_balances(events, position, after)
        self._keep_effects(events, position, after)
        if self._game.messages.secret.intersection(names_of(events)) and self._is_drawn("secret", COMPARED):
            self._check_secrets(position, offer, (command, events, after))
        if compared:
            self._check_described(events, after)
            self._check_chance(position, command, events)
            if self._shown(position) != before:
                names = ", ".join(event["event"] for event in events)
                self.note(f"undo is not exact: {names} changes the position before it, so evolve changes a state")
        return after

    def _keep_entry(self, actor: str, command: Json, events: Sequence[Json]) -> None:
        """Store an entry as the journal of a table has it."""
        entry = {"seq": len(self._entries) + 1, "at": AT, "actor": actor, "source": "tap", "command": dict(command)}
        self._entries.append({**entry, "events": list(events), "undone": False})
        self._report.happened |= names_of(events)

    def _is_drawn(self, what: str, chance: float, lots: Random | None = None) -> bool:
        """Return whether something is done in this position; the more often its phase was met, the rarer."""
        self._met[f"{what} {self._phase}"] += 1
        return (lots or self._lots).random() < chance / self._met[f"{what} {self._phase}"]

    def _accepted(
        self, position: Position[Any], offers: Sequence[Offer]
    ) -> tuple[Offer, Json, Sequence[Json], Position[Any]]:
        """Return an offer that is taken, as a command, with its events and the position after them."""
        due = [offer for offer in offers if offer.urgency == "due"]
        command: Json = {}
        for tried in range(TRIES):
            among = due if due and (self._lots.random() >= SELDOM or len(due) == len(offers)) else offers
            offer = self._lots.choice(among)
            command = self._filled(offer, modest=2 * tried >= TRIES)
            try:
                parsed, events, after = self._decided(position, command)
            except Refused as refused:
                self._note_refusal(offer, command, refused)
                continue
            author = self._rules.author(position, parsed)
            if offer.player not in (author, BANKER):
                giver = "the banker" if author is None else author
                self.note(f"{offer.do} is offered to {offer.player}, and only {giver} may give it")
            return offer, command, events, after
        message = f"stops: none of {TRIES} commands that were offered is accepted, the last being {command}"
        raise TrialError(message)

    def _filled(self, offer: Offer, *, modest: bool) -> Json:
        try:
            return filled_in(offer, self._lots, modest=modest)
        except (IndexError, ValueError) as error:
            message = f"offers {offer.do} with nothing that a field could hold: {offer.fields}"
            raise TrialError(message[:LONGEST]) from error

    def _note_refusal(self, offer: Offer, command: Json, refused: Refused) -> None:
        """Note that a command was refused although all that an offer leaves open is promised; check its sentence."""
        self._check_refusal(refused)
        if not offer.fields or (len(offer.fields) == 1 and isinstance(offer.fields[0][1], CLOSED)):
            values = {key: value for key, value in command.items() if key not in ("do", "player")}
            self.note(refusal_line(offer.do, values, refused))

    def _try_offers(self, position: Position[Any], offers: Sequence[Offer]) -> None:
        """Note values of offers that are refused whatever else is chosen."""

        def decide(player: str, written: Json) -> None:
            command = self._game.codec.command(written)
            self._rules.decide(asked_position(self._game, position, command, player), command)

        for offer in self._lots.sample(offers, min(TRIES, len(offers))):
            with suppress(IndexError, ValueError):  # nothing to choose: noticed where the offer is taken
                for values, refused in broken_promises(offer, self._lots, partial(decide, offer.player)):
                    self.note(refusal_line(offer.do, values, refused))

    def _decided(self, position: Position[Any] | None, command: Json) -> tuple[Any, Sequence[Json], Position[Any]]:
        """Return a command as the game reads it, its events as they are stored, and the position that they fold to."""
        codec, rules = self._game.codec, self._rules
        parsed = codec.command(command)
        if codec.command(codec.command_json(parsed)) != parsed:
            self.note(f"the command {command['do']} is not the same when it is written and read again")
        try:
            events, settled = decide_and_settle(rules, position, parsed)
        except UnsettledError as error:
            raise TrialError(str(error)) from error
        stored = [stored_json(codec.event_json, event) for event in events]
        again = [self._read_again(event) for event in stored]
        for event, other in zip(events, again, strict=True):
            if event != other:
                self.note(f"{type(event).__name__} is not the same when it is stored and read again")
        folded = fold(rules, position, again)
        if folded is None:
            message = f"{command['do']} leads to no position"
            raise TrialError(message)
        if folded != settled and self._shown(folded) != self._shown(settled):
            self.note(f"the position after {command['do']} is another when its events are read again")
        return parsed, stored, folded

    def _read_again(self, event: Json) -> Any:
        try:
            return self._game.codec.event(event)
        except ValueError as error:
            message = f"{event['event']} cannot be read again: {' '.join(str(error).split())[:LONGEST]}"
            raise TrialError(message) from error

    def _shown(self, position: Position[Any]) -> Mapping[str, Mapping[str, str]]:
        """Return all that a position shows to everybody; note a view that is no JSON."""
        viewers = self._viewers or (*self._rules.players(position), BANKER, SPECTATOR)
        for viewer in viewers:
            view = self._game.view(position, viewer)
            self._report.names |= member_names(view)
            place = json_fault(view, "")
            if place is not None:
                message = f"the view of {viewer} is no JSON: {place}"
                raise TrialError(message)
        return {viewer: appearance(self._game, position, viewer) for viewer in viewers}

    def _check_balances(self, events: Sequence[Json], before: Position[Any], after: Position[Any]) -> None:
        """Note who has come to less than nothing by an event; not again while they stay there."""
        owned = dict(before.ledger.balances)
        for account, balance in after.ledger.balances:
            is_player = account.rpartition("@")[2].startswith("player:")
            if is_player and balance < min(0, owned.get(account, 0)):
                names = ", ".join(event["event"] for event in events)
                self.note(f"{account} has {balance:,} after {names}")

    def _keep_effects(self, events: Sequence[Json], before: Position[Any], after: Position[Any]) -> None:
        """Store which of these events change the state, and the first of each name that moves money."""
        names, met = names_of(events), self._report
        if before.ledger == after.ledger:
            met.unpaid |= {event["event"]: price for event in events if (price := price_of(event))}
        if names <= met.effective and (before.ledger == after.ledger or names <= met.payments.keys()):
            return
        for event in events:
            following = fold(self._rules, before, [self._read_again(event)]) or before
            if following.ledger != before.ledger:
                balances = (dict(before.ledger.balances), dict(following.ledger.balances))
                met.payments.setdefault(event["event"], payment_line(event, *balances))
            if following.state != before.state or (following.ledger != before.ledger and not moves_cards(event)):
                met.effective.add(event["event"])
            before = following

    def _check_chance(self, position: Position[Any], command: Json, events: Sequence[Json]) -> None:
        """Note a command that is answered otherwise when it is given again to the same position."""
        try:
            again: Sequence[Json] | None = self._decided(position, command)[1]
        except Refused:
            again = None
        if again != events:
            self.note(f"decide answers {command['do']} otherwise when it is asked again")

    def _check_secrets(
        self, position: Position[Any], offer: Offer, happened: tuple[Json, Sequence[Json], Position[Any]]
    ) -> None:
        def decide(command: Json) -> tuple[Sequence[Json], Position[Any]]:
            _, events, after = self._decided(position, command)
            return events, after

        choice = other_choice(self._game, position, offer, happened, decide, self._lots)
        if choice is not None:
            leaks = list(choice_leaks(self._game, choice, self._lots))
            self._note_all(leaks)
            self._choices += [] if leaks else [(len(self._entries), choice)]

    def _check_later(self, position: Position[Any]) -> None:
        """Note what tells by now of a choice that was made in secret."""
        for number, choice in self._choices:
            since = [event for entry in self._entries[number:] for event in entry["events"]]
            self._note_all(later_leaks(self._game, choice, since, self._read_again, position))

    def _try_hidden_money(self, position: Position[Any]) -> None:
        self._note_all(money_leaks(self._game, position, self._lots))

    def _try_anything(self, position: Position[Any]) -> None:
        """Try commands of every class; whatever they hold, they are decided or refused."""
        for player in self._rules.players(position):
            for command in RandomCommands(self._game, position, player, self._lots).draw(1):
                if self._rules.author(position, command) is None:
                    self._report.bankers.add(verb_of_command(command))
                try:
                    events, after = decide_and_settle(self._rules, position, command)
                    self._check_names(events, after)
                except Refused as refused:
                    self._check_refusal(refused)
                except (TrialError, UnsettledError) as error:
                    written = self._game.codec.command_json(command)
                    self.note(f"{error}; after the command {json.dumps(written)[:LONGEST]}")

    def _check_names(self, events: Sequence[Any], after: Position[Any]) -> None:
        """Note a player who was called otherwise and is not."""
        names = self._rules.overview(after).names
        for event in events:
            if type(event).__name__ == "PlayerRenamed" and names.get(event.player) != event.name:
                self.note("PlayerRenamed changes no name: changed leaves out super().changed(state, event)")

    def _lay_cards(self, position: Position[Any]) -> None:
        """Lay some cards on the tray: each means a command, a question or nothing."""
        cards = sorted(self._game.labelled(position.state))
        for card in self._lots.sample(cards, min(3, len(cards))):
            self._rules.read(position, Placement("place", f"{self._rules.label_code}1{card}", card, "tray", 1.0))

    def _check_refusal(self, refused: Refused) -> None:
        """Note places in the sentences of a refusal that it has no figures for."""
        for language in LANGUAGES:
            template = _words(language, self._manifest).template(refused.rule, "refused")
            for place in {name.removesuffix("_") for _, name, _, _ in Formatter().parse(template) if name}:
                if place not in refused.details:
                    self.note(
                        f"{language}: the sentence for the refusal {refused.rule} has {{{place}}}, which it lacks"
                    )

    def _check_described(self, events: Sequence[Json], after: Position[Any]) -> None:
        """Note sentences of what happened, and of what is to be done, that cannot be said."""
        names, cards = self._rules.overview(after).names, self._game.cards
        catalog, view = cards.as_json(cards.in_use(after.state)), self._game.view(after, SPECTATOR)
        for language in LANGUAGES:
            words = _words(language, self._manifest)
            try:
                for event in events:
                    self._note_all(raw_values(language, event, words.event(event, names, catalog)))
                words.described_moment(view, names, catalog)
            except Exception as error:  # noqa: BLE001 - whatever a game raises is what is looked for
                happened = ", ".join(event["event"] for event in events)
                self.note(f"{language}: {happened} cannot be put into words: {type(error).__name__}: {error}"[:LONGEST])

    def _check_parts(self, position: Position[Any]) -> None:
        def decide(command: Json) -> object:
            return decide_and_settle(self._rules, position, self._game.codec.command(command))

        self._note_all(self._parts.faults(position, self._viewers, self._entries))
        self._note_all(self._parts.faults_of_corrections(position, self._entries, decide))

    def _check_end(self, position: Position[Any]) -> None:
        """Check the standings, that nothing is due any more, and that a restart leads to the same position."""
        overview = self._rules.overview(position)
        ranked, players = {row.player for row in overview.standings}, set(self._rules.players(position))
        if players - ranked:
            self.note(f"the standings at the end leave out {', '.join(sorted(players - ranked))}")
        elif min((row.rank for row in overview.standings), default=1) != 1:
            self.note("nobody has rank 1 at the end")
        self._note_all(self._parts.faults_of_ending(position, self._entries))
        due = sorted({offer.do for player in players for offer in self._rules.offers(position, player)})
        if due:
            self.note(f"offers {due[0]} although the game is over")
        again: Position[Any] | None = None
        for entry in self._entries:
            again = fold(self._rules, again, [self._read_again(event) for event in entry["events"]])
        if again is None or (again != position and self._shown(again) != self._shown(position)):
            self.note("a restart leads to another position than the game")


@cache
def _words(language: str, manifest: Manifest) -> Words:
    return Words(language, manifest)
