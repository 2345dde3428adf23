"""Game after game of bots at one server, cards laid under its simulated camera, with screens that follow."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.screens.screen import Screen, ask
from companion import bootstrap
from companion.bootstrap.games import load_game
from companion.bot_games.games import bots_of
from companion.game_api.capabilities import Act
from companion.game_api.manifest import Manifest
from companion.service.table.table import Request

LANGUAGES = ("en", "fr", "de")
PLAYERS = 4
MOST_ATTEMPTS, BETWEEN_ATTEMPTS_S = 40, 0.25
AWAY_S = 1.3
"""How long a card has to be away before it counts as laid anew."""
SLOWEST_S = 30.0
"""A screen that has not heard of a command by then is a fault."""


@dataclass
class Tally:
    """Measurements since the last query: seconds from a command until a screen heard and drew it."""

    heard: list[float] = field(default_factory=list)
    drawn: list[float] = field(default_factory=list)
    games: int = 0
    tapped: int = 0
    seen: int = 0


class Session:
    """Plays at a server; ``tally`` is what has come of it so far."""

    def __init__(self, port: int, banker: str, screens: int, pause_s: float) -> None:
        """Store the server's port, the banker's token, how many screens follow, and the seconds between two acts."""
        self._port, self._banker, self._screens, self._pause_s = port, banker, screens, pause_s
        self.tally = Tally()

    async def play(self, manifest: Manifest, seed: int, until: float) -> None:
        """Play one game to its end, or until that time of the monotonic clock."""
        deck, bots = bootstrap.load_bundled_catalog(manifest), bots_of(manifest)
        opened = load_game(manifest, {"box": deck})
        start = {key: value for key, value in bots.beginning(PLAYERS, seed).items() if key != "catalog"}
        table = str((await ask(self._port, "/api/v1/tables", start, self._banker))["id"])
        twin = bootstrap.create_in_memory_table(opened)
        twin.submit(Request({**start, "catalog": "box"}, "banker", "play"))
        piles = bots.shuffled(deck, seed)
        screens = await self._screens_of(table, list(twin.overview.seats) if twin.overview else [])
        followers = [asyncio.create_task(screen.follow()) for screen in screens]
        try:
            await _all_have(screens, followers, twin.version)
            while time.monotonic() < until and twin.position is not None:
                act = bots.next_act(twin.position, piles, {}, lambda _: 0)
                if act is None:
                    break
                command = opened.codec.command_json(act.command)
                before = twin.version
                twin.submit(Request(command, "banker", "play"))
                begun = await self._carry_out(table, act, command, before)
                await _all_have(screens, followers, twin.version)
                self.tally.heard += [screen.heard[twin.version] - begun for screen in screens]
                self.tally.drawn += [screen.drawn[twin.version] - begun for screen in screens]
                await asyncio.sleep(self._pause_s)
        finally:
            for follower in followers:
                follower.cancel()
            await asyncio.gather(*followers, return_exceptions=True)
        self.tally.games += 1

    async def _screens_of(self, table: str, seats: Sequence[str]) -> list[Screen]:
        """Invite players to a phone each and let the rest be half tablets, half displays."""

        async def login(invitation: object) -> str:
            invited = await ask(self._port, f"/api/v1/tables/{table}/invitations", invitation, self._banker)
            return str((await ask(self._port, "/api/v1/logins", {"join": invited["token"]}))["token"])

        kinds = [(await login({"player": seat}), "seat") for seat in seats][: self._screens]
        onlooker = await login({"spectator": True})
        rest = self._screens - len(kinds)
        kinds += [(self._banker, "tablet")] * (rest // 2) + [(onlooker, "display")] * (rest - rest // 2)
        return [
            Screen(self._port, table, token, part, LANGUAGES[at % len(LANGUAGES)])
            for at, (token, part) in enumerate(kinds)
        ]

    async def _carry_out(self, table: str, act: Act, command: dict[str, Any], version: int) -> float:
        """Lay the cards and say yes, or tap where the camera cannot know; give when the command was sent."""
        number = await self._seen(table, act, command) if act.cards else None
        begun = time.monotonic()
        if number is None:
            self.tally.tapped += 1
            path, sent = f"/api/v1/tables/{table}/commands", {"If-Match": str(version)}
            await ask(self._port, path, command, self._banker, **sent)
        else:
            self.tally.seen += 1
            await ask(self._port, f"/api/v1/tables/{table}/proposals/{number}", {"answer": "yes"}, self._banker)
        return begun

    async def _seen(self, table: str, act: Act, command: dict[str, Any]) -> int | None:
        laid = []
        try:
            for card in act.cards:
                try:
                    await ask(self._port, f"/api/v1/tables/{table}/simulated", {"lay": card}, self._banker)
                except RuntimeError:  # a card whose name another game's bears: the simulated box has only one of them
                    return None
                laid.append(card)
            for _ in range(MOST_ATTEMPTS):
                listing = await ask(self._port, f"/api/v1/tables/{table}/proposals", token=self._banker)
                asked: Any = listing["proposals"]
                for proposal in asked:
                    if proposal["command"] == command:
                        return int(proposal["id"])
                await asyncio.sleep(BETWEEN_ATTEMPTS_S)
            return None
        finally:
            for card in laid:
                await ask(self._port, f"/api/v1/tables/{table}/simulated", {"take_away": card}, self._banker)
            if laid:
                await asyncio.sleep(AWAY_S)


async def _all_have(screens: Sequence[Screen], followers: Sequence["asyncio.Task[None]"], version: int) -> None:
    give_up = time.monotonic() + SLOWEST_S
    while not all(version in screen.drawn for screen in screens):
        for follower in followers:
            if follower.done():
                follower.result()
        if time.monotonic() > give_up:
            message = f"not every screen has version {version} after {SLOWEST_S:.0f} s"
            raise RuntimeError(message)
        await asyncio.sleep(0.005)
