"""Options of everything that goes to a printer."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


class Pair(click.ParamType):  # type: ignore[type-arg]
    """Two numbers with a comma between them: to the right and down."""

    name = "pair"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, float]:
        """Give both."""
        if isinstance(value, tuple):
            return value
        try:
            right, down = (float(part) for part in value.split(","))
        except ValueError:
            return self.fail(f"{value!r} is not two numbers such as 0.4,-0.2", param, ctx)
        return right, down


class CardList(click.ParamType):  # type: ignore[type-arg]
    """Ids of cards with commas between them."""

    name = "cards"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        """Give them."""
        del param, ctx
        if isinstance(value, tuple):
            return value
        return tuple(card for part in value.split(",") if (card := part.strip().upper()))


PAIR = Pair()
CARDS = CardList()


def only_option(command: F) -> F:
    """Add ``--only W01,C03``."""
    return click.option("--only", metavar="W01,C03", type=CARDS, default=(), help="Only these cards.")(command)


def correction_options(command: F) -> F:
    """Add ``--shift`` and ``--stretch``: what the printer is out by."""
    shift = click.option(
        "--shift", metavar="X,Y", type=PAIR, default=(0.0, 0.0), help="Move each page: mm to the right, mm down."
    )
    stretch = click.option(
        "--stretch",
        metavar="X,Y",
        type=PAIR,
        default=(1.0, 1.0),
        help="Stretch each page, 1.004 by 0.4 %: across, down.",
    )
    return shift(stretch(command))
