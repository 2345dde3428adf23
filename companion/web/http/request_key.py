"""The sender's own name for a request: sent twice, it counts once."""

import re

from flask import request

from companion.web.http.problems import Problem


def request_key(actor: str) -> str | None:
    """Give the ``Idempotency-Key``, kept apart by sender, so that nobody is given the answer to another."""
    header = request.headers.get("Idempotency-Key")
    if header is None:
        return None
    if not re.fullmatch(r"[\x21-\x7e]{1,200}", header):
        raise Problem(400, "malformed", "Idempotency-Key must be 1 to 200 visible ASCII characters.")
    return f"{actor}:{header}"
