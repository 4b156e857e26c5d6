"""The KG that commands read where none is named: the configuration file's, or the one that `kgstore demo` makes."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from platformdirs import user_config_path, user_data_path

from kgstore.errors import InputError

SLICE = Path(__file__).parent / "data" / "wikidata-everyday.json.zst"
SAMPLE = Path(__file__).parent / "data" / "sample.txt"


def made_kg() -> Path:
    """Where `kgstore demo` makes its KG, in the user's data folder."""
    return user_data_path("kgstore", appauthor=False) / "everyday.kg"


OPTIONS: dict[str, type] = {"judge": str, "reader": str, "embedder": str, "gguf": str, "jobs": int}
"""Keys of the configuration file that stand for options of the same name, wherever a command has them."""


def config_file() -> Path:
    """TOML: ``kg``, a folder, and `OPTIONS`."""
    return user_config_path("kgstore", appauthor=False) / "config.toml"


def configured() -> dict[str, Any]:
    """The keys of the configuration file; empty if there is none.

    :raises InputError: if the file is no TOML, has a key that is not known, or a value of another type
    """
    path = config_file()
    if not path.is_file():
        return {}
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {path}: {(error.strerror or str(error)).lower()}", "mend or remove it") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is not TOML ({error})", 'write lines such as kg = "/path/of/a.kg"') from None
    known = {"kg": str, **OPTIONS}
    if unknown := sorted(set(found) - set(known)):
        raise InputError(f"{path} has the unknown key {', '.join(unknown)}", f"known are {', '.join(known)}")
    for key, value in found.items():
        if type(value) is not known[key]:
            what = "a whole number" if known[key] is int else "a text in quotes"
            raise InputError(f"{path}: {key} is no {what.removeprefix('a ')}", f"write {what}")
    return found


def default_kg() -> Path | None:
    """The KG of the configuration file, else the one of `kgstore demo`, if it was made.

    :raises InputError: as of `configured`
    """
    found = configured()
    if "kg" in found:
        return Path(found["kg"]).expanduser()
    return made_kg() if made_kg().exists() else None
