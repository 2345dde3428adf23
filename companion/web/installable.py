"""Parts that let a browser install the pages where HTTPS is set up: a manifest, a service worker, and an offline page.

The service worker caches the offline page with its styles and pictures, and nothing else: positions are never cached.
"""

from flask import Blueprint, Response, current_app, jsonify, make_response, url_for

from companion.web.game_ui import main_game
from companion.web.http.auth import services
from companion.web.http.language import language
from companion.web.pages.language import page_frame
from companion.words import Words

blueprint = Blueprint("installable", __name__)

PAPER = "#f3ecdf"
ICONS = (
    ("icon.svg", "any", "image/svg+xml", "any"),
    ("icon-192.png", "192x192", "image/png", "any"),
    ("icon-512.png", "512x512", "image/png", "any"),
    ("icon-512.png", "512x512", "image/png", "maskable"),
)
"""File, size, type and purpose of each icon; the drawing leaves room for the edges that a mask may cut."""


@blueprint.get("/manifest.webmanifest")
def manifest() -> Response:
    """Return the manifest for browsers that install the application, in the reader's language."""
    words = Words(language())
    icons = [
        {"src": url_for("static", filename=name), "sizes": sizes, "type": kind, "purpose": purpose}
        for name, sizes, kind, purpose in ICONS
    ]
    answer = jsonify(
        {
            "id": "/",
            "name": words.say("Companion"),
            "short_name": words.say("Companion"),
            "description": words.say("{game}. The companion keeps the books.", game=main_game(services()).title),
            "lang": words.language,
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "background_color": PAPER,
            "theme_color": PAPER,
            "icons": icons,
        }
    )
    answer.mimetype = "application/manifest+json"
    return answer


@blueprint.get("/no-contact")
def no_contact() -> Response:
    """Return the page that a browser shows while the server cannot be reached."""
    frame = page_frame()
    return make_response(frame.render("no_contact.html"))


def render_not_now(detail: str, address: str) -> str:
    """Return the page that is shown instead of one that cannot be for the moment; ``address``: that of the other."""
    return page_frame(of=main_game(services())).render("not_now.html", detail=detail, address=address)


def render_nothing_here(title: str, detail: str) -> str:
    """Return the page of an address that leads nowhere, with a way to the first page."""
    frame = page_frame(of=main_game(services()))
    return frame.render("nothing_here.html", title=title, detail=detail, home=True)


@blueprint.get("/service_worker.js")
def service_worker() -> Response:
    """Return the service worker from the root of the site: it controls only what is below its own path."""
    return current_app.send_static_file("service_worker.js")
