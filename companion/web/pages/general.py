"""Pages that show no table: login, rules, glossary, backups, catalogs, trust in the certificate, camera calibration."""

from flask import Blueprint, Response, current_app, make_response, redirect, request
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from companion.engine.game import Refused
from companion.web.game_ui import ui_for
from companion.web.http.auth import claimed_caller, safe_local_path, services
from companion.web.http.language import language
from companion.web.http.problems import Problem, problem_of_refusal
from companion.web.pages.camera import camera_status, mat_title
from companion.web.pages.join import is_own_screen
from companion.web.pages.language import page_frame, remember_language

blueprint = Blueprint("general", __name__)

LONGEST_DELAY_DIGITS = 6

TRUST_DEVICES = ("apple", "android", "windows", "mac", "firefox")
_USER_AGENTS = (
    ("iPhone", "apple"),
    ("iPad", "apple"),
    ("Android", "android"),
    ("Windows", "windows"),
    ("Mac OS", "mac"),
)
"""Parts of a User-Agent header, each with the kind of device that it stands for; the first match counts."""


@blueprint.get("/login")
def show_login() -> AnyResponse:
    """Ask for the PIN; ``error`` is ``pin``, ``wait`` (with ``seconds``), ``join``, ``seat``, ``taken`` or ``hosts``.

    A phone or screen that was let in by a code is told how it comes in again instead, unless ``pin`` asks for the form.
    """
    frame = page_frame()
    reason = _reason_to_stay_out()
    if reason == "out" and is_own_screen():
        return redirect("/screen", 303)
    if reason and "pin" not in request.args:
        claimed = claimed_caller()
        about = {"reason": reason, "hosts": claimed is not None and claimed.role == "host"}
        page = frame.render("join_again.html", next=safe_local_path(request.args.get("next")), **about)
        return remember_language(make_response(page))
    seconds = request.args.get("seconds", "")
    page = frame.render(
        "login.html",
        next=safe_local_path(request.args.get("next")),
        error=request.args.get("error", ""),
        seconds=int(seconds) if seconds.isdecimal() and len(seconds) <= LONGEST_DELAY_DIGITS else 0,
    )
    return remember_language(make_response(page))


def _reason_to_stay_out() -> str:
    """Return why a guest's device stays out: ``out``, ``join``, ``seat``, ``taken``, ``hosts``; empty for others."""
    error = request.args.get("error", "")
    if error in {"seat", "taken", "hosts"}:
        return error
    caller = claimed_caller()
    if caller is None or caller.is_organiser or services().guests.admits(caller):
        return ""
    return {"": "out", "join": "join"}.get(error, "")


@blueprint.get("/rules")
def show_rules() -> AnyResponse:
    """Show all rules and refusals of a game (``?game=``), each under its id; ``?table=`` links back to a table."""
    frame = page_frame()
    words = frame.words
    table = request.args.get("table", "")
    back = f"/tables/{table}" if table.isalnum() else "/"
    chapters = ui_for(frame.manifest).chapters(words)
    return remember_language(make_response(frame.render("rules.html", chapters=chapters, back=back)))


@blueprint.get("/rules/<name>")
def show_rule(name: str) -> AnyResponse:
    """Return one rule, by its id or that of a refusal, to be shown over a page; 404 if there is none."""
    frame = page_frame()
    words = frame.words
    rule = ui_for(frame.manifest).rule(words, name)
    if rule is None:
        return make_response("", 404)
    return make_response(frame.render("rule.html", rule=rule, refusal=name))


@blueprint.get("/words")
def show_glossary() -> AnyResponse:
    """Explain every word and symbol of a game under its id; ``?table=`` links back to a table."""
    frame = page_frame()
    words = frame.words
    table = request.args.get("table", "")
    table = table if table.isalnum() else ""
    ui = ui_for(frame.manifest)
    page = frame.render(f"{ui.folder}/words.html", groups=ui.terms(words), table=table)
    return remember_language(make_response(page))


@blueprint.get("/backups")
def show_backups() -> AnyResponse:
    """Return the backups; with ``?look`` diagnose the installation as well."""
    folder, diagnostics = services().backups, services().diagnostics
    if folder is None and diagnostics is None:
        return redirect("/")
    frame = page_frame()
    findings = None if diagnostics is None or "look" not in request.args else diagnostics.findings()
    kept = {} if folder is None else {"backups": folder.all(), "place": folder.location, "fault": folder.fault}
    page = frame.render("backups.html", findings=findings, **kept)
    return remember_language(make_response(page))


@blueprint.get("/catalogs")
def show_catalogs() -> AnyResponse:
    """Return the catalogs of all games."""
    shared = services().shared_catalogs
    if shared is None:
        return redirect("/")
    frame = page_frame()
    files = shared.all()
    games = [
        (game.manifest.title, [file for file in files if file.game == name])
        for name, game in services().tables.games.items()
    ]
    return remember_language(make_response(frame.render("catalogs.html", shelves=games)))


@blueprint.get("/trust")
def show_trust() -> AnyResponse:
    """Explain how a device trusts this app's certificate authority, the caller's kind of device first.

    Open to everybody, because it is needed before a login.
    """
    frame = page_frame()
    agent = request.headers.get("User-Agent", "")
    own_device = next((device for name, device in _USER_AGENTS if name in agent), "firefox")
    certificates = services().certificates
    page = frame.render(
        "trust.html",
        secure=secure_address(),
        is_secure=request.is_secure,
        to_install=certificates is not None and certificates.authority is not None,
        fingerprint="" if certificates is None else certificates.fingerprint,
        devices=sorted(TRUST_DEVICES, key=lambda device: device != own_device),
        mine=own_device,
    )
    return remember_language(make_response(page))


@blueprint.get("/trust/companion.crt")
def send_certificate() -> Response:
    """Return the certificate that devices have to trust (X.509, DER)."""
    certificates = services().certificates
    authority = None if certificates is None else certificates.authority
    if authority is None:
        raise Problem("not_found", "This companion has no certificate authority of its own.")
    response = Response(authority, mimetype="application/x-x509-ca-cert")
    response.headers["Content-Disposition"] = 'attachment; filename="companion.crt"'
    return response


def secure_address() -> str:
    """Return the address of the secure pages under the host name of the request; empty if there are none."""
    port = int(current_app.extensions.get("companion.secure_port", 0))
    if not port:
        return ""
    host, colon, last = request.host.rpartition(":")
    return f"https://{host if colon and last.isdecimal() else request.host}:{port}/"


@blueprint.get("/calibrate")
def show_calibration() -> AnyResponse:
    """Show the calibration of the camera: check, lens, mat; ``?table=`` links back to a table."""
    frame = page_frame()
    words = frame.words
    table = request.args.get("table", "")
    camera = camera_status(services(), "", services().scanner.state_json(""))
    page = frame.render(
        "calibrate.html",
        camera=camera,
        can_calibrate=services().calibrating is not None and camera.state != "none",
        mats=[(mat.name, mat_title(words, mat)) for mat in services().mats],
        table=table if table.isalnum() else "",
    )
    return remember_language(make_response(page))


@blueprint.get("/calibrate/<name>.pdf")
def send_calibration_sheet(name: str) -> AnyResponse:
    """Return a sheet to print: ``board``, or a mat by its name."""
    try:
        pdf = services().print_sheet(name, language())
    except Refused as refused:
        raise problem_of_refusal(refused, {}) from None
    if pdf is None:
        raise NotFound
    return Response(pdf, mimetype="application/pdf")
