"""The buildings of a plan in the making: what stands, what comes, what is wrong with one section, and what mends it."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeAlias

from companion.engine.journal import Json
from companion.games.master_builder.rules.building import GABLES, ROOFS, section_names, team_fits, too_early, unsound
from companion.games.master_builder.rules.catalog import RANK
from companion.games.master_builder.ui.scene import Scene

DraftWork: TypeAlias = dict[str, dict[str, list[str]]]
"""Workers by section by contract."""
ContractSection: TypeAlias = tuple[str, str]
"""A contract and one of its sections."""


@dataclass(frozen=True, slots=True)
class Drafting:
    """A plan in the making: ``work`` so far, ``ghost`` a suggested one, the worker or place that was tapped first.

    ``field`` is that of the offer: the open places by contract, and the workers at hand.
    """

    scene: Scene
    player: str
    field: Mapping[str, Any]
    work: DraftWork
    ghost: DraftWork
    chosen: str | None
    place: ContractSection | None

    def types(self, team: Collection[str]) -> list[str]:
        """Return the types of workers."""
        return [self.scene.catalog["workers"][worker]["type"] for worker in team]

    def code(self, contract: str, section: str) -> list[str]:
        """Return whom a section asks for."""
        printed: list[str] = self.scene.catalog["contracts"][contract]["sections"][section]
        return list(self.field["sites"].get(contract, {}).get(section, printed))


@dataclass(frozen=True, slots=True)
class Mend:
    """A change that mends a fault: the worker who goes ``out`` and who comes ``instead``, or joins where nobody goes.

    Neither: the whole team goes.
    """

    out: str | None
    instead: str | None
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionFault:
    """Why a section cannot be locked as it is planned; ``unfinished``: only workers are missing."""

    contract: str
    section: str
    says: str
    rule: str | None = None
    mend: Mend | None = None
    unfinished: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionLine:
    """A section of a building: its state, whom it asks for (``code``), its team, and a suggested team (``ghost``).

    ``full``: the team fits; ``can``: the chosen worker could work at it; ``is_place``: it was tapped first.
    """

    section: str
    state: str
    code: list[str]
    team: list[str]
    ghost: list[str]
    full: bool
    can: bool
    is_place: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanSite:
    """A building in a plan: ``states`` and letters (``codes``) of its sections, which are ``built``, what is wrong.

    ``drawn``: the states with those sections as ``suggested`` where only the suggested plan works.
    """

    card: Json
    codes: Mapping[str, list[str]]
    built: Mapping[str, Any]
    states: Mapping[str, str]
    drawn: Mapping[str, str]
    lines: list[SectionLine]
    wrong: list[SectionFault]
    finished: bool


def site(draft: Drafting, contract: str) -> PlanSite:
    """Lay out one building."""
    scene, card = draft.scene, draft.scene.contract(contract)
    built, planned = scene.players[draft.player]["contracts"][contract], draft.work.get(contract, {})
    states = scene.states(contract, built, planned)
    wrong = _wrong(draft, contract, tuple(built), planned)
    for section, team in planned.items():
        if not team_fits(draft.code(contract, section), draft.types(team)):
            states[section] = "begun"
    for fault in wrong:
        states[fault.section] = "bad"
    lines = [_line(draft, contract, section, states[section]) for section in section_names(card["kind"])]
    whole = len(built) + len(planned) == len(lines) and all(line.full for line in lines if line.team)
    return PlanSite(
        card=card,
        codes={line.section: _shown(draft, line) for line in lines if line.state != "built"},
        built=built,
        states=states,
        drawn=states | {line.section: "suggested" for line in lines if line.ghost and not line.team},
        lines=lines,
        wrong=[*wrong, *_unfinished(draft, contract, planned, wrong)],
        finished=whole and bool(planned) and not wrong,
    )


def fitting(draft: Drafting) -> frozenset[str]:
    """Return the workers who could work at the place that was tapped."""
    if draft.place is None:
        return frozenset()
    return frozenset(worker for worker in draft.field["workers"] if _could(draft, *draft.place, worker))


def _line(draft: Drafting, contract: str, section: str, state: str) -> SectionLine:
    team = draft.work.get(contract, {}).get(section, [])
    code = draft.code(contract, section)
    return SectionLine(
        section=section,
        state=state,
        code=code,
        team=team,
        ghost=draft.ghost.get(contract, {}).get(section, []),
        full=team_fits(code, draft.types(team)),
        can=state != "built" and draft.chosen is not None and _could(draft, contract, section, draft.chosen),
        is_place=draft.place == (contract, section),
    )


def _shown(draft: Drafting, line: SectionLine) -> list[str]:
    """Return the letters on a section of the drawing: who works there, else who would be needed."""
    return draft.types(line.team) if line.team else line.code


def _could(draft: Drafting, contract: str, section: str, worker: str) -> bool:
    """Return whether a worker could still be one of a section's team."""
    team = draft.work.get(contract, {}).get(section, [])
    others = [other for other in team if other != worker]
    return worker not in team and _may_grow(draft.code(contract, section), draft.types([*others, worker]))


