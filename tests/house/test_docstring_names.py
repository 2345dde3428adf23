"""Docstrings name what exists."""

from tests.house.docstring_names import read_module, stale_names, unknown_arguments, unknown_tokens

SOURCE = '''
"""Counts ``boxes``."""
import shelf

LIMIT = 3
KIND = "oak shelf"

class Counter:
    """Counts up to ``LIMIT``, never ``MOST``; ``Counter.total`` is the sum, of an ``oak`` one too; not ``W07``."""

    def add(self, number: int, *, twice: bool) -> int:
        """Return the total.

        Args:
            number: how many.
            once: not twice.

        Raises:
            ValueError: never.

        """
        self.total = number
'''


def test_a_docstring_names_what_its_file_or_a_neighbour_has() -> None:
    assert list(stale_names()) == []


def test_a_name_that_the_code_does_not_have_is_found() -> None:
    module = read_module(SOURCE)
    assert list(unknown_tokens(module, module.names)) == [(8, "MOST")]


def test_an_argument_that_the_function_does_not_have_is_found() -> None:
    assert list(unknown_arguments(read_module(SOURCE))) == [(11, "once")]
