"""``companion calibrate``: print the board, calibrate the lens, check the table."""

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.cli.options import (
    data_option,
    hand_down_options,
    language_option,
    unused_data_option,
    unused_language_option,
)
from companion.cli.output import (
    NO,
    Report,
    force_option,
    output_file,
    print_beside_progress,
    progress,
    require_writable,
)
from companion.config import resolve_data_folder

if TYPE_CHECKING:
    from calibration.lens import Coverage
    from calibration.picture_check import PictureLight
    from calibration.profile import Profile
    from calibration.steps import LensStep, TableStep
    from companion.service.camera.camera import Camera, Frame


FRAMES_OF_TABLE = 5
BETWEEN_S = 0.1


@click.group(invoke_without_command=True, short_help="Calibrate the camera: its lens, the mat, the light.")
@data_option
@click.pass_context
@language_option
def calibrate(context: click.Context, data: str | None, lang: str) -> None:
    """Calibrate the camera: `board` writes the pattern, `lens` measures the lens, `table` checks mat and light."""
    hand_down_options(context, data=data, lang=lang)
    if context.invoked_subcommand is None:
        click.echo("1. companion calibrate board board.pdf   print it at 100 %, glue it on flat card", err=True)
        click.echo("2. companion calibrate lens              hold it under the camera, tilted every way", err=True)
        click.echo("3. companion mat mat.pdf                 print it, lay it on the table", err=True)
        click.echo("4. companion calibrate table             see whether all is in view, sharp and well lit", err=True)


@calibrate.command(short_help="Write the calibration board to print.")
@click.argument("out", type=click.Path(path_type=Path))
@force_option
@unused_data_option
@language_option
def board(out: Path, *, force: bool, lang: str) -> None:
    """Write the calibration board to OUT, a PDF to print at 100 %."""
    require_writable(out, force=force)
    from companion.bootstrap.printing import write_calibration_board

    with output_file(out, force=force) as path:
        write_calibration_board(path, lang)
    click.echo(f"calibration board in {out}", err=True)


def camera_option(command: Any) -> Any:
    """Add ``--camera`` and ``--seconds``."""
    command = click.option("--seconds", type=click.FloatRange(1, 3600), default=180.0, show_default=True)(command)
    explained = "sim, usb[:INDEX], a video file, a folder of pictures ..."
    return click.option("--camera", "spec", metavar="SPEC", default="usb", show_default=True, help=explained)(command)


@calibrate.command(short_help="Measure the lens from pictures of the board.")
@camera_option
@click.option("--square-mm", type=click.FloatRange(5, 200), default=36.0, show_default=True, help="As measured.")
@data_option
@unused_language_option
def lens(spec: str, seconds: float, square_mm: float, data: str | None) -> int:
    """Calibrate the lens from pictures of the board, and store it in the camera's profile."""
    from calibration.fiducials import Board
    from calibration.lens import LensError
    from calibration.steps import LensCalibration
    from companion.adapters.calibration_stores import save_profile

    default = Board()
    steps = LensCalibration(Board(square_mm=square_mm, marker_mm=default.marker_mm * square_mm / default.square_mm))
    folder = resolve_data_folder(data)
    camera = _open_camera(spec, folder.mats)
    try:
        with progress("looking for the board") as report:
            shown = ""
            for frame in _frames(camera, seconds, report):
                step = steps.observe(frame.image)
                words = lens_words(step)
                if words != shown:
                    print_beside_progress(words)
                shown = words
                if step.coverage.is_enough:
                    break
        with progress("fitting the lens"):
            fit = steps.fit()
    except LensError as error:
        click.echo(f"no lens yet: {error}", err=True)
        return NO
    finally:
        camera.close()
    profile = _profile(folder.profiles, camera.name, "done now")
    path = save_profile(folder.profiles, replace(profile, lens=fit))
    click.echo(f"lens: off by {fit.error_px:.2f} px = {fit.error_mm:.2f} mm in {fit.views} pictures; {path}", err=True)
    click.echo(json.dumps({"error_px": round(fit.error_px, 3), "error_mm": round(fit.error_mm, 3), "views": fit.views}))
    return 0


@calibrate.command(short_help="Check mat, zones, focus and light in a picture.")
@camera_option
@data_option
@unused_language_option
def table(spec: str, seconds: float, data: str | None) -> int:
    """Check what the camera sees of the table: mat, zones, focus, light; store where the mat lies."""
    import numpy as np

    from calibration.mat import MatTracker
    from calibration.profile import CalibratedMat
    from calibration.steps import observe_table
    from companion.adapters.calibration_stores import save_profile
    from companion.bootstrap.cameras import create_sample_reader, load_mats

    folder = resolve_data_folder(data)
    camera = _open_camera(spec, folder.mats)
    reader = create_sample_reader()
    try:
        profile = _profile(folder.profiles, camera.name, "what is found now replaces it")
        lens = None if profile.lens is None else profile.lens.lens
        tracker = MatTracker([*load_mats(folder.mats).values()], lens)
        step, labels = None, 0
        with progress("looking at the table") as report:
            for number, frame in enumerate(_frames(camera, seconds, report), start=1):
                _, sightings = reader.read(frame)
                labels = len(sightings)
                step = observe_table(
                    tracker, frame.at_ms, frame.image, [np.array(sighting.corners) for sighting in sightings]
                )
                if number >= FRAMES_OF_TABLE and (step.mat is not None or number >= 2 * FRAMES_OF_TABLE):
                    break
    finally:
        camera.close()
    if step is None:
        raise click.ClickException(f"camera {camera.name}: no picture came")
    for line in table_words(step):
        click.echo(line, err=True)
    mat = step.mat
    result: dict[str, Any] = {"focus": step.light.focus, "exposure": step.light.exposure, "labels": labels}
    if mat is not None:
        profile_mat = CalibratedMat(mat.mat.name, mat.plane, mat.error_px, mat.error_mm)
        save_profile(folder.profiles, replace(profile, mat=profile_mat))
        result |= {"mat": mat.mat.name, "error_px": round(mat.error_px, 3), "error_mm": round(mat.error_mm, 3)}
    click.echo(json.dumps(result))
    return 0 if mat is not None and step.light.is_good else NO


