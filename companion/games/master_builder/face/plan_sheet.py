"""A building plan in the making: what each section would take, who is free, and why it cannot be locked yet."""

import json
from collections.abc import Mapping
from typing import Any

from companion.games.master_builder.face.scene import Scene
from companion.games.master_builder.rules.building import section_names, team_fits, unsound
from companion.games.master_builder.rules.plans import too_early

Work = dict[str, dict[str, list[str]]]


def drafted(
    scene: Scene, player: str, asked: Mapping[str, str], suggested: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Lay out the plan that the page sent along (``work``: contract, section, workers; ``chosen``: a worker).

    ``suggested``: the plan to lay out instead, with its reasons.
    """
    offer = scene.offer("plan", player=player)
    field = offer["fields"]["work"] if offer else {"sites": {}, "workers": {}}
    work = _read(json.dumps(suggested["command"]["work"]) if suggested else asked.get("work", "{}"), field)
    places = {worker: (contract, section) for contract, section, worker in _assigned(work)}
    free = [worker for worker in field["workers"] if worker not in places]
    chosen = asked.get("chosen") if asked.get("chosen") in field["workers"] else None
    sites = [
        _site(scene, player, contract, field["sites"].get(contract, {}), work) for contract in _contracts(scene, player)
    ]
    problems = [site["problem"] for site in sites if site["problem"]]
    return {
        "offer": offer,
        "player": player,
        "work": work,
        "sites": sites,
        "places": places,
        "free": len(free),
        "workers": scene.sorted_workers(field["workers"]),
        "away": scene.sorted_workers(scene.players[player]["unavailable"]),
        "lent": scene.sorted_workers(one["worker"] for one in scene.position.get("lent", ()) if one["owner"] == player),
        "chosen": chosen,
        "problem": problems[0] if problems else None,
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


def _contracts(scene: Scene, player: str) -> list[str]:
    return list(scene.players[player]["contracts"])


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


def _site(scene: Scene, player: str, contract: str, open_places: Mapping[str, list[str]], work: Work) -> dict[str, Any]:
    card = scene.contract(contract)
    built = scene.players[player]["contracts"][contract]
    planned = work.get(contract, {})
    states = scene.states(contract, built, planned)
    problem = _problem(scene, card, tuple(built), tuple(planned)) if planned else None
    lines = []
    for section in section_names(card["kind"]):
        code = open_places.get(section, card["sections"][section])
        team = planned.get(section, [])
        fits = _complete(scene, code, team)
        if team and (not fits or problem):
            states[section] = "bad" if not _may_grow(scene, code, team) or (problem and fits) else "begun"
        if team and not fits:
            problem = problem or _team_problem(scene, card, section, code, team)
        lines.append({"section": section, "state": states[section], "code": code, "team": team, "full": fits})
    finished = len(built) + len(planned) == len(section_names(card["kind"])) and problem is None and bool(planned)
    codes = {line["section"]: _shown(scene, line) for line in lines if line["state"] != "built"}
    return {
        "card": card,
        "codes": codes,
        "built": built,
        "states": states,
        "lines": lines,
        "problem": problem,
        "finished": finished,
    }


def _shown(scene: Scene, line: Mapping[str, Any]) -> list[str]:
    """Give the letters on a section of the drawing: who works there, else who would be needed."""
    return _types(scene, line["team"]) if line["team"] else list(line["code"])


def _problem(scene: Scene, card: Mapping[str, Any], built: tuple[str, ...], new: tuple[str, ...]) -> str | None:
    broken = unsound(card["kind"], built + new, scene.regulations)
    if broken is None and scene.rules.roof_timing == "next_phase":
        broken = too_early(built, new)
    return scene.words.refusal(broken, {"card": card["id"]}, scene.names, scene.catalog) if broken else None


def _types(scene: Scene, team: list[str]) -> list[str]:
    return [scene.catalog["workers"][worker]["type"] for worker in team]


def _complete(scene: Scene, code: list[str], team: list[str]) -> bool:
    return team_fits(code, _types(scene, team))


def _may_grow(scene: Scene, code: list[str], team: list[str]) -> bool:
    """Say whether more workers could still make this team right."""
    missing = len(code) - len(team)
    return missing > 0 and team_fits(code, [*_types(scene, team), *["MC"] * missing])


def _team_problem(scene: Scene, card: Mapping[str, Any], section: str, code: list[str], team: list[str]) -> str:
    details = {"card": card["id"], "section": section, "code": tuple(code), "team": tuple(_types(scene, team))}
    return scene.words.refusal("team_does_not_fit", details, scene.names, scene.catalog)
