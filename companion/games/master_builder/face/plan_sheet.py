"""A building plan in the making: what each section would take, who is free, and why it cannot be locked yet."""

import json
from collections.abc import Mapping
from typing import Any

from companion.games.master_builder.face import draft_sites
from companion.games.master_builder.face.draft_sites import Drafting, Work
from companion.games.master_builder.face.scene import Scene


def drafted(
    scene: Scene, player: str, asked: Mapping[str, str], suggested: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Lay out the plan that the page sent along.

    ``work``: contract, section, workers; ``chosen``: a worker, ``place``: a section as ``contract|section``, whichever
    was tapped first.  ``suggested``: a plan that is shown beside it, with its reasons.
    """
    offer = scene.offer("plan", player=player)
    field = offer["fields"]["work"] if offer else {"sites": {}, "workers": {}}
    work = _read(asked.get("work", "{}"), field)
    ghost = _read(json.dumps(suggested["command"]["work"]), field) if suggested else {}
    places = {worker: (contract, section) for contract, section, worker in _assigned(work)}
    chosen = asked.get("chosen") if asked.get("chosen") in field["workers"] else None
    contract, _, section = asked.get("place", "").partition("|")
    place = (contract, section) if section in field["sites"].get(contract, {}) else None
    here = Drafting(scene, player, field, work, ghost, chosen, place)
    sites = [draft_sites.site(here, contract) for contract in scene.players[player]["contracts"]]
    return {
        "offer": offer,
        "player": player,
        "work": work,
        "ghost": ghost,
        "sites": sites,
        "places": places,
        "free": sum(worker not in places for worker in field["workers"]),
        "workers": scene.sorted_workers(field["workers"]),
        "fitting": draft_sites.fitting(here),
        "away": scene.sorted_workers(scene.players[player]["unavailable"]),
        "lent": scene.sorted_workers(one["worker"] for one in scene.position.get("lent", ()) if one["owner"] == player),
        "chosen": chosen,
        "place": place,
        "wrong": [wrong for site in sites for wrong in site["wrong"]],
        "reasons": _reasons(scene, suggested) if suggested else [],
        "planned": sum(len(sections) for sections in work.values()),
        "locked": player in scene.position.get("planned", ()),
    }


def _reasons(scene: Scene, suggested: Mapping[str, Any]) -> list[str]:
    """Say why the suggested plan is what it is; that a building will be finished stands below it anyway."""
    words, why = scene.words, [scene.words.say("The best plan: most income now, then most progress.")]
    for reason in suggested["reasons"]:
        title = words.card(reason["contract"], scene.catalog)
        if reason["sections"] and reason["left"]:
            why.append(words.say("{title}: {built} of 6 sections will stand.", title=title, built=6 - reason["left"]))
        elif reason["why"] == "others_first":
            why.append(words.say("{title} waits: the workers do more elsewhere.", title=title))
        elif reason["why"] == "no_team":
            why.append(words.say("{title}: these workers cannot do the next step.", title=title))
    return why


def _read(text: str, field: Mapping[str, Any]) -> Work:
    """Take over only what the offer knows: the page may be older than the table."""
    try:
        sent = json.loads(text)
    except ValueError:
        return {}
    work: Work = {}
    seen: set[str] = set()
    for contract, sections in sent.items() if isinstance(sent, dict) else ():
        for section, workers in sections.items() if isinstance(sections, dict) else ():
            if section not in field["sites"].get(contract, {}) or not isinstance(workers, list):
                continue
            team = [one for one in workers if isinstance(one, str) and one in field["workers"] and one not in seen]
            seen.update(team)
            if team:
                work.setdefault(contract, {})[section] = team
    return work


def _assigned(work: Work) -> list[tuple[str, str, str]]:
    return [
        (contract, section, worker)
        for contract, sections in work.items()
        for section, workers in sections.items()
        for worker in workers
    ]
