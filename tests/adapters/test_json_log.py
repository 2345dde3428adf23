"""The log as JSON lines."""

import json
import logging
import sys

from companion.adapters.logs import JsonLineFormatter


def record(message: str, *arguments: object, error: bool = False) -> logging.LogRecord:
    exc_info = sys.exc_info() if error else None
    return logging.LogRecord("companion.watch", logging.WARNING, __file__, 1, message, arguments, exc_info)


def test_a_record_is_one_line_whatever_is_in_it() -> None:
    line = JsonLineFormatter().format(record('card "%s"\nlay %d times', "Wörker\x00", 3))

    assert "\n" not in line
    said = json.loads(line)
    assert (said["level"], said["logger"]) == ("warning", "companion.watch")
    assert said["message"] == 'card "Wörker\x00"\nlay 3 times'


def test_a_traceback_stays_with_its_record_on_the_same_line() -> None:
    result = record("nothing")
    try:
        int("no card")
    except ValueError:
        result = record("a frame could not be taken in", error=True)
    line = JsonLineFormatter().format(result)

    assert "\n" not in line
    assert json.loads(line)["error"].endswith("ValueError: invalid literal for int() with base 10: 'no card'")
