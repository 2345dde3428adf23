"""Hypothesis strategies that several tests share: JSON, offers filled in, commands spoilt."""

from typing import Any

from hypothesis import strategies as st

from companion.engine.game import OFFER_ONLY

Json = dict[str, Any]

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def command_of(offer: Json) -> Json:
    """Return the command of an offer, still without its open fields."""
    return {key: value for key, value in offer.items() if key not in OFFER_ONLY}


@st.composite
def filled(draw: st.DrawFn, offer: Json) -> Json:
    """A command that was offered, its open fields filled with any of what they may hold."""
    return {**command_of(offer), **{name: draw(_field(field)) for name, field in offer["fields"].items()}}


def _field(field: Json) -> st.SearchStrategy[Any]:
    match field["kind"]:
        case "one_of" | "any_of_these" | "any_set":
            return st.sampled_from(field["values"])
        case "some_of":
            values = st.sampled_from(field["values"])
            return st.lists(values, min_size=field["least"], max_size=field["most"], unique=True)
        case "amount":
            steps = (field["most"] - field["least"]) // field["step"]
            # Mostly little: whoever spends all at once has no long game.
            some = st.integers(0, min(3, steps)) | st.integers(0, steps)
            return some.map(lambda step: field["least"] + step * field["step"])
        case "assignment":
            return assignments(field)
        case other:
            message = f"no field is of kind {other}"
            raise ValueError(message)


@st.composite
def assignments(draw: st.DrawFn, field: Json) -> Json:
    """Some workers on some open sections; whether they may work there is for the rules to say."""
    free = draw(st.permutations(sorted(field["workers"])))
    work: Json = {}
    for site, places in field["sites"].items():
        for place, codes in places.items():
            if len(free) >= len(codes) and draw(st.booleans()):
                work.setdefault(site, {})[place], free = list(free[: len(codes)]), free[len(codes) :]
    return work


@st.composite
def spoilt(draw: st.DrawFn, command: Json) -> Json:
    """A command with a field left out, added, or holding something else."""
    key = draw(st.sampled_from([*command, "seen", "from"]))
    match draw(st.sampled_from(["left out", "other", "value of another", "other verb"])):
        case "left out":
            return {name: stored for name, stored in command.items() if name != key}
        case "other":
            return {**command, key: draw(json_values)}
        case "value of another":
            return {**command, key: draw(st.sampled_from(list(command.values())))}
        case _:
            verbs = ["plan", "pass", "bid", "borrow", "repay", "hire_worker", "fire_worker", "undo", "start_game"]
            return {**command, "do": draw(st.sampled_from(verbs))}
