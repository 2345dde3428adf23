"""One dry headline for a round that was settled, out of what everybody saw: roofs, sections, loans."""

from companion.engine.journal import Json
from companion.games.master_builder.face.lately import since
from companion.games.master_builder.face.scene import Scene


def headline(scene: Scene) -> str:
    """Tell a round that is settled in one dry sentence; nothing where nobody knows what happened in it."""
    events = list(since(scene, "BuildPhaseBegan"))
    if not any(one["event"] == "WagesPaid" for one in events):
        return ""
    laid = sum(len(one["work"]) for one in events if one["event"] == "SectionsBuilt")
    finished = sum(one["event"] == "PricePaid" for one in events)
    borrowers = list(dict.fromkeys(one["player"] for one in events if one["event"] == "LoanTaken"))
    return _of_work(scene, laid, finished, borrowers) if laid else _idle(scene, borrowers, events)


def _of_work(scene: Scene, laid: int, finished: int, borrowers: list[str]) -> str:
    words = scene.words
    if not finished and borrowers:
        return words.several(
            "{count} section and a loan to go with it.", "{count} sections and a loan to go with them.", laid
        )
    if not finished:
        return words.several(
            "{count} section laid, no door to lock yet.", "{count} sections laid, no door to lock yet.", laid
        )
    if len(borrowers) > 1:
        return words.several(
            "{count} building paid for; the lender had the better day.",
            "{count} buildings paid for; the lender had the better day.",
            finished,
        )
    if borrowers:
        return words.several(
            "{count} building paid for. {player} counts twice.",
            "{count} buildings paid for. {player} counts twice.",
            finished,
            player=scene.names[borrowers[0]],
        )
    return words.several(
        "{count} building paid for, and nobody in need of a loan.",
        "{count} buildings paid for, and nobody in need of a loan.",
        finished,
    )


def _idle(scene: Scene, borrowers: list[str], events: list[Json]) -> str:
    words, paid = scene.words, sum(one["amount"] for one in events if one["event"] == "WagesPaid")
    if borrowers:
        return words.say("Nothing was built, and {player} borrowed for it.", player=scene.names[borrowers[0]])
    if paid:
        return words.say("Nobody laid a stone. The wages were the same.")
    return words.say("Nothing built, nobody paid: a quiet round.")
