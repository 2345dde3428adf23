"""The operating system: its clock, its memory allocator, folders for unfinished files, and errors in words."""

import contextlib
import ctypes
import errno
import fcntl
import os
import re
import resource
import shutil
import sys
import tempfile
import time
import zipfile
from collections.abc import Generator
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

M_ARENA_MAX, M_MMAP_THRESHOLD, M_TRIM_THRESHOLD = -8, -3, -1
"""Numbers of parameters in glibc's ``malloc.h``."""
ARENAS = 2
MMAP_THRESHOLD, TRIM_THRESHOLD = 1 << 20, 4 << 20
"""Bytes from which a block is mapped by itself, and of free memory that is kept at the end of a heap."""

REASONS = {
    errno.ENOENT: "there is no such file or folder",
    errno.EISDIR: "is a folder, not a file",
    errno.ENOTDIR: "a part of this path is a file, not a folder",
    errno.EEXIST: "is there already",
    errno.EACCES: "this user may not do that",
    errno.EPERM: "this user may not do that",
    errno.EROFS: "the disk is read-only",
    errno.ENOSPC: "the disk is full; make room on it",
    errno.EDQUOT: "the disk is full for this user; make room on it",
    errno.EFBIG: "the file would be larger than the disk or its limit allows",
    errno.EIO: "the disk does not answer properly; use another one",
    errno.ENAMETOOLONG: "the name is too long",
    errno.ELOOP: "links lead in a circle",
    errno.EMFILE: "too many files are open",
    errno.ENFILE: "too many files are open on this machine",
    errno.ENOMEM: "there is not enough memory",
    errno.EBUSY: "is in use",
    errno.ETXTBSY: "is in use",
    errno.EADDRINUSE: "is in use by another program",
    errno.EADDRNOTAVAIL: "is no address of this machine",
}
"""Errors of the operating system in words, by number."""


class OperatorError(Exception):
    """A file or database of an installation cannot be used; the message is one line for the operator."""


def local_now() -> datetime:
    """Return the local time, with its time zone."""
    return datetime.now().astimezone()


def limit_allocator() -> bool:
    """Let all threads share two heaps, and map large blocks directly; return whether the allocator allows it.

    By default each of the threads that wait for screens has a heap of its own, which costs a Pi 20 MB and gains
    nothing, because only one thread at a time runs Python.  Pictures come and go at every frame; within a heap they
    leave holes that are never returned (70 MB in half an hour).  Call this before threads are started.
    """
    if not sys.platform.startswith("linux"):
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    parameters = ((M_ARENA_MAX, ARENAS), (M_MMAP_THRESHOLD, MMAP_THRESHOLD), (M_TRIM_THRESHOLD, TRIM_THRESHOLD))
    return mallopt is not None and all(bool(mallopt(*parameter)) for parameter in parameters)


def allow_many_files() -> None:
    """Let this process have as many files open as the system allows it to have."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):  # then it stays at what it was
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


LEFT_S = 86_400
"""Seconds after which a folder counts as left behind on a file system that knows no locks."""
_RANDOM_END = re.compile(r"[a-z0-9_]{8}")
"""What ``tempfile`` adds to a prefix."""


@contextlib.contextmanager
def scratch_folder(place: Path, prefix: str) -> Generator[Path]:
    """Yield a new folder in ``place`` for unfinished files, which is removed when the block ends.

    It is locked until then: if this process is killed, and only then, whoever writes there next removes it.  What
    earlier ones have left is removed first.

    Raises:
        OSError: when no folder can be created there.

    """
    remove_left_folders(place, prefix)
    while True:
        with (
            tempfile.TemporaryDirectory(dir=place, prefix=prefix, ignore_cleanup_errors=True) as scratch,
            _locked_folder(Path(scratch)) as is_locked,
        ):
            if is_locked is not False:
                yield Path(scratch)
                return


def remove_left_folders(place: Path, prefix: str) -> None:
    """Remove the folders that ``scratch_folder`` could not, because its process was killed.

    Files and links of such a name, folders in use, and what this user may not remove, stay as they are.
    """
    for path in place.glob(f"{prefix}*"):
        if _RANDOM_END.fullmatch(path.name.removeprefix(prefix)):
            with contextlib.suppress(OSError), _locked_folder(path) as is_locked:
                if is_locked or (is_locked is None and abs(time.time() - path.stat().st_mtime) > LEFT_S):
                    shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def _locked_folder(path: Path) -> Generator[bool | None]:
    """Lock a folder for the block and yield whether this was possible; ``None`` where the file system has no locks.

    Raises:
        OSError: where ``path`` is no folder that can be opened.

    """
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        except OSError:
            yield None
        else:  # whoever had it before may have removed it
            yield path.is_dir() and path.stat().st_ino == os.fstat(descriptor).st_ino
    finally:
        os.close(descriptor)


def is_own_file(path: Path) -> bool:
    """Return whether a path is an ordinary file, and no link: a link may lead to a file that is nobody else's."""
    return path.is_file() and not path.is_symlink()


def open_private(path: Path) -> BinaryIO:
    """Create a file that only its owner can read."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def add_text(archive: zipfile.ZipFile, name: str, text: str) -> None:
    """Add a text to a zip archive, whatever the clock shows: the format knows no time before 1980."""
    info = zipfile.ZipInfo(name)
    info.external_attr = 0o600 << 16
    archive.writestr(info, text, archive.compression)


def os_error_reason(error: OSError) -> str:
    """Return what the operating system refused, in words and without the file's name."""
    reason = REASONS.get(error.errno) if error.errno is not None else None
    return reason or (error.strerror or str(error)).lower()


def describe_os_error(error: OSError) -> str:
    """Return an error of the operating system in words, after the name of its file if there is one."""
    named = error.filename2 or error.filename
    if isinstance(named, bytes):
        named = named.decode("utf-8", "replace")
    return os_error_reason(error) if named is None else f"{named}: {os_error_reason(error)}"
