"""The effects of Chance cards out of a TOML file: each kind of effect has fields of its own."""

from typing import get_args

from companion.game_api.catalog_parsing import Fields
from companion.games.monopoly_builder.rules.catalog import (
    CARD_VERBS,
    SPACE_TYPES,
    Effect,
    KindOfEffect,
    KindOrAny,
    Per,
    Who,
)

_WHO: tuple[Who, ...] = get_args(Who)
_PER: tuple[Per, ...] = get_args(Per)
_GAINED: tuple[KindOfEffect, ...] = get_args(KindOfEffect)
_LOST: tuple[KindOrAny, ...] = get_args(KindOrAny)


def effect_from(fields: Fields) -> Effect:
    """Read one effect; fields that its kind does not have are faults."""
    do = fields.one_of("do", CARD_VERBS)
    if do in ("receive", "pay"):
        effect = _money(fields, do)
    elif do in ("gain", "lose"):
        effect = Effect(
            do,
            kind=fields.one_of("kind", _GAINED if do == "gain" else _LOST),
            count=fields.whole("count", "1") or 0,
            who=fields.one_of("who", _WHO, "drawer"),
        )
    elif do == "move":
        effect = Effect(do, by=fields.whole("by", "-2") or 0)
    elif do == "move_to":
        space = fields.whole("space")
        kind = fields.one_of("type", SPACE_TYPES) if "type" in fields.values else None
        if (space is None) == (kind is None):
            fields.wrong((), 'write either space = 5 or type = "go"')
        effect = Effect(do, space=space, type=kind)
    else:
        effect = Effect(do)
    fields.finish()
    return effect


def _money(fields: Fields, do: str) -> Effect:
    side = "from" if do == "receive" else "to"
    players = side in fields.values
    if players:
        fields.one_of(side, ("players",))
        for key in ("who", "per"):
            if key in fields.values:
                fields.take(key)
                fields.wrong((key,), f'has no place beside {side} = "players"')
    return Effect(
        "receive" if do == "receive" else "pay",
        amount=fields.whole("amount", "20") or 0,
        players=players,
        who="drawer" if players else fields.one_of("who", _WHO, "drawer"),
        per=fields.one_of("per", _PER) if "per" in fields.values and not players else None,
    )
