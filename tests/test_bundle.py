"""`kgstore bundle`: an archive that installs where there is no network. The wheels here are stand-ins;
`tests/offline_install.py` does it with the real ones."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest
from click.testing import CliRunner

from kgstore.bundle import ROOT, this_python
from kgstore.cli.main import main

UNSHARE = shutil.which("unshare")
HERE = os.environ | {"PYTHON": sys.executable}


def wheel(folder: Path, name: str, code: str, needs: str = "", script: str = "") -> None:
    """A small wheel of one module."""
    info = f"{name}-0.1.0.dist-info"
    meta = f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1.0\n" + (f"Requires-Dist: {needs}\n" if needs else "")
    files = {
        f"{name}.py": code,
        f"{info}/METADATA": meta,
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/licenses/LICENSE": f"the licence of {name}\n",
    }
    if script:
        files[f"{info}/entry_points.txt"] = f"[console_scripts]\n{script}\n"
    files[f"{info}/RECORD"] = "".join(f"{one},,\n" for one in (*files, f"{info}/RECORD"))
    with ZipFile(folder / f"{name}-0.1.0-py3-none-any.whl", "w") as archive:
        for one, text in files.items():
            archive.writestr(one, text)


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    folder = tmp_path / "wheels"
    folder.mkdir()
    wheel(folder, "kgstore", "import other\ndef main(): print(other.SAID)\n", "other", "kgstore = kgstore:main")
    wheel(folder, "other", "SAID = 'kgstore 0.1.0 stands in'\n")
    return folder


@pytest.fixture
def unpacked(wheels: Path, tmp_path: Path) -> Path:
    target = tmp_path / "bundle.tar"
    done = CliRunner().invoke(main, ["bundle", "--wheels", str(wheels), "-o", str(target)])
    assert done.exit_code == 0, done.output
    with tarfile.open(target) as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path / ROOT


def test_it_holds_wheels_licences_and_checksums_of_all(unpacked):
    names = {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()}
    assert {"install.sh", "Containerfile", "LICENSE", "REQUIREMENT", "licences/other-0.1.0/LICENSE"} <= names
    sums = dict(line.split("  ")[::-1] for line in (unpacked / "SHA256SUMS").read_text().splitlines())
    assert set(sums) == names - {"SHA256SUMS"}
    for name, digest in sums.items():
        assert hashlib.sha256((unpacked / name).read_bytes()).hexdigest() == digest


def test_the_same_wheels_make_the_same_bytes(wheels, tmp_path):
    for name in ("a.tar", "b.tar"):
        done = CliRunner().invoke(main, ["bundle", "--wheels", str(wheels), "-o", str(tmp_path / name)])
        assert done.exit_code == 0, done.output
    assert (tmp_path / "a.tar").read_bytes() == (tmp_path / "b.tar").read_bytes()


def test_it_installs_in_a_namespace_without_network(unpacked, tmp_path):
    if UNSHARE is None or subprocess.run([UNSHARE, "-rn", "true"], capture_output=True).returncode:
        pytest.skip("this system lets nobody make a network namespace (unshare -rn)")
    install = [UNSHARE, "-rn", "sh", str(unpacked / "install.sh"), str(tmp_path / "venv")]
    done = subprocess.run(install, capture_output=True, text=True, cwd=tmp_path, env=HERE)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "kgstore 0.1.0 stands in" in done.stdout


def test_a_damaged_file_or_another_python_is_not_installed(unpacked, tmp_path):
    def install() -> subprocess.CompletedProcess[str]:
        command = ["sh", str(unpacked / "install.sh"), str(tmp_path / "venv")]
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=HERE)

    licence = unpacked / "LICENSE"
    licence.write_text("another\n")
    assert install().returncode and not (tmp_path / "venv").exists()
    licence.write_text("the licence of kgstore\n")
    (unpacked / "PYTHON_VERSION").write_text("2.7\n")
    lines = (unpacked / "SHA256SUMS").read_text().splitlines(keepends=True)
    (unpacked / "SHA256SUMS").write_text("".join(line for line in lines if "PYTHON_VERSION" not in line))
    done = install()
    assert done.returncode == 2 and "for Python 2.7, " in done.stderr and f"is {this_python()}" in done.stderr
    assert not (tmp_path / "venv").exists()


def test_wheels_without_kgstores_own_are_refused(wheels, tmp_path):
    next(wheels.glob("kgstore-*")).unlink()
    done = CliRunner().invoke(main, ["bundle", "--wheels", str(wheels), "-o", str(tmp_path / "b.tar")])
    assert done.exit_code == 2 and "no wheel of kgstore" in done.stderr and not (tmp_path / "b.tar").exists()
    done = CliRunner().invoke(main, ["bundle", "--wheels", str(tmp_path / "none"), "-o", str(tmp_path / "b.tar")])
    assert done.exit_code == 2 and "no folder" in done.stderr
