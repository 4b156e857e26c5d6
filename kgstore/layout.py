"""The files of a KG folder.

::

    manifest.json            which generation is current (a copy of that generation's own manifest)
    writer.lock              held by the one writer; says who that is
    generations/000003/      graph/  sources/  catalog.duckdb  catalog/  topology/  vectors/  manifest.json
    generations/000004.partial/   a load that is running, or was killed; no reader ever looks at it
    .../base.json            in a partial one: what it was begun from; goes when the manifest names the generation

A generation is never changed after its rename. Switching to another one is one atomic rename of ``manifest.json``, so a
reader sees either the old or the new one, and keeps what it opened. A writer that is killed between these two renames
leaves a generation that nobody ever opened: ``base.json`` tells it, and it counts as partial.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import socket
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kgstore import locks
from kgstore.errors import FormatTooNew, InputError, NotAStore, StoreLocked, StoreNotFound
from kgstore.remote.address import is_remote, written

FORMAT = 1
MANIFEST, GENERATIONS, LOCK, PARTIAL, BASE = "manifest.json", "generations", "writer.lock", ".partial", "base.json"


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a KG says of itself.

    :param profile: a built-in profile's name, or its whole table
    :param generation: six digits, the folder under ``generations/``
    :param fingerprint: sha256 over format, sources and triple count: equal for equal content made the same way
    :param embedder: fingerprint of the model that made the vectors; None without vectors
    """

    format: int
    name: str
    profile: str | dict[str, Any]
    languages: tuple[str, ...]
    generation: str
    fingerprint: str
    embedder: str | None = None
    created: str = ""
    counts: dict[str, int] = field(default_factory=dict)


def now() -> str:
    """This second, in UTC, as the manifest and the ledger write it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def read_manifest(folder: Path) -> Manifest:
    """
    :raises StoreNotFound: if there is no such folder
    :raises NotAStore: if it holds no readable manifest
    :raises FormatTooNew: if a later kgstore wrote it
    """
    folder = Path(folder)
    if not folder.exists():
        if is_remote(folder):
            why = f"{written(folder)} is a server, and this works on a folder only"
            raise InputError(why, "copy it with `kgstore mirror`")
        raise StoreNotFound(folder)
    try:
        table = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        if _numbered(folder):
            why, instead = "its first load was not finished", "repeat that load with --resume"
            raise NotAStore(folder, why, instead) from None
        raise NotAStore(folder) from None
    except (ValueError, OSError) as error:
        raise NotAStore(folder, f"its manifest.json cannot be read: {error}") from None
    if not isinstance(table, dict) or not isinstance(table.get("format"), int):
        raise NotAStore(folder, "its manifest.json names no format")
    if table["format"] > FORMAT:
        raise FormatTooNew(folder, table["format"], FORMAT)
    try:
        known = {key: table[key] for key in (one.name for one in fields(Manifest)) if key in table}
        return Manifest(**{**known, "languages": tuple(table["languages"])})
    except (TypeError, KeyError) as error:
        raise NotAStore(folder, f"its manifest.json is incomplete: {error}") from None


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Replace the manifest at once: after a crash it is the old or the new one, never half of either."""
    write_json(folder / MANIFEST, asdict(manifest))


def write_json(path: Path, table: Mapping[str, Any]) -> None:
    """Replace a file at once, as `write_manifest` does; on disk when this returns."""
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        with new.open("w", encoding="utf-8") as file:
            json.dump(table, file, ensure_ascii=False, indent=2, sort_keys=True)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)
    sync(path.parent)


def leftovers(folder: Path) -> list[Path]:
    """Files that `write_manifest` had begun when its process was killed; whoever holds the lock may remove them."""
    return list(Path(folder).glob(f"{MANIFEST}.*.new"))


def sync(path: Path) -> None:
    """Force a file, or the entries of a folder, to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_tree(folder: Path) -> None:
    """Force every file under a folder to the disk."""
    for place, _, names in os.walk(folder):
        for name in names:
            sync(Path(place, name))
        sync(Path(place))


def is_full(error: BaseException) -> bool:
    """Whether an error says that a disk is full, whichever library raised it."""
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return True
    signs = ("No space left on device", "quota exceeded", "max_temp_directory_size")
    return any(words in str(error) for words in signs)


def free_bytes(folder: Path) -> int:
    """Room on the disk of a folder, which need not exist."""
    place = Path(folder).absolute()
    while not place.exists():
        place = place.parent
    return shutil.disk_usage(place).free


def link_tree(old: Path, new: Path) -> None:
    """The files of a folder under another name: the same files where the file system can do that, else copies."""
    if old.is_dir():
        shutil.copytree(old, new, copy_function=link)


def link(old: Path | str, new: Path | str) -> None:
    """A file under another name, as `link_tree`."""
    try:
        os.link(old, new)
    except OSError:
        shutil.copy2(old, new)


def generation_path(folder: Path, generation: str) -> Path:
    return Path(folder) / GENERATIONS / generation


def generations(folder: Path) -> list[str]:
    """The finished generations, oldest first."""
    left = partials(folder)
    return [name for name in _numbered(folder) if generation_path(folder, name) not in left]


def partials(folder: Path) -> list[Path]:
    """What killed loads left behind (or, while the lock is held, the load that runs)."""
    every = [generation_path(folder, name) for name in _numbered(folder)]
    begun = [path for path in every if path.name.endswith(PARTIAL) or (path / BASE).exists()]
    if any(not path.name.endswith(PARTIAL) for path in begun) and (Path(folder) / MANIFEST).exists():
        current = read_manifest(folder).generation  # killed after the switch: nothing is missing
        begun = [path for path in begun if path.name != current]
    return begun


def next_generation(folder: Path) -> str:
    """A number that was never used before, so that a generation's name always means the same content."""
    last = max((int(name[:6]) for name in _numbered(folder)), default=0)
    if (Path(folder) / MANIFEST).exists():
        last = max(last, int(read_manifest(folder).generation))
    return f"{last + 1:06d}"


