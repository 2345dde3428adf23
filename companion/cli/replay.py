"""``companion replay``: send recordings through the pipeline again, and condense them to tests."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli.options import data_option, unused_language_option
from companion.cli.output import NO, print_json_line, progress
from companion.config import resolve_data_folder

if TYPE_CHECKING:
    from companion.adapters.recordings.recording import Recording
    from companion.bootstrap.cameras import Replay
    from companion.service.camera.recording import Departure, Placed


@click.command(short_help="Run recordings of the camera through the reader again.")
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--within", type=click.IntRange(0), default=500, show_default=True, help="Milliseconds that are as good as none."
)
@click.option("--keep", metavar="DIR", type=click.Path(path_type=Path), help="Condense it to a test in a new folder.")
@click.option("--from", "since", type=click.FloatRange(0), default=0, help="With --keep: from so many seconds on.")
@click.option("--to", "until", type=click.FloatRange(0), help="With --keep: up to so many seconds.")
@data_option
@unused_language_option
def replay(
    folder: Path | None, *, within: int, keep: Path | None, since: float, until: float | None, data: str | None
) -> int:
    """Send recordings through the pipeline again and print the placements as JSON; exit 1 if they differ.

    FOLDER is a recording or a folder of them (default: what the data folder holds).
    """
    from companion.adapters.recordings.recording import Recording, RecordingError, list_recordings
    from companion.bootstrap.cameras import condense_recording, replay

    where = folder or resolve_data_folder(data).recordings
    recordings = [Recording(path) for path in list_recordings(where)]
    if not recordings:
        raise RecordingError(f"{where}: no recording; serve --record DIR makes one")
    if keep is not None:
        if len(recordings) > 1:
            raise click.UsageError(f"--keep takes one recording, {where} holds {len(recordings)}")
        with progress(f"replaying {recordings[0].folder.name}"):
            condensed = condense_recording(
                recordings[0], keep, round(since * 1000), None if until is None else round(until * 1000)
            )
        _print(Recording(keep), condensed)
        _report_torn(recordings[0])
        size = sum(file.stat().st_size for file in keep.iterdir()) / 1000
        click.echo(f"{keep}: {condensed.frames} frames, {len(condensed.now)} placements, {size:.0f} kB", err=True)
        return 0
    departed = False
    for recording in recordings:
        with progress(f"replaying {recording.folder.name}"):
            played = replay(recording)
        _print(recording, played)
        _report_torn(recording)
        departure = played.find_departure(within)
        departed = departed or departure is not None
        outcome = "as recorded" if departure is None else _describe_departure(departure)
        click.echo(f"{recording.folder}: {played.frames} frames, {len(played.now)} placements: {outcome}", err=True)
    return NO if departed else 0


def _print(recording: "Recording", played: "Replay") -> None:
    for placed in played.now:
        print_json_line({"recording": recording.folder.name, **placed.as_json()})


def _report_torn(recording: "Recording") -> None:
    if recording.torn is not None:
        click.echo(f"{recording.torn}; replayed up to there", err=True)


def _describe_departure(departure: "Departure") -> str:
    said = f"recorded was {_describe_placement(departure.recorded)}, now {_describe_placement(departure.now)}"
    return f"after {departure.at_ms / 1000:.1f} s {said}"


def _describe_placement(placed: "Placed | None") -> str:
    if placed is None:
        return "nothing"
    placement = placed.placement
    return f"{placement.event} {placement.card} in {placement.zone} at {placed.at_ms / 1000:.1f} s"
