"""One archive that installs kgstore on a machine without a network.

::

    kgstore-bundle/wheels/*.whl      kgstore's own holds the models and the graph of everyday knowledge
                   licences/NAME/    what each wheel says of its licence
                   install.sh  Containerfile  PYTHON_VERSION  REQUIREMENT  LICENSE  NOTICE
                   SHA256SUMS        of all others; install.sh compares them first
"""

from __future__ import annotations

import hashlib
import io
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from kgstore.errors import InputError

ROOT = "kgstore-bundle"
DATA = Path(__file__).parent / "data"
_LICENCES = ("licen", "notice", "copying", "authors")


def write_bundle(target: Path, wheels: Sequence[Path], python: str, extras: Sequence[str] = ()) -> int:
    """Write the archive, the same bytes for the same wheels; bytes of it.

    :param wheels: kgstore's own and all that it needs
    :param python: version that the wheels are for, as ``3.11``
    :raises InputError: if there is no wheel of kgstore, one is damaged, or the archive cannot be written
    """
    named = {path.name: path for path in sorted(wheels)}
    if not any(name.startswith("kgstore-") for name in named):
        raise InputError("no wheel of kgstore among the wheels", "put it there: `pip wheel --no-deps .` in a checkout")
    requirement = "kgstore" + (f"[{','.join(sorted(extras))}]" if extras else "")
    files: dict[str, bytes | Path] = {f"wheels/{name}": path for name, path in named.items()}
    files |= {name: DATA / name for name in ("install.sh", "Containerfile")}
    files |= {"PYTHON_VERSION": f"{python}\n".encode(), "REQUIREMENT": f"{requirement}\n".encode()}
    for path in named.values():
        files |= dict(_licences(path))
    sums = "".join(f"{_digest(files[name])}  {name}\n" for name in sorted(files))
    files["SHA256SUMS"] = sums.encode()
    try:
        with tarfile.open(target, "w") as archive:  # wheels are packed already
            for name in sorted(files):
                _add(archive, f"{ROOT}/{name}", files[name])
    except OSError as error:
        target.unlink(missing_ok=True)
        why = (error.strerror or str(error)).lower()
        raise InputError(f"cannot write {target}: {why}", "name another file") from None
    return target.stat().st_size


def download(folder: Path, own: Path, python: str, platform: Sequence[str] = (), extras: Sequence[str] = ()) -> None:
    """Put into ``folder`` the wheels that kgstore's own wheel needs, by pip; the one step that asks a network.

    :param own: kgstore's wheel
    :param platform: tags such as ``manylinux_2_28_x86_64``; empty for this machine
    :raises InputError: if pip fails
    """
    wanted = str(own) + (f"[{','.join(sorted(extras))}]" if extras else "")
    if not platform and python == this_python():
        _pip("wheel", "--quiet", "--wheel-dir", str(folder), wanted)  # builds what there is no wheel of
        return
    words = ["--only-binary=:all:", "--python-version", python, "--implementation", "cp"]
    words += [word for tag in platform for word in ("--platform", tag)]
    _pip("download", "--quiet", "--dest", str(folder), *words, wanted)


def own_wheel(folder: Path) -> Path:
    """kgstore's own wheel, built from the checkout that runs.

    :raises InputError: if this is no checkout
    """
    root = Path(__file__).parents[1]
    if not (root / "pyproject.toml").is_file():
        why = "kgstore is installed from a wheel, which is needed here"
        raise InputError(why, "put that wheel and those that it needs into a folder, and name it with --wheels")
    shutil.rmtree(root / "build" / "lib", ignore_errors=True)  # setuptools would pack what an earlier state left there
    _pip("wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(root))
    return next(folder.glob("kgstore-*.whl"))


def this_python() -> str:
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def _pip(*words: str) -> None:
    try:
        distribution("pip")
    except PackageNotFoundError:
        raise InputError("pip is not installed here", "install it, or name a folder of wheels with --wheels") from None
    command = [sys.executable, "-m", "pip", words[0], "--disable-pip-version-check", *words[1:]]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or done.stderr.splitlines()[-1:]
        raise InputError(f"pip {words[0]} failed ({' '.join(said)[:300]})", "mend that, or name wheels with --wheels")


def _licences(wheel: Path) -> Iterator[tuple[str, bytes]]:
    try:
        with ZipFile(wheel) as inside:
            for name in inside.namelist():
                first, _, last = name.partition("/")
                last = last.rpartition("/")[2]
                if first.endswith(".dist-info") and last.lower().startswith(_LICENCES):
                    yield f"licences/{first.removesuffix('.dist-info')}/{last}", inside.read(name)
                    if first.startswith("kgstore-") and last in ("LICENSE", "NOTICE"):
                        yield last, inside.read(name)
    except (BadZipFile, OSError) as error:
        raise InputError(f"{wheel} is no wheel ({error})", "take it out of the folder, or get it again") from None


def _digest(content: bytes | Path) -> str:
    if isinstance(content, bytes):
        return hashlib.sha256(content).hexdigest()
    with content.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _add(archive: tarfile.TarFile, name: str, content: bytes | Path) -> None:
    entry = tarfile.TarInfo(name)
    entry.mode = 0o755 if name.endswith(".sh") else 0o644
    if isinstance(content, bytes):
        entry.size = len(content)
        archive.addfile(entry, io.BytesIO(content))
        return
    entry.size = content.stat().st_size
    with content.open("rb") as file:
        archive.addfile(entry, file)
