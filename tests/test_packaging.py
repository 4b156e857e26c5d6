"""What is built from the tree holds all of it under one name, and works beside other people's folders of our names."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parent.parent
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
FOLDERS = ("kgstore", "cli", "loaders", "verifier")
WEIGHTS = {".safetensors", ".npy", ".onnx"}
"""150 MB, of which only the names matter here."""
EMPTY = (8).to_bytes(8, "little") + b"{}      "
"""A .safetensors file without tensors."""


def installed(path: Path) -> str:
    """Where a file of the tree lies once it is installed."""
    return str(path) if path.parts[0] == "kgstore" else str(Path("kgstore", path))


def shipped() -> list[Path]:
    """The files of the four folders, relative to the root."""
    found = [path.relative_to(ROOT) for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file()]
    return sorted(path for path in found if "__pycache__" not in path.parts)


def test_the_list_of_packages_is_complete():
    found = {".".join(Path(installed(path)).parent.parts) for path in shipped() if path.name == "__init__.py"}
    assert sorted(SETTINGS["packages"]) == sorted(found)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist of the tree, and the wheel made from that sdist, as ``python -m build`` does it."""
    tree = tmp_path_factory.mktemp("tree")
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE", "NOTICE"):
        shutil.copy(ROOT / name, tree)
    for path in shipped():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        if path.suffix in WEIGHTS:
            (tree / path).write_bytes(EMPTY)
        else:
            shutil.copy(ROOT / path, tree / path)
    out = tmp_path_factory.mktemp("dist")
    make = "import sys; from setuptools import build_meta; getattr(build_meta, sys.argv[1])(sys.argv[2])"
    run(sys.executable, "-c", make, "build_sdist", str(out), cwd=tree)
    with tarfile.open(next(out.glob("*.tar.gz"))) as archive:
        archive.extractall(out / "sdist", filter="data")
    run(sys.executable, "-c", make, "build_wheel", str(out), cwd=next((out / "sdist").iterdir()))
    return out


def run(*command: str, cwd: Path, **environment: str) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, env=os.environ | environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_holds_every_file_and_claims_no_other_name(built):
    with ZipFile(next(built.glob("*.whl"))) as wheel:
        names = {name for name in wheel.namelist() if not name.split("/")[0].endswith(".dist-info")}
    assert names == {installed(path) for path in shipped()}


def test_it_works_beside_folders_of_the_same_names(built, tmp_path):
    target, here = tmp_path / "target", tmp_path / "here"
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps")
    run(*pip, "--no-compile", "--target", str(target), str(next(built.glob("*.whl"))), cwd=tmp_path)
    for name in FOLDERS[1:]:  # a user's own, which have nothing to do with ours
        (here / name).mkdir(parents=True)
        (here / name / "__init__.py").write_text("raise ImportError('this is not the one you look for')\n")
    (here / "people.csv").write_text("name,place of birth@entity\nAda Lovelace,London\n")
    libraries = Path(find_spec("click").origin).parent.parent
    path = os.pathsep.join([str(target), str(libraries)])
    python = (sys.executable, "-S")  # without site-packages, where kgstore may be installed from the tree
    kgstore = (*python, "-m", "kgstore")
    assert "0.1.0" in run(*kgstore, "--version", cwd=here, PYTHONPATH=path)
    run(*kgstore, "load", "people.csv", "--kg", "people.kg", "--no-vectors", cwd=here, PYTHONPATH=path)
    code = (
        "from kgstore import Store; from kgstore.verifier import Verifier\n"
        "verifier = Verifier(Store('people.kg'), judge='none', reader='none')\n"
        "print(verifier.verify('Ada Lovelace was born in London.').label)"
    )
    assert run(*python, "-c", code, cwd=here, PYTHONPATH=path).strip() == "attributable"
