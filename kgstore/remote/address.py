"""``sparql+http://host:port/path``: the address of a SPARQL endpoint where a command takes a KG.

A password or token stands in the environment, so that it appears in no list of processes and in no report:
``KGSTORE_SPARQL_USER`` and ``KGSTORE_SPARQL_PASSWORD`` (HTTP Basic), or ``KGSTORE_SPARQL_TOKEN`` (Bearer).
"""

from __future__ import annotations

import base64
import os
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from kgstore.errors import InputError

_SCHEME = re.compile(r"(sparql\+[a-z]+|https?):(?:/{1,2}|$)")
_PREFIX = "sparql+"


@dataclass(frozen=True, slots=True)
class Address:
    """:param path: with its query, as it stands after the host"""

    secure: bool
    host: str
    port: int | None
    path: str

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http{'s' * self.secure}://{host}{'' if self.port is None else f':{self.port}'}{self.path}"


def is_remote(kg: Path | str | None) -> bool:
    """Is this an address, and no folder? It may be a wrong one, which `address` refuses.

    >>> is_remote(Path("sparql+http://127.0.0.1:7878/query")), is_remote(Path("my.kg"))
    (True, False)
    """
    return kg is not None and _SCHEME.match(str(kg)) is not None


def written(kg: Path | str) -> str:
    """An address as somebody wrote it, before `Path` made one slash of two; a folder as it is.

    >>> written(Path("sparql+http://127.0.0.1:7878/query"))
    'sparql+http://127.0.0.1:7878/query'
    """
    return _SCHEME.sub(r"\1://", str(kg), count=1)


def address(kg: Path | str) -> Address:
    """The parts of an address.

    >>> address(Path("sparql+https://kg.example.org/sparql")).url
    'https://kg.example.org/sparql'

    :raises InputError: if it is none
    """
    text = written(kg)
    try:
        parts = urlsplit(text.removeprefix(_PREFIX))
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in ("http", "https") or not parts.hostname or not text.isascii() or not text.isprintable():
        instead = "write it like sparql+http://127.0.0.1:7878/query, or with sparql+https"
        raise InputError(f"{text!r} is not the address of an endpoint", instead)
    if parts.username is not None or parts.fragment:
        why = "the address of the endpoint holds a password or a fragment"
        raise InputError(why, "put user and password into KGSTORE_SPARQL_USER and KGSTORE_SPARQL_PASSWORD")
    if not text.startswith(_PREFIX):
        raise InputError(f"{text!r} is not the address of an endpoint", f"write {_PREFIX}{text}")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Address(parts.scheme == "https", parts.hostname, port, path)


def credentials() -> dict[str, str]:
    """The header that the environment asks for, if any."""
    if token := os.environ.get("KGSTORE_SPARQL_TOKEN"):
        return {"Authorization": f"Bearer {token}"}
    if user := os.environ.get("KGSTORE_SPARQL_USER"):
        pair = f"{user}:{os.environ.get('KGSTORE_SPARQL_PASSWORD', '')}"
        return {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}
    return {}
