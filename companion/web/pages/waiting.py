"""The one sentence that says what the table waits for, and each player's standing in a word or two."""

from collections.abc import Mapping
from typing import Any

from companion.web.pages.scene import Scene


def expectation(scene: Scene) -> tuple[str, dict[str, Any]]:
    """Give the sentence's id and its values apart from ``player``, who is drawn with a badge."""
    expects, words, at = set(scene.position["expects"]), scene.words, scene.position
    if scene.phase == "finished":
        return "{player} wins with {worth}", {"worth": words.money(winner(scene)["worth"])}
    if "turn_economy" in expects:
        return "{player} turns up an economic situation", {}
    if "reveal_contracts" in expects:
        return "{player} lays out contracts: {count} to go", {"count": at.get("reveal_due", 1)}
    if "turn_event" in expects:
        return "{player} turns up an event", {}
    if "bid" in expects:
        return "Waiting for {player}: bid at least {least}, or pass", {"least": words.money(least_bid(scene))}
    if "open_auction" in expects:
        free = "pass" in expects
        return "Waiting for {player}: choose a contract, or pass" if free else "{player} must choose a contract", {}
    if "hire_worker" in expects:
        free = "pass" in expects
        return "Waiting for {player}: hire, fire or pass" if free else "Waiting for {player}: hire a worker", {}
    if "choose_workers" in expects:
        return "Waiting for {player}: choose the workers it hits", {}
    if "choose_sections" in expects:
        return "Waiting for {player}: choose what comes down", {}
    if "plan" in expects:
        return "{player} plans in secret" if scene.turn else "Waiting for the plans of {player}", {}
    if "borrow" in expects:
        paying = scene.phase == "income"
        wages, contract = "Waiting for {player}: choose a loan to pay the wages", "{player} takes a loan for a contract"
        return wages if paying else contract, {}
    return "Waiting for {player}", {}


def least_bid(scene: Scene) -> int:
    """Say the lowest bid that beats the leader's."""
    auction = scene.position.get("auction") or {}
    return int(auction.get("bid", 0)) + 1000


def winner(scene: Scene) -> Mapping[str, Any]:
    """Give the first line of the final standings."""
    first: Mapping[str, Any] = scene.position["standings"][0]
    return first


def winners(scene: Scene) -> list[str]:
    """Give everybody who shares the first rank."""
    return [line["player"] for line in scene.position["standings"] or () if line["rank"] == 1]


def standing(scene: Scene, player: str) -> tuple[str, str]:
    """Give a player's state (``now``, ``passed``, ``locked``, ``leads`` or nothing) and the words for it."""
    of_phase = {"hire": _hiring, "contracts": _bidding, "build": _planning}.get(scene.phase)
    found = of_phase(scene, player) if of_phase else None
    if found is not None:
        return found
    now = "now" if player in scene.waiting else ""
    if scene.phase == "finished":
        return ("now", scene.words.say("wins")) if player in winners(scene) else ("", "")
    if now:
        return now, scene.words.say("to act now")
    if player == scene.position["start_player"]:
        return "", scene.words.say("starts this round")
    return "", ""


def _hiring(scene: Scene, player: str) -> tuple[str, str] | None:
    hire = scene.position.get("hire") or {}
    if player in scene.waiting:
        return "now", scene.words.say("to act now")
    if player in (hire.get("rested") or hire.get("passed") or ()):
        return "passed", scene.words.say("passed")
    return None


def _bidding(scene: Scene, player: str) -> tuple[str, str] | None:
    auction, words = scene.position.get("auction"), scene.words
    if not auction:
        return ("passed", words.say("chooses no more")) if player in scene.position.get("declined", ()) else None
    if player in scene.waiting:
        return "now", words.say("to bid now")
    if player == auction["leader"]:
        return "leads", words.say("leads with {bid}", bid=words.money(auction["bid"]))
    return (
        ("", words.say("still in")) if player in auction["still_in"] else ("passed", words.say("out of this auction"))
    )


def _planning(scene: Scene, player: str) -> tuple[str, str]:
    if player in scene.position.get("planned", ()):
        return "locked", scene.words.say("plan locked")
    if player in scene.waiting:
        return "now", scene.words.say("planning")
    return "", scene.words.say("nothing to build")
