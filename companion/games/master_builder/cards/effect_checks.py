"""What an effect of an event card must say, by what it does."""

from collections.abc import Iterator

from companion.games.master_builder.rules.catalog import Deed, Effect

CHOICE = ("type", "quirk", "count")
FIELDS_OF: dict[Deed, tuple[str, ...]] = {
    "unavailable": CHOICE,
    "dismiss": CHOICE,
    "wage_change": (*CHOICE, "amount", "lasting"),
    "pay": ("amount", "per"),
    "receive": ("amount", "per"),
    "raze": ("count",),
    "manual": (),
}
"""The fields beside ``do`` that mean something for each kind of effect."""


def effect_faults(effect: Effect) -> Iterator[tuple[str, str]]:
    """Pairs of a field (``""``: the effect as a whole) and what is wrong with it."""
    if effect.count is not None and effect.count < 1:
        yield "count", f"{effect.count} is nobody: write 1 or more, or leave count out for all"
    if effect.do == "raze" and effect.count is None:
        yield "", "raze needs count: say how many sections"
    if "amount" in FIELDS_OF[effect.do]:
        yield from _amount_faults(effect)
    yield from _idle_faults(effect)


def _amount_faults(effect: Effect) -> Iterator[tuple[str, str]]:
    amount = effect.amount
    if amount == 0:
        yield "amount", f"{effect.do} needs an amount: write whole thousands, such as amount = 1_000"
    elif amount % 1_000:
        yield "amount", f"{amount} is no amount: write whole thousands, such as 1_000"
    elif amount < 0 and effect.do != "wage_change":
        other = "receive" if effect.do == "pay" else "pay"
        yield "amount", f'{amount} is below 0: write {-amount} with do = "{other}"'


def _idle_faults(effect: Effect) -> Iterator[tuple[str, str]]:
    """Fields that are given and mean nothing here: somebody expects something of them."""
    bare = Effect(do=effect.do)
    for field in ("type", "quirk", "count", "amount", "lasting", "per"):
        if field not in FIELDS_OF[effect.do] and getattr(effect, field) != getattr(bare, field):
            yield field, f"{field} means nothing for {effect.do}: take it out"
