"""One code for everybody: whoever has scanned it taps his name, and goes on from table to table by himself."""

from dataclasses import dataclass

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from companion.game_api.ui import initials
from companion.service.access.logins import Caller
from companion.service.ports import UnknownTable
from companion.service.table.table import Table
from companion.web.http.auth import current_caller, open_table, services, the_banker
from companion.web.http.guests import evening_code, joined, log_out_guest, moved_on, sitting_at
from companion.web.http.language import language
from companion.web.http.login_routes import first_page, let_in
from companion.web.pages.language import page_values, remember_language

blueprint = Blueprint("who", __name__)

WATCHING = "watch"


@dataclass(frozen=True, slots=True)
class Seat:
    """A name that can be tapped; ``taken``: a phone of somebody's has joined with it."""

    player: str
    name: str
    initial: str
    taken: bool


@blueprint.get("/who/<token>")
def who(token: str) -> AnyResponse:
    """Ask who somebody is; before a game has begun, ask him to wait.  ``?part=names``: only what changes."""
    known, table = _table_of(token)
    if not known:
        return redirect("/login?error=join", 303)
    _, values = page_values(table)
    template = "parts/names.html" if request.args.get("part") == "names" else "who.html"
    page = render_template(template, **values, token=token, table=table, seats=seats(table), late=False)
    return remember_language(make_response(page))


@blueprint.post("/who/<token>")
def chosen(token: str) -> AnyResponse:
    """Seat who has tapped his name (field ``player``), or let him watch; a name that was taken is told so."""
    known, table = _table_of(token)
    if not known:
        return redirect("/login?error=join", 303)
    wish = request.form.get("player", "")
    if table is None:
        return redirect(url_for("who.who", token=token), 303)
    if wish == WATCHING:
        caller = Caller("spectator", None, table.id)
        return let_in(caller, first_page(caller))
    if any(seat.player == wish and not seat.taken for seat in seats(table)):
        caller = sitting_at(table, wish)
        return let_in(caller, first_page(caller))
    _, values = page_values(table)
    page = render_template("who.html", **values, token=token, table=table, seats=seats(table), late=True)
    return make_response(page, 409)


@blueprint.get("/tables/<table_id>/next")
def following(table_id: str) -> AnyResponse:
    """Lead a phone or screen to the table that followed this one; who has no seat there is asked who he is."""
    caller = current_caller()
    if not caller.may_enter(table_id):
        return redirect("/login?error=seat", 303)
    then = services().guests.after(table_id)
    if then is None:
        return redirect(url_for("tables.display", table_id=table_id))
    if caller.role == "banker":
        return redirect(url_for("tables.display", table_id=then))
    guest = moved_on(caller, services().tables.get(then))
    if guest is None:
        return redirect(url_for("who.who", token=evening_code(then).token), 303)
    return let_in(guest, first_page(guest))


@blueprint.post("/tables/<table_id>/log-out")
def log_out(table_id: str) -> AnyResponse:
    """Log the phone or screen out that the tablet's sheet names (field ``device``)."""
    the_banker()
    table = open_table(table_id)
    device = request.form.get("device", "")
    if any(one.device == device for one in joined(table)):
        log_out_guest(device, table.id)
    return redirect(url_for("tables.tablet", table_id=table_id), 303)


def seats(table: Table | None) -> list[Seat]:
    """List the names of a table, and which of them a phone has."""
    if table is None:
        return []
    names = table.names()
    letters = initials(names)
    taken = {guest.player for guest in joined(table)}
    return [Seat(player, name, letters[player], player in taken) for player, name in names.items()]


def _table_of(token: str) -> tuple[bool, Table | None]:
    """Say whether a code is good this evening, and which table it leads to now; ``None``: none has begun."""
    found = services()
    code = found.logins.evening(token)
    if code is None or code[0] != found.guests.evening:
        return False, None
    at = code[1] or found.guests.current
    if at is None:
        return True, None
    try:
        table = found.tables.get(found.guests.after(at) or at)
    except UnknownTable:
        return True, None
    # In the lobby nobody knows yet which game is to come: one that is over is none.
    over = code[1] is None and (table.overview is None or table.overview.finished)
    return True, None if over else table


@blueprint.get("/join-cards.pdf")
def join_cards() -> AnyResponse:
    """Give the code for everybody as a sheet of cards to print; for the banker."""
    the_banker()
    write = services().print_join_cards
    if write is None:
        raise NotFound
    return Response(write(evening_code(None).address, language()), mimetype="application/pdf")
