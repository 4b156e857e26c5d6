"""Does a real bundle install and work where there is no network? Takes minutes and 2 GB of disk.

Run:    python -m tests.offline_install [--bundle kgstore-bundle.tar] [--work FOLDER]
Prints: sizes and seconds; ends with an error if a step fails. Without --bundle, one is made first (pip asks its
        index for what is not in its cache). All that follows runs in a namespace without interfaces (`unshare -rn`),
        in a folder that holds a foreign cli/, loaders/ and verifier/.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

ALONE = ("unshare", "-rn")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bundle", type=Path)
    parser.add_argument("--work", type=Path)
    given = parser.parse_args()
    if subprocess.run([*ALONE, "true"], capture_output=True).returncode:
        sys.exit("this system lets nobody make a network namespace: try it as root, or on another machine")
    with tempfile.TemporaryDirectory(dir=given.work) as scratch:
        print(json.dumps(tried(given.bundle, Path(scratch))))


def tried(bundle: Path | None, work: Path) -> dict[str, float | str]:
    """Make or take a bundle, install it, make the default KG, verify, and replay the receipt."""
    found: dict[str, float | str] = {}
    if bundle is None:
        bundle = work / "kgstore-bundle.tar"
        found["bundle_s"] = timed(sys.executable, "-m", "kgstore", "bundle", "-o", str(bundle), cwd=work)
    found["bundle_mb"] = round(bundle.stat().st_size / 1e6)
    with tarfile.open(bundle) as archive:
        archive.extractall(work, filter="data")
    found["install_s"] = timed(*ALONE, "sh", str(work / "kgstore-bundle" / "install.sh"), str(work / "venv"), cwd=work)
    found["installed_mb"] = round(sum(one.lstat().st_size for one in (work / "venv").rglob("*")) / 1e6)
    for name in ("cli", "loaders", "verifier"):  # somebody else's, which have nothing to do with ours
        (work / name).mkdir()
        (work / name / "__init__.py").write_text("raise ImportError('this is not the one you look for')\n")
    kgstore = (*ALONE, str(work / "venv" / "bin" / "python"), "-m", "kgstore")  # looks in this folder first
    found["demo_s"] = timed(*ALONE, str(work / "venv" / "bin" / "kgstore"), "demo", cwd=work)
    (work / "text.txt").write_text("Barack Obama was born in Kenya. Canberra is the capital of Australia.\n")
    verify = ("verify", "text.txt", "--format", "json", "-o", "report.json", "--receipt", "receipt.json")
    found["verify_s"] = timed(*kgstore, *verify, cwd=work)
    found["labels"] = " ".join(one["label"] for one in json.loads((work / "report.json").read_bytes())["claims"])
    if found["labels"] != "contradictory attributable":
        sys.exit(f"the verdicts are wrong: {found['labels']}")
    found["replay_s"] = timed(*kgstore, "replay", "receipt.json", cwd=work)
    found["doctor_s"] = timed(*kgstore, "doctor", "--quick", cwd=work)
    return found


def timed(*command: str, cwd: Path) -> float:
    begun = time.monotonic()
    own = {"XDG_DATA_HOME": str(cwd / "data"), "XDG_CONFIG_HOME": str(cwd / "config"), "PYTHON": sys.executable}
    left = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "KGSTORE_KG")}
    done = subprocess.run(command, cwd=cwd, env=left | own, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return round(time.monotonic() - begun, 1)


if __name__ == "__main__":
    main()