def _open_camera(spec: str, mats: Path) -> "Camera":
    from companion.bootstrap import cameras
    from companion.service.camera.camera import CameraError

    if spec == "none":
        raise click.ClickException("none is no camera: it gives no pictures; name another with --camera")
    try:
        return cameras.connect_camera(spec, mats=mats)[0]
    except CameraError as error:
        raise click.ClickException(str(error)) from error


def _frames(camera: "Camera", seconds: float, report: Report) -> "Iterator[Frame]":
    """Yield the camera's frames until it ends or the time is over; unreadable ones are printed and skipped.

    A reason that stays is printed once.

    ``report``: takes how many pictures came, and for how long they are waited for.
    """
    from companion.service.camera.camera import CameraError

    deadline, count, printed = time.monotonic() + seconds, 0, ""
    report(f"no picture yet, at most {seconds:g} s")
    while not getattr(camera, "ended", False) and time.monotonic() < deadline:
        try:
            frame = camera.grab()
        except CameraError as error:
            if str(error) != printed:
                print_beside_progress(str(error))
            frame, printed = None, str(error)
        if frame is None:
            time.sleep(0 if getattr(camera, "ended", False) else BETWEEN_S)
        else:
            count, printed = count + 1, ""
            report(f"picture {count}, at most {seconds:g} s")
            yield frame


def _profile(folder: Path, camera: str, remedy: str) -> "Profile":
    """Return a camera's profile, an empty one in place of none; an unreadable one is printed with what is done now."""
    from calibration.bounded_toml import ProfileError
    from calibration.profile import Profile
    from companion.adapters.calibration_stores import load_profile

    try:
        return load_profile(folder, camera) or Profile(camera)
    except ProfileError as error:
        click.echo(f"{error} ({remedy})", err=True)
        return Profile(camera)


# Messages about focus, light and pose.

FOCUS = {
    "sharp": "focus: sharp",
    "soft": "focus: a little soft; labels near the edge may need another look",
    "blurred": "focus: blurred; turn the lens, clean it, or hold the camera still",
}
EXPOSURE = {
    "good": "light: good",
    "too_dark": "light: too dark; turn on a lamp above the table",
    "too_bright": "light: too bright; dim the lamp or shorten the exposure",
    "glare": "light: glare; move the lamp to the side so that it does not mirror in the cards",
}


def light_words(light: "PictureLight") -> str:
    """Return focus and exposure of a picture as a sentence."""
    focus = "focus: nothing in view to judge it by" if light.focus is None else FOCUS[light.focus]
    return f"{focus}; {EXPOSURE[light.exposure]}"


def lens_words(step: "LensStep") -> str:
    """Return what was seen of the board, and which pictures are missing."""
    if not step.corners:
        return f"no board seen; {light_words(step.light)}"
    if not step.taken and step.light.focus == "blurred":
        return f"{step.corners} corners, but not used; {light_words(step.light)}"
    outcome = "taken" if step.taken else "as before: move the board"
    return f"{step.corners} corners, {outcome}; {missing_words(step.coverage)}"


def missing_words(coverage: "Coverage") -> str:
    """Return which pictures are needed before the lens can be computed."""
    wanted: list[str] = []
    if coverage.views_missing:
        wanted.append(f"{coverage.views_missing} more picture{'s' if coverage.views_missing > 1 else ''}")
    if coverage.tilted_missing:
        wanted.append(f"{coverage.tilted_missing} with the board tilted more")
    if coverage.parts_missing:
        wanted.append(f"the board in the {', '.join(coverage.parts_missing)} of the picture")
    return f"missing: {'; '.join(wanted)}" if wanted else "nothing is missing"


def table_words(step: "TableStep") -> list[str]:
    """Return what was seen of the table, line by line."""
    lines = [light_words(step.light)]
    if step.mat is None:
        return [*lines, "no mat seen: the whole picture is the scan tray (companion mat prints one)"]
    mat = step.mat
    lines.append(f"mat: {mat.mat.title}, {4 - len(step.hidden)} of 4 corner markers seen")
    if step.hidden:
        lines.append(f"hidden: the marker at the {', '.join(step.hidden)}")
    lines.append(f"plane: {mat.pixels_a_mm:.2f} px a mm, off by {mat.error_px:.2f} px = {mat.error_mm:.2f} mm")
    lines.append(f"zones: {', '.join(zone.name for zone in mat.mat.zones.zones)}")
    return lines
