"""Server-sent events that tell screens of every change of a table; a reconnect catches up."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from flask import Blueprint, Response, current_app, json, request

from companion.service.access.logins import Caller
from companion.service.services import Services
from companion.service.table.table import Table
from companion.web.http.auth import current_caller, is_still_seated, open_table, services
from companion.web.http.caches import ViewTexts, view_texts
from companion.web.http.capacity import Streams, streams
from companion.web.http.endpoint import INSIDE, Answer, Content, Parameter, TableId, endpoint
from companion.web.table_state import snapshot_of

HEARTBEAT_SECONDS = 5.0
LOOK_UP_SECONDS = 0.5
"""Interval at which a waiting stream checks whether the server stops or its reader has gone."""
RECONNECT_MS = 2_000

blueprint = Blueprint("stream", __name__)


@blueprint.get("/tables/<table_id>/stream")
@endpoint(
    "Server-sent events: `version` (id: the version; data: what showTable answers) and `sight` (data: what "
    "listProposals answers, with `next`, the id of the table that people go on to, once there is one, and for the "
    "banker `ticks`, how many steps of setting the table were ticked by hand, once there are any); a comment at least "
    "every 5 seconds. In a hall, `data=version` gives `stirred` in place of `sight` (data: `within`, milliseconds): "
    "ask with `once=1` what has changed, at some moment within that time.",
    answers=Answer("The stream; it ends when the server does.", Content({"text/event-stream": str})),
    problems=(*INSIDE, "busy"),
    parameters=(
        Parameter("data", "Tell of versions alone, for pages that fetch the rest.", Literal["version"]),
        Parameter(
            "once",
            "Tell what is now and end, for a reader that cannot keep a stream open; it takes no place.",
            Literal["1"],
        ),
        Parameter("Last-Event-ID", "The version that the reader has.", place="header"),
    ),
)
def follow_table(table_id: TableId) -> Response:
    """Send ``version`` and ``sight`` events for as long as the reader stays.

    ``?data=version``: versions alone; ``?once=1``: what is now, then the end.
    """
    table = open_table(table_id)
    answer = Response(mimetype="text/event-stream")
    answer.headers["X-Accel-Buffering"] = "no"
    if request.method == "HEAD":
        return answer
    places = streams()
    story = _TableStream(
        table=table,
        caller=current_caller(),
        services=services(),
        texts=view_texts(),
        streams=places,
        heartbeat=float(current_app.config["HEARTBEAT_SECONDS"]),
        gone=request.environ.get("waitress.client_disconnected", bool),
        slim=request.args.get("data") == "version",
    )
    sent = _Sent(_last_event_id())
    if request.args.get("once") == "1":
        answer.set_data("".join(story.changes(sent)))
        return answer
    ticket = places.open(current_caller())
    answer.call_on_close(lambda: places.close(ticket))
    answer.response = story.events(sent)
    return answer


def _last_event_id() -> int | None:
    """Return the version that the reader has; anything malformed counts as none."""
    header = request.headers.get("Last-Event-ID", "")
    return int(header) if header.isascii() and header.isdigit() and len(header) <= 15 else None  # noqa: PLR2004


@dataclass(slots=True)
class _Sent:
    """The last version and the latest ``sight`` sent to a reader, and when anything was sent (monotonic seconds)."""

    version: int | None
    snapshot: str = ""
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class _TableStream:
    """The values that a stream needs after its request context has ended."""

    table: Table
    caller: Caller
    services: Services
    texts: ViewTexts
    streams: Streams
    heartbeat: float
    gone: Callable[[], bool]
    slim: bool = False

    def events(self, sent: _Sent) -> Iterator[str]:
        """Yield the present state, then each change, with a comment whenever nothing was sent for a heartbeat."""
        sent.at = time.monotonic()
        yield f"retry: {RECONNECT_MS}\n\n"
        while not self._is_over():
            # The count is read first, so that any later change ends the wait below at once.
            count = self.table.signal.count
            for text in self.changes(sent):
                sent.at = time.monotonic()
                yield text
            yield from self._wait(count, sent)

    def changes(self, sent: _Sent) -> Iterator[str]:
        """Yield what the reader does not have yet."""
        version, text = self._version()
        if version != sent.version:
            sent.version = version
            yield f"event: version\nid: {version}\ndata: {text}\n\n"
        snapshot = json.dumps(self._sight_event())
        if snapshot != sent.snapshot:
            sent.snapshot = snapshot
            yield f"event: sight\ndata: {snapshot}\n\n"

    def _version(self) -> tuple[int, str]:
        """Return the version, with the position as the viewer may see it unless pages fetch that as HTML."""
        if self.slim:
            version = self.table.version
            return version, json.dumps({"version": version})
        return self.texts.of(self.table, self.caller.viewer)

    def _sight_event(self) -> dict[str, Any]:
        """Return the payload beside versions; for the banker with the steps ticked while the table is set."""
        payload = snapshot_of(self.services, self.table, self.caller)
        ticks = self.services.preparations.ticks(self.table.id)
        if ticks and self.caller.is_banker:
            payload["ticks"] = ticks
        then = self.services.next_table(self.table.id)
        return {**payload, "next": then} if then else payload

    def _wait(self, count: int, sent: _Sent) -> Iterator[str]:
        """Wait for a change; one that is no news for this reader does not put the comment off."""
        while not self._is_over():
            if time.monotonic() >= sent.at + self.heartbeat:
                sent.at = time.monotonic()
                self.table.keep_awake()
                yield ": still here\n\n"
            if self.table.signal.wait_beyond(count, LOOK_UP_SECONDS) > count:
                return

    def _is_over(self) -> bool:
        if self.streams.closing.is_set() or self.gone():
            return True
        return (
            not self.services.guests.admits(self.caller)
            or self.services.tables.lies_in_bin(self.table.id)
            or not is_still_seated(self.caller, self.table)
        )
