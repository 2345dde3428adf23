"""Monitoring: a health check, and metrics for Prometheus."""

from collections.abc import Iterator
from contextlib import suppress

from flask import Blueprint, Response, jsonify

from companion.service.ports import NotStored
from companion.web.http.auth import caller_if_any, services
from companion.web.http.capacity import streams
from companion.web.http.metrics import metrics

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def show_health() -> Response:
    """Return that the server answers."""
    return jsonify({"status": "ok"})


@blueprint.get("/readyz")
def show_readiness() -> tuple[Response, int]:
    """Return whether requests should come here: not while the server is about to end, or its database is away."""
    is_ready = services().is_ready() and not streams().draining.is_set()
    return jsonify({"status": "ready" if is_ready else "not ready"}), 200 if is_ready else 503


@blueprint.get("/metrics")
def show_metrics() -> Response:
    """Return gauges and counters in the Prometheus text format; refused rules for the organiser only."""
    caller = caller_if_any()
    refusals = caller is not None and caller.is_organiser
    text = "\n".join([*_gauges(), *metrics().lines(refusals=refusals)]) + "\n"
    return Response(text, content_type="text/plain; version=0.0.4; charset=utf-8")


def _gauges() -> Iterator[str]:
    yield from _gauge("info", "The version that runs.", 1, f'{{version="{services().version}"}}')
    with suppress(NotStored):  # while the database is away nobody can count them
        counts, unplayable = services().tables.count(), services().tables.count_unplayable()
        yield from _gauge("tables", "Tables in the journal.", counts.tables)
        yield from _gauge("tables_finished", "Tables whose game is over.", counts.finished)
        yield from _gauge("tables_torn", "Tables whose journal cannot be read.", unplayable)
        yield from _gauge("entries", "Entries in the journals of all tables.", counts.entries)
    yield from _gauge("streams", "Screens that follow a table live.", streams().count)
    yield from _gauge("streams_most", "Screens that may follow live at once.", streams().most)
    for name, value in services().measures().items():
        yield f"companion_{name} {value}"


def _gauge(name: str, meaning: str, value: int, labels: str = "") -> Iterator[str]:
    yield f"# HELP companion_{name} {meaning}"
    yield f"# TYPE companion_{name} gauge"
    yield f"companion_{name}{labels} {value}"
