"""The words after ``python -m benchmarks.NAME``, with ``--help`` and refusals for those that cannot be."""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter


def create_parser(description: str | None, **numbers: float) -> ArgumentParser:
    """Return a parser that shows a module's docstring as its help.

    Args:
        description: the docstring.
        numbers: numbers that may be given, in this order, with the values that they have otherwise.

    """
    parser = ArgumentParser(description=description, formatter_class=RawDescriptionHelpFormatter)
    for name, usual in numbers.items():
        parser.add_argument(name, nargs="?", metavar=name.upper(), type=type(usual), default=usual)
    return parser


def parse_arguments(description: str | None, **numbers: float) -> Namespace:
    """Return the numbers that were given; print help or a refusal, and end the program, as ``argparse`` does."""
    return create_parser(description, **numbers).parse_args()
