"""Compare two descriptions of the JSON interface: ``python -m tests.web.openapi_diff BEFORE.json AFTER.json``.

What says the same is written alike first: pointers to components are replaced by what they point to, and lists whose
order means nothing are sorted.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

UNORDERED = frozenset({"required", "enum", "anyOf", "oneOf", "allOf", "parameters"})


def normalised(document: dict[str, Any]) -> dict[str, Any]:
    """Return a description without pointers and without differences of order."""
    return {name: _plain(part, document, ()) for name, part in document.items()}


def differences(before: Any, after: Any, path: str = "") -> Iterator[str]:
    """Yield a line for each place at which two normalised descriptions differ."""
    if isinstance(before, dict) and isinstance(after, dict):
        for name in sorted({*before, *after}):
            member_path = f"{path}/{name}"
            if name not in after:
                yield f"- {member_path}: {json.dumps(before[name])}"
            elif name not in before:
                yield f"+ {member_path}: {json.dumps(after[name])}"
            else:
                yield from differences(before[name], after[name], member_path)
    elif before != after:
        yield f"! {path}: {json.dumps(before)} -> {json.dumps(after)}"


def _plain(part: Any, document: dict[str, Any], above: tuple[str, ...]) -> Any:
    if isinstance(part, list):
        return [_plain(member, document, above) for member in part]
    if not isinstance(part, dict):
        return part
    pointer = part.get("$ref")
    if isinstance(pointer, str) and pointer not in above:
        rest = {name: value for name, value in part.items() if name != "$ref"}
        return _plain({**_target(pointer, document), **rest}, document, (*above, pointer))
    plain = {name: _plain(value, document, above) for name, value in part.items()}
    if plain.get("required") == []:
        del plain["required"]
    for name in UNORDERED & plain.keys():
        if isinstance(plain[name], list):
            plain[name] = sorted(plain[name], key=lambda entry: json.dumps(entry, sort_keys=True))
    return plain


def _target(pointer: str, document: dict[str, Any]) -> dict[str, Any]:
    target: Any = document
    for name in pointer.removeprefix("#/").split("/"):
        target = target[name]
    return dict(target)


if __name__ == "__main__":
    before, after = (normalised(json.loads(Path(name).read_text(encoding="utf-8"))) for name in sys.argv[1:3])
    print(*differences(before, after), sep="\n")  # noqa: T201
