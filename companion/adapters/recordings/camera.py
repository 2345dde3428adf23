"""A camera whose frames are recorded: what is read is what is kept."""

from companion.adapters.recordings.recorder import EveningRecorder
from companion.service.sight.camera import Camera, Frame


class RecordedCamera:
    """Stands before a camera and lets the recorder have every frame first."""

    def __init__(self, camera: Camera, recorder: EveningRecorder) -> None:
        """Take the camera and who records it; both are closed with this."""
        self._camera = camera
        self._recorder = recorder

    @property
    def name(self) -> str:
        """Return the camera's own name."""
        return self._camera.name

    def grab(self) -> Frame | None:
        """Return the next frame as it is kept; ``CameraError`` as the camera says."""
        frame = self._camera.grab()
        return None if frame is None else self._recorder.pictured(frame)

    def close(self) -> None:
        """Give the camera back, and end the recording."""
        self._camera.close()
        self._recorder.close()
