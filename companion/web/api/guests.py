"""Guests: which phones and screens have joined, one of them logged out, and all of them at once."""

from typing import Any

from flask import Blueprint, Response, jsonify

from companion.service.access.guests import Guest
from companion.web.http.auth import open_table, services, the_banker
from companion.web.http.guests import evening_code, joined, log_out_guest
from companion.web.http.problems import Problem

blueprint = Blueprint("guests", __name__)


@blueprint.get("/tables/<table_id>/guests")
def guests(table_id: str) -> Response:
    """List who has joined, and the one code for everybody."""
    the_banker()
    table = open_table(table_id)
    code = evening_code(table.id)
    there = [_told(one) for one in joined(table)]
    return jsonify({"guests": there, "address": code.address, "qr": code.qr})


@blueprint.delete("/tables/<table_id>/guests/<device>")
def log_out(table_id: str, device: str) -> Response:
    """Log one phone or screen out; its own page says so within a second."""
    the_banker()
    table = open_table(table_id)
    if all(one.device != device for one in joined(table)):
        raise Problem(404, "not_found", "No such phone has joined here.")
    log_out_guest(device, table.id)
    return jsonify({"out": device})


@blueprint.delete("/guests")
def log_all_out() -> Response:
    """Log every phone and screen out; codes that were shown before let nobody in any more."""
    the_banker()
    services().guests.new_evening()
    return jsonify({"evening": services().guests.evening})


def _told(guest: Guest) -> dict[str, Any]:
    return {"device": guest.device, "player": guest.player}
