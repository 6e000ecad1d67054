"""Files that one process holds: what it writes, and which part of the work it does.

The system frees the lock of a process that dies, so that nothing has to be tidied up by
hand after a crash.
"""

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from inspect_awareness.errors import StoreError


@contextmanager
def claimed(path: Path, *, wait: bool) -> Iterator[int | None]:
    """Hold a file alone; it is gone afterwards, unless it was moved elsewhere.

    Args:
        path: The file, made where it is not there.
        wait: Wait for another holder.

    Yields:
        Its descriptor, or None where another process holds it and `wait` is false.
    """
    held = _held(path, wait=wait)
    try:
        yield held
    finally:
        if held is not None:
            if _is_at(held, path):
                path.unlink()
            os.close(held)


def sweep(path: Path) -> None:
    """Remove a file that a dead process held; leave one that is held."""
    with suppress(FileNotFoundError), claimed(path, wait=False):
        pass


def sync_folder(folder: Path) -> None:
    """Make the names in a folder survive a power cut."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


@contextmanager
def disk_errors(folder: Path) -> Iterator[None]:
    """Say in one line what the disk refuses; what was written before is whole."""
    try:
        yield
    except OSError as ex:
        full = ex.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        why = "no room to write" if full else "cannot be written"
        todo = "Free some space" if full else "Check the folder"
        raise StoreError(
            f"{folder}: {why} ({ex.strerror}); the shards that are there are whole. "
            f"{todo} and run the same command again, it continues where it stopped"
        ) from ex


def _held(path: Path, *, wait: bool) -> int | None:
    """A locked descriptor of the file that is at the path now."""
    while True:
        opened = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            os.close(opened)
            return None
        except BaseException:
            os.close(opened)
            raise
        if _is_at(opened, path):
            return opened
        os.close(opened)  # the holder before moved or removed it while we waited


def _is_at(opened: int, path: Path) -> bool:
    """Whether the path still leads to the open file."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return False
    ours = os.fstat(opened)
    return (found.st_dev, found.st_ino) == (ours.st_dev, ours.st_ino)
