"""Assets of pages: the style sheets of the house, each followed by the game's of that name, and the game's files."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from flask import Blueprint, abort, request, send_from_directory, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response

from companion.game_api.manifest import Manifest
from companion.web.game_ui import ui_for
from companion.web.http.auth import services
from companion.web.typefaces import embed_typefaces

blueprint = Blueprint("assets", __name__)

DARK_WHEN = {"dark": "all", "light": "not all", "": "(prefers-color-scheme: dark)"}
"""The screens on which the dark colours count, by what somebody chose."""
HOUSE_FOLDER = Path(__file__).parents[1] / "static"
HOUSE_SHEETS = {sheet.name: sheet.relative_to(HOUSE_FOLDER).as_posix() for sheet in HOUSE_FOLDER.glob("*/*.css")}
"""Where each style sheet of the house lies, by its file name."""
CONTINUED = {
    "calibrate": ("forced",),
    "lobby": ("kept_games", "forced"),
    "plain": ("plain_picture", "forced"),
    "plain_offers": ("plain_transfers",),
    "rules": ("forced",),
    "sheets": ("menu_sheets", "forced"),
    "stage": ("forced",),
    "staged": ("staged_tablet",),
    "tablet": ("tablet_acts", "tablet_sizes"),
    "teach": ("boxes",),
}
"""The style sheets that always follow one of a name; a game's of these names come after those of the house."""


@blueprint.get("/games/<name>/<path:filename>")
def game_static(name: str, filename: str) -> Response:
    """Return a style sheet, script or drawing of a game."""
    game = services().tables.games.get(name)
    folder = None if game is None else ui_for(game.manifest).static
    if folder is None:
        abort(404)
    return send_from_directory(folder, filename)


@dataclass(frozen=True, slots=True)
class Assets:
    """The style sheets and files that a page of a game's is drawn with."""

    manifest: Manifest

    def addresses(self, name: str) -> tuple[str, ...]:
        """Return where the style sheets of a name are found, the house's before the game's."""
        return _addresses(request.script_root, self.manifest, name)

    def styles(self, name: str, media: str = "") -> Markup:
        """Link the style sheets of a name; ``media``: the screens that they are for."""
        return _links(request.script_root, self.manifest, name, media)

    def sheets_text(self, name: str) -> Markup:
        """Return the style sheets of a name as text, for a picture that leaves the app and can fetch nothing."""
        sheets = [HOUSE_FOLDER / HOUSE_SHEETS[file] for file in _files(name) if file in HOUSE_SHEETS]
        folder = ui_for(self.manifest).static
        sheets += [folder / file for file in _files(name) if (folder / file).is_file()] if folder else []
        # Style sheets are the companion's own and a game's; nothing that anybody wrote at the table is among them.
        return Markup(embed_typefaces("\n".join(sheet.read_text("utf-8") for sheet in sheets)))  # noqa: S704

    def scripts(self, name: str) -> Markup:
        """Load the game's module of a name, before the house's own: it waits for taps that need more of the game."""
        folder, file = ui_for(self.manifest).static, f"{name}.js"
        if folder is None or not (folder / file).is_file():
            return Markup("")
        return Markup('<script type="module" src="{}"></script>').format(self.game_file(file))

    def game_file(self, filename: str) -> str:
        """Return the address of a file of the game's."""
        return url_for("assets.game_static", name=self.manifest.name, filename=filename)


def _files(name: str) -> list[str]:
    """Return the names of the style sheets that are linked under a name, in their order."""
    return [f"{part}.css" for part in (name, *CONTINUED.get(name, ()))]


@lru_cache(maxsize=256)
def _addresses(_root: str, game: Manifest, name: str) -> tuple[str, ...]:
    """Ask the disk once: every part of a page that is drawn anew links some, and they are many a command."""
    folder = ui_for(game).static
    house = [url_for("static", filename=HOUSE_SHEETS[file]) for file in _files(name) if file in HOUSE_SHEETS]
    own = [file for file in _files(name) if folder is not None and (folder / file).is_file()]
    return (*house, *(url_for("assets.game_static", name=game.name, filename=file) for file in own))


@lru_cache(maxsize=256)
def _links(root: str, game: Manifest, name: str, media: str) -> Markup:
    link = Markup('<link rel="stylesheet" href="{}"{}>')
    wanted = Markup(' media="{}" data-{}').format(media, name) if media else ""
    return Markup("\n").join(link.format(address, wanted) for address in _addresses(root, game, name))