def _may_grow(code: list[str], types: list[str]) -> bool:
    """Return whether this team is right, or more workers could make it so."""
    missing = len(code) - len(types)
    return missing >= 0 and team_fits(code, [*types, *["MC"] * missing])


def _wrong(
    draft: Drafting, contract: str, built: tuple[str, ...], planned: Mapping[str, list[str]]
) -> list[SectionFault]:
    """Find the sections that are wrong, each with its true reason, its rule and what mends it."""
    faults = [
        _misfit(draft, contract, section, team)
        for section, team in planned.items()
        if not _may_grow(draft.code(contract, section), draft.types(team))
    ]
    kind = draft.scene.catalog["contracts"][contract]["kind"]
    rule = _broken(draft.scene, kind, built, tuple(planned)) if planned else None
    if rule is not None:
        said = draft.scene.words.refusal(rule, {"card": contract}, draft.scene.names, draft.scene.catalog)
        for section in _guilty(draft.scene, kind, built, tuple(planned)):
            label = draft.scene.words.say("Leave out: {section}", section=draft.scene.words.say_in("section", section))
            mend = Mend(None, None, label)
            faults.append(SectionFault(contract=contract, section=section, says=said, rule=rule, mend=mend))
    return faults


def _broken(scene: Scene, kind: Any, built: tuple[str, ...], new: tuple[str, ...]) -> str | None:
    broken = unsound(kind, built + new, scene.regulations)
    if broken is None and new and scene.rules.roof_timing == "next_phase":
        return too_early(built, new)
    return broken


def _guilty(scene: Scene, kind: Any, built: tuple[str, ...], new: tuple[str, ...]) -> tuple[str, ...]:
    """Return the fewest sections without which the rest may stand; of as few, those that stand on the others."""
    rank = {section: (section in ROOFS, section in GABLES) for section in new}
    order = sorted(new, key=lambda section: (rank[section], new.index(section)), reverse=True)
    for size in range(1, len(new) + 1):
        for out in combinations(order, size):
            rest = tuple(section for section in new if section not in out)
            if _broken(scene, kind, built, rest) is None:
                return out
    return new


def _misfit(draft: Drafting, contract: str, section: str, team: list[str]) -> SectionFault:
    """Return who is not good enough for a section, or that there are too many, and who would be."""
    code, words = draft.code(contract, section), draft.scene.words
    if len(team) > len(code):
        said = words.several(
            "{section} asks for {count} worker, no more.",
            "{section} asks for {count} workers, no more.",
            len(code),
            section=_place(draft, section),
        )
        return _fault(draft, contract, section, said, team[-1], None)
    weak = min(team, key=lambda worker: RANK[draft.types([worker])[0]])
    asked = next(
        kind for kind in sorted(code, key=lambda kind: RANK[kind]) if RANK[kind] > RANK[draft.types([weak])[0]]
    )
    said = words.say(
        "{section} asks for: {wanted}. {worker} is not trained for it.",
        section=_place(draft, section),
        wanted=words.say_in("worker", asked),
        worker=words.card(weak, draft.scene.catalog),
    )
    best = _best_free(draft, code, [other for other in team if other != weak])
    return _fault(draft, contract, section, said, weak, best)


def _best_free(draft: Drafting, code: list[str], team: list[str]) -> str | None:
    """Return the lowest of the free workers who could join a team; ``None``: nobody could."""
    busy = {worker for sections in draft.work.values() for workers in sections.values() for worker in workers}
    fit = [
        worker
        for worker in draft.field["workers"]
        if worker not in busy and _may_grow(code, draft.types([*team, worker]))
    ]
    return min(fit, key=lambda worker: RANK[draft.types([worker])[0]], default=None)


def _fault(draft: Drafting, contract: str, section: str, said: str, out: str, instead: str | None) -> SectionFault:
    words, catalog = draft.scene.words, draft.scene.catalog
    label = (
        words.say("Put {worker} there", worker=words.card(instead, catalog))
        if instead
        else words.say("Take {worker} away", worker=words.card(out, catalog))
    )
    mend = Mend(out, instead, label)
    return SectionFault(contract=contract, section=section, says=said, rule="team_does_not_fit", mend=mend)


