"""A copy of a KG's current generation, in a folder of its own that is a KG itself."""

from __future__ import annotations

import shutil
from pathlib import Path

from kgstore import layout
from kgstore.errors import InputError, StoreError
from kgstore.layout import BASE, Manifest, Pin


def backup(folder: Path, target: Path) -> Manifest:
    """Copy the current generation and the KG's own settings; on disk when this returns.

    The copy shares no file with the original and appears as a whole or not at all. Nobody is kept from writing
    meanwhile: a generation is never changed.

    :raises InputError: if there is something at the target
    :raises StoreError: if the copy cannot be written, or differs in size from the original
    """
    folder, target = Path(folder), Path(target)
    manifest = layout.read_manifest(folder)
    if target.exists():
        raise InputError(f"{target} exists", "name a folder that does not, for the backup")
    source = layout.generation_path(folder, manifest.generation)
    partial = target.with_name(target.name + layout.PARTIAL)
    shutil.rmtree(partial, ignore_errors=True)
    pin = Pin(source)
    try:
        copy = layout.generation_path(partial, manifest.generation)
        shutil.copytree(source, copy, ignore=shutil.ignore_patterns(BASE))
        for path in folder.iterdir():
            if path.is_file() and path.suffix == ".json" and path.name != layout.MANIFEST:  # such as calibration.json
                shutil.copy2(path, partial)
        if differing := [path for path in copy.rglob("*") if path.is_file() and not _same_size(path, copy, source)]:
            raise StoreError(f"the copy of {differing[0].name} has another size: check the disk and repeat the backup")
        layout.write_manifest(partial, manifest)
        layout.sync_tree(partial)
        partial.rename(target)
        layout.sync(target.absolute().parent)
    except OSError as error:
        why = error.strerror or error
        raise StoreError(f"{target} cannot be written ({why}): make room, or name another place") from None
    finally:
        pin.close()
        shutil.rmtree(partial, ignore_errors=True)
    return manifest


def _same_size(path: Path, copy: Path, source: Path) -> bool:
    return path.stat().st_size == (source / path.relative_to(copy)).stat().st_size
