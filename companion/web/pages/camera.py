"""The camera on pages: its state, what it sees, calibration in words, and cards to try it with."""

from collections.abc import Mapping, Sequence
from itertools import chain, islice, zip_longest
from typing import Any

from calibration.lens import PARTS, Coverage
from calibration.mat import DetectedMat, Mat
from calibration.picture_check import MIN_PIXELS_A_MM, Distance, PictureLight
from calibration.steps import LensStep, TableStep
from companion.game_api.ui import CameraState, CameraStatus, CardOfAnotherGame
from companion.service.services import Services
from companion.web.game_ui import main_game
from companion.web.http.auth import services
from companion.words import Words


def camera_status(services: Services, table_id: str, camera: Mapping[str, Any]) -> CameraStatus:
    """Return the state of the camera for a table."""
    at_table = services.scanner.attached_to == table_id
    state: CameraState = "elsewhere" if camera["state"] == "seeing" and not at_table else camera["state"]
    return CameraStatus(
        name=camera["camera"],
        state=state,
        at_table=at_table,
        simulated=services.simulated_table is not None,
        zones=services.simulated_table.zones if services.simulated_table is not None else (),
        problem=camera["problem"],
        cards=[seen["card"] for seen in (*camera["cards"], *camera["faces"]) if seen["card"] is not None],
        twins=sorted({label["card"] for label in camera["twins"]}),
        unknown=[card["like"] for card in camera["faces"] if card["card"] is None],
        foreign_cards=[
            CardOfAnotherGame(label["card"], _game_title(services, label["game"])) for label in camera["strangers"]
        ],
        mat=camera["mat"],
        differences=camera["differences"] if state == "seeing" else (),
        moved=_moved_cards(camera) if state == "seeing" else (),
    )


def _game_title(services: Services, game: str) -> str:
    opened = services.tables.games.get(game)
    return game if opened is None else opened.manifest.title


def _moved_cards(camera: Mapping[str, Any]) -> list[str]:
    """Return the cards that were moved while the program was not running."""
    if not camera["resumed"]:
        return []
    return sorted(
        {card for difference in camera["differences"] for card in difference.get("cards") or [difference["card"]]}
    )


def chosen_zone(requested: str | None, zones: Sequence[str]) -> str | None:
    """Return the zone of the simulated mat in which cards are laid: the requested one, or the scan tray."""
    return requested if requested in zones else next((zone for zone in zones if zone == "tray"), None)


# Zones of a mat in the picture of the camera


def zones_in_picture(words: Words, mat: DetectedMat) -> list[dict[str, Any]]:
    """Return each zone of a mat with its name, its title, and its corners in the picture (pixels)."""
    return [
        {
            "zone": zone.name,
            "title": words.say_in("zone", zone.name),
            "corners": [[round(axis, 1) for axis in mat.table.to_pixel(x, y)] for x, y in zone.corners_mm],
        }
        for zone in mat.mat.zones.zones
    ]


# Results of checks and calibration in words

CORNERS = 4


def light_words(words: Words, light: PictureLight) -> list[str]:
    """Return what is wrong with the picture; nothing where all is well."""
    lines = []
    if light.exposure == "glare":
        lines.append(words.say_in("camera glare", "here"))
    elif light.exposure != "good":
        lines.append(words.say_in("camera light", light.exposure))
    if light.focus == "blurred":
        lines.append(words.say_in("camera focus", "blurred"))
    return lines


def mat_title(words: Words, mat: Mat) -> str:
    """Return the title of a mat: bundled mats are translated, others have the title of their file."""
    lines = words.template(mat.name, "mat")
    return mat.title if lines == mat.name else lines


def distance_words(words: Words, distance: Distance | None, pixels_a_mm: float | None) -> str:
    """Return a sentence on the distance of the camera."""
    figures = {"needed": words.figure(MIN_PIXELS_A_MM, 1), "size": words.figure(pixels_a_mm or 0.0, 1)}
    return words.say_in("camera distance", distance or "unknown", **figures)


def board_words(words: Words, step: LensStep) -> str:
    """Return a sentence on the calibration board in one frame."""
    if step.coverage.is_enough:
        return words.say("There are enough pictures.")
    if not step.corners:
        return words.say("No board in view: hold all of it under the camera.")
    if step.taken:
        return words.say("{corners} corners: taken.", corners=step.corners)
    if step.light.focus == "blurred":
        return words.say("{corners} corners, but blurred: hold it still.", corners=step.corners)
    return words.say("{corners} corners, as before: move the board.", corners=step.corners)


def missing_words(words: Words, coverage: Coverage) -> list[str]:
    """Return what is still missing before the lens can be computed, one item a line."""
    wanted = []
    if coverage.views_missing:
        wanted.append(words.several("{count} more picture", "{count} more pictures", coverage.views_missing))
    if coverage.tilted_missing:
        wanted.append(
            words.several(
                "{count} with the board tilted more",
                "{count} of them with the board tilted more",
                coverage.tilted_missing,
            )
        )
    if len(coverage.parts_missing) == len(PARTS):
        wanted.append(words.say("the board in every part of the picture"))
    elif coverage.parts_missing:
        parts = words.listed([words.say_in("picture part", part) for part in coverage.parts_missing])
        wanted.append(words.say("the board at these places: {parts}", parts=parts))
    return wanted


def error_words(words: Words, error_px: float, error_mm: float) -> str:
    """Return a sentence on an error in pixels and millimetres."""
    return words.say("Off by {px} pixels = {mm} mm.", px=words.figure(error_px), mm=words.figure(error_mm))


def mat_words(words: Words, step: TableStep, labels: int) -> list[str]:
    """Return sentences on the mat in view."""
    mat = step.mat
    if mat is None:
        return [words.say("No mat in view. Without one the whole picture is the scan tray.")]
    lines = [
        words.say("Mat: {title}", title=mat_title(words, mat.mat)),
        words.say("{seen} of 4 corner markers in view", seen=CORNERS - len(step.hidden)),
    ]
    if step.hidden:
        hidden = words.listed([words.say_in("picture part", corner) for corner in step.hidden])
        lines.append(words.say("Hidden or out of view: the marker at the {corners}", corners=hidden))
    far = mat.pixels_a_mm < MIN_PIXELS_A_MM
    size = words.say("{size} pixels/millimetre", size=words.figure(mat.pixels_a_mm))
    lines.append(distance_words(words, "far", mat.pixels_a_mm) if far else size)
    lines.append(error_words(words, mat.error_px, mat.error_mm))
    if labels:
        lines.append(words.several("{count} card read", "{count} cards read", labels))
    return lines


# Sample cards for trying out the camera

MOST_SAMPLE_CARDS = 6


def sample_cards() -> list[str]:
    """Return a few cards of the deck used to check the camera, alternating kinds."""
    check = services().check
    if check is None:
        return []
    kinds = main_game(services()).kinds
    cards = check.usual.cards()
    tables = [list(cards.get(kind.table, ()))[1:] for kind in kinds]
    return list(islice((card for card in chain(*zip_longest(*tables)) if card is not None), MOST_SAMPLE_CARDS))