def _place(draft: Drafting, section: str) -> str:
    named = draft.scene.words.say_in("section", section)
    return named[:1].upper() + named[1:]


def _unfinished(
    draft: Drafting, contract: str, planned: Mapping[str, list[str]], wrong: list[SectionFault]
) -> list[SectionFault]:
    """Return of a team that is still too small how many are missing; that is not wrong, but cannot be locked."""
    words = draft.scene.words
    bad = {fault.section for fault in wrong}
    faults = []
    for section, team in planned.items():
        missing = len(draft.code(contract, section)) - len(team)
        if section not in bad and missing > 0:
            said = words.several(
                "{section}: {count} worker is missing.",
                "{section}: {count} workers are missing.",
                missing,
                section=_place(draft, section),
            )
            mend = None
            if joins := _best_free(draft, draft.code(contract, section), team):
                label = words.say("Put {worker} there", worker=words.card(joins, draft.scene.catalog))
                mend = Mend(None, joins, label)
            fault = SectionFault(contract=contract, section=section, says=said, mend=mend, unfinished=True)
            faults.append(fault)
    return faults


# A building plan in the making: what each section would take, who is free, and why it cannot be locked yet.


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanSheet:
    """A plan in the making, laid out.

    ``work`` so far and a suggested one (``ghost``) with its reasons; ``places``: where each assigned worker works;
    ``free``: how many are not assigned; ``planned``: how many sections are.  ``chosen`` and ``place`` were tapped
    first, and the ``fitting`` workers could work at that place.
    """

    offer: Json | None
    work: DraftWork
    ghost: DraftWork
    sites: list[PlanSite]
    places: Mapping[str, ContractSection]
    free: int
    workers: list[Json]
    fitting: frozenset[str]
    away: list[Json]
    lent: list[Json]
    chosen: str | None
    place: ContractSection | None
    wrong: list[SectionFault]
    reasons: list[str]
    planned: int


def draft_plan(
    scene: Scene, player: str, asked: Mapping[str, str], suggested: Mapping[str, Any] | None = None
) -> PlanSheet:
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
    draft = Drafting(scene, player, field, work, ghost, chosen, place)
    sites = [site(draft, contract) for contract in scene.players[player]["contracts"]]
    return PlanSheet(
        offer=offer,
        work=work,
        ghost=ghost,
        sites=sites,
        places=places,
        free=sum(worker not in places for worker in field["workers"]),
        workers=scene.sorted_workers(field["workers"]),
        fitting=fitting(draft),
        away=scene.sorted_workers(scene.players[player]["unavailable"]),
        lent=scene.sorted_workers(loan["worker"] for loan in scene.position.get("lent", ()) if loan["owner"] == player),
        chosen=chosen,
        place=place,
        wrong=[fault for site in sites for fault in site.wrong],
        reasons=_reasons(scene, suggested) if suggested else [],
        planned=sum(len(sections) for sections in work.values()),
    )


def _reasons(scene: Scene, suggested: Mapping[str, Any]) -> list[str]:
    """Return why the suggested plan is what it is; that a building will be finished stands below it anyway."""
    words = scene.words
    is_last = scene.position["round"] >= scene.position["last_round"]
    why = [
        words.say("The best plan of the last round: most money by the end.")
        if is_last
        else words.say("The best plan: most income now, then most progress.")
    ]
    for reason in suggested["reasons"]:
        title = words.card(reason["contract"], scene.catalog)
        if reason["sections"] and reason["left"]:
            why.append(words.say("{title}: {built} of 6 sections will stand.", title=title, built=6 - reason["left"]))
        elif reason["why"] == "others_first":
            why.append(words.say("{title} waits: the workers do more elsewhere.", title=title))
        elif reason["why"] == "no_team":
            why.append(words.say("{title}: these workers cannot do the next step.", title=title))
    return why


def _read(text: str, field: Mapping[str, Any]) -> DraftWork:
    """Return only what the offer knows: the page may be older than the table."""
    try:
        sent = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    work: DraftWork = {}
    seen: set[str] = set()
    for contract, sections in sent.items() if isinstance(sent, dict) else ():
        for section, workers in sections.items() if isinstance(sections, dict) else ():
            if section not in field["sites"].get(contract, {}) or not isinstance(workers, list):
                continue
            team = [
                worker
                for worker in workers
                if isinstance(worker, str) and worker in field["workers"] and worker not in seen
            ]
            seen.update(team)
            if team:
                work.setdefault(contract, {})[section] = team
    return work


def _assigned(work: DraftWork) -> list[tuple[str, str, str]]:
    return [
        (contract, section, worker)
        for contract, sections in work.items()
        for section, workers in sections.items()
        for worker in workers
    ]
