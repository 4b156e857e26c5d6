"""The KG that commands read where none is named: the configuration file's, or the one that `kgstore demo` makes."""

from __future__ import annotations

import tomllib
from pathlib import Path

from platformdirs import user_config_path, user_data_path

from kgstore.errors import InputError

SLICE = Path(__file__).parent / "data" / "wikidata-everyday.json.gz"
SAMPLE = Path(__file__).parent / "data" / "sample.txt"


def made_kg() -> Path:
    """Where `kgstore demo` makes its KG, in the user's data folder."""
    return user_data_path("kgstore", appauthor=False) / "everyday.kg"


def config_file() -> Path:
    """TOML; its only key is ``kg``, a folder."""
    return user_config_path("kgstore", appauthor=False) / "config.toml"


def default_kg() -> Path | None:
    """The KG of the configuration file, else the one of `kgstore demo`, if it was made.

    :raises InputError: if the file is no TOML, or has another key
    """
    path = config_file()
    if path.is_file():
        try:
            found = tomllib.loads(path.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise InputError(f"{path} is not TOML ({error})", 'write one line: kg = "/path/of/a.kg"') from None
        if set(found) - {"kg"} or not isinstance(found.get("kg", ""), str):
            raise InputError(f"{path} has more than the key kg", 'write one line: kg = "/path/of/a.kg"')
        if "kg" in found:
            return Path(found["kg"]).expanduser()
    return made_kg() if made_kg().exists() else None
