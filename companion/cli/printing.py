"""Options of everything that goes to a printer."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from companion.config import data_folder

if TYPE_CHECKING:
    from companion.printing.correction import Correction

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
    """Add ``--shift`` and ``--stretch``: what the printer is out by, where it is not as it was measured."""
    shift = click.option("--shift", metavar="X,Y", type=PAIR, help="Move each page: mm to the right, mm down.")
    stretch = click.option(
        "--stretch", metavar="X,Y", type=PAIR, help="Stretch each page, 1.004 by 0.4 %: across, down."
    )
    return shift(stretch(command))


def correction(
    shift: tuple[float, float] | None, stretch: tuple[float, float] | None, side: str, data: str | None
) -> "Correction":
    """Give what is asked for, or else what undoes the error that was measured; ``ValueError`` for what none needs."""
    from companion.adapters.printer_file import PrinterFile
    from companion.printing.correction import AS_IT_IS, Correction, undoing

    if shift is not None or stretch is not None:
        return Correction(*(shift or (0.0, 0.0)), *(stretch or (1.0, 1.0)))
    known = PrinterFile(data_folder(data).printer).read()
    return undoing(known[side]) if side in known else AS_IT_IS