def _numbered(folder: Path) -> list[str]:
    inside = Path(folder) / GENERATIONS
    if not inside.is_dir():
        return []
    return sorted(one.name for one in inside.iterdir() if one.name[:6].isdigit() and one.name[6:] in ("", PARTIAL))


class Lock:
    """The right to write to a KG; one process at a time, given back by the system when that process ends.

    :raises StoreLocked: on entering, names the process that holds it
    """

    def __init__(self, folder: Path) -> None:
        self.folder = Path(folder)
        self._handle: int | None = None

    def __enter__(self) -> Lock:
        handle = self._take()
        command = " ".join(Path(one).name if not at else one for at, one in enumerate(sys.argv))[:200]
        owner = f"process {os.getpid()} on {socket.gethostname()} since {now()} ({command})"
        locks.write(handle, owner)
        self._handle = handle
        return self

    def _take(self) -> int:
        while True:
            self.folder.mkdir(parents=True, exist_ok=True)
            handle = os.open(self.folder / LOCK, os.O_RDWR | os.O_CREAT | locks.OPEN, 0o644)
            if not locks.locked(handle):
                owner = locks.read(handle)
                os.close(handle)
                raise StoreLocked(self.folder, owner or "another process")
            try:
                if os.stat(self.folder / LOCK).st_ino == os.fstat(handle).st_ino:
                    return handle
            except FileNotFoundError:
                pass
            os.close(handle)  # the last owner took its new, failed KG away, lock file and all: start over

    def __exit__(self, *_: object) -> None:
        if self._handle is not None:
            os.ftruncate(self._handle, 0)
            os.close(self._handle)
            self._handle = None


def writing(folder: Path) -> str:
    """Who writes to a KG at this moment; empty if nobody does."""
    try:
        handle = os.open(Path(folder) / LOCK, os.O_RDONLY | locks.OPEN)
    except FileNotFoundError:
        return ""
    try:
        return "" if locks.locked(handle, shared=True) else locks.read(handle) or "another process"
    finally:
        os.close(handle)


class Pin:
    """A reader's hold on a generation: `prune` leaves it alone until the reader closes it or ends."""

    def __init__(self, generation: Path) -> None:
        self._handle: int | None = os.open(generation / MANIFEST, os.O_RDONLY | locks.OPEN)
        locks.locked(self._handle, shared=True, wait=True)

    def close(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


@contextmanager
def _unused(generation: Path) -> Iterator[bool]:
    try:
        handle = os.open(generation / MANIFEST, os.O_RDONLY | locks.OPEN)
    except FileNotFoundError:
        yield True
        return
    try:
        yield locks.locked(handle)
    finally:
        os.close(handle)


def prune(folder: Path, keep: int = 1) -> list[str]:
    """Delete old generations and what killed loads left; return the names that went.

    :param keep: how many finished generations stay, the current one always among them; those being read stay, too
    :raises StoreLocked: if somebody is writing
    """
    if keep < 1:
        raise ValueError("keep must be at least 1")
    current, gone = read_manifest(folder).generation, []
    with Lock(folder):
        stay = {current, *[name for name in generations(folder) if name != current][::-1][: keep - 1]}
        old = [generation_path(folder, name) for name in generations(folder) if name not in stay]
        for path in [*old, *partials(folder)]:
            with _unused(path) as unused:
                if unused:
                    shutil.rmtree(path)
                    gone.append(path.name)
    return gone


def rollback(folder: Path, generation: str | None = None) -> Manifest:
    """Make an older generation current again; later ones stay until `prune`.

    :param generation: the one before the current one unless told; works where ``manifest.json`` is lost, too
    :raises StoreNotFound: if there is no such folder
    :raises InputError: if there is no such generation
    """
    if not Path(folder).is_dir():
        raise StoreNotFound(folder)
    with Lock(folder):
        known = generations(folder)
        if generation is None:
            current = read_manifest(folder).generation
            generation = max((name for name in known if name < current), default=None)
            if generation is None:
                raise InputError(f"no generation before {current}", f"choose one of {', '.join(known)}")
        if generation not in known:
            raise InputError(f"no generation {generation}", f"choose one of {', '.join(known) or 'another KG'}")
        manifest = read_manifest(generation_path(folder, generation))
        write_manifest(folder, manifest)
    return manifest
