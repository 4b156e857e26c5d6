"""What all tests share: no network, none of the user's own files, and a KG of each slice that comes along."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import socket
import tempfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest
from pytest_socket import disable_socket

ROOT = Path(__file__).parent.parent
SLICE = ROOT / "data" / "wikidata-small.json.gz"
EVERYDAY = ROOT / "kgstore" / "data" / "wikidata-everyday.json.zst"

collect_ignore = ["offline"]  # sitecustomize.py there is for children, see pytest_configure


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("numprocesses", None) and not hasattr(config, "workerinput"):
        return  # this process runs no tests: its workers do, and they are no children of a test
    disable_socket(allow_unix_socket=True)  # also while modules are imported; --disable-socket covers the tests
    paths = [str(ROOT / "tests" / "offline"), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)
    signal.signal(signal.SIGINT, signal.default_int_handler)    # ignored by default in a job in the background
    nobody = tempfile.TemporaryDirectory(prefix="kgstore-tests-")  # in place of the user's
    config.add_cleanup(nobody.cleanup)
    for name in ("DATA", "CONFIG"):
        os.environ[f"XDG_{name}_HOME"] = str(Path(nobody.name, name.lower()))
    os.environ.pop("KGSTORE_KG", None)
    os.environ.pop("KGSTORE_GGUF", None)
    os.environ.pop("KGSTORE_EMBEDDER", None)
    os.environ.pop("KGSTORE_JUDGE", None)
    os.environ.pop("KGSTORE_READER", None)


@pytest.fixture(autouse=True)
def loopback(request: pytest.FixtureRequest) -> None:
    """Tests with a server on this machine are skipped where it cannot talk to itself (`unshare -rn`)."""
    if request.node.get_closest_marker("enable_socket") is not None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect(("127.0.0.1", 9))
            except OSError:
                pytest.skip("there is no loopback interface")


@pytest.fixture(scope="session")
def small_kg(pytestconfig: pytest.Config) -> Path:
    """A KG of the shipped slice, without vectors of statements. Read it only: it is kept for later runs.

    It lies in pytest's cache, under a name that follows from the slice and the code that loads it.
    """
    return cached(pytestconfig, "small-kg", _load_small)


@pytest.fixture(scope="session")
def everyday_kg(pytestconfig: pytest.Config) -> Path:
    """A KG as `kgstore demo` makes it. Read it only: it is kept for later runs, as `small_kg` is."""
    return cached(pytestconfig, "everyday-kg", _load_everyday, EVERYDAY)


def cached(config: pytest.Config, what: str, make: Callable[[Path], None], source: Path = SLICE) -> Path:
    """The folder that ``make`` fills from a slice, made again only when the slice, the code or a library changes."""
    cache = getattr(config, "cache", None)  # None where pytest runs with -p no:cacheprovider
    place = cache.mkdir(what) if cache is not None else config.rootpath / ".pytest_cache" / "d" / what
    place.mkdir(parents=True, exist_ok=True)
    folder = place / _key(source)
    if not folder.exists():
        partial = place / f"{folder.name}.{os.getpid()}"
        try:
            make(partial)
            partial.rename(folder)
            finished = [one for one in place.iterdir() if "." not in one.name]
            for old in sorted(finished, key=lambda one: one.stat().st_mtime)[:-3]:
                shutil.rmtree(old, ignore_errors=True)
        except OSError:
            if not folder.exists():  # else another run was quicker
                raise
        finally:
            shutil.rmtree(partial, ignore_errors=True)
    return folder


def _load_small(target: Path) -> None:
    from kgstore.loaders.run import load

    load([SLICE], target, vectors=False, name="wikidata-small")


def _load_everyday(target: Path) -> None:
    from kgstore.loaders.run import load

    load([EVERYDAY], target, vectors=False, name="everyday")


def _key(source: Path) -> str:
    digest = hashlib.sha256(source.read_bytes())
    for path in sorted([*ROOT.glob("kgstore/**/*.py"), *ROOT.glob("loaders/**/*.py")]):
        digest.update(path.read_bytes())
    for library in ("pyoxigraph", "duckdb", "numpy"):
        digest.update(version(library).encode())
    return digest.hexdigest()[:16]
