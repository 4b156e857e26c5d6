"""Does an image come out of a bundle's Containerfile, and does kgstore work in it? No network is at hand meanwhile.

Run:    python -m tests.container --bundle kgstore-bundle.tar --root bookworm [--work FOLDER]
        FOLDER (--root) holds a system with the Python of the bundle, such as one made by
        debootstrap --variant=minbase --include=python3,python3-venv bookworm FOLDER
Prints: seconds, and megabytes of the image. Needs buildah (tried with Debian's 1.28), and root or user namespaces.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

TEXT = "Barack Obama was born in Kenya. Canberra is the capital of Australia.\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bundle", type=Path, required=True)
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--work", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.work) as scratch:
        print(json.dumps(tried(given.bundle, given.root, Path(scratch))))


def tried(bundle: Path, root: Path, work: Path) -> dict[str, float | str]:
    """Make the base image, build on it, and verify in the container."""
    with tarfile.open(bundle) as archive:
        archive.extractall(work, filter="data")

    def buildah(*words: str, said: str = "") -> str:
        """Without any interface but a loopback that is down."""
        place = ("--storage-driver", "vfs", "--root", str(work / "store"), "--runroot", str(work / "run"))
        done = subprocess.run(["unshare", "-n", "buildah", *place, *words], input=said, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"buildah {' '.join(words)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout.strip()

    base = buildah("from", "scratch")
    buildah("copy", "-q", base, str(root), "/")
    buildah("commit", "-q", "--rm", base, "base")
    found: dict[str, float | str] = {}
    begun = time.monotonic()
    build = ("build", "--isolation", "chroot", "--build-arg", "BASE=localhost/base", "-t", "kgstore")
    buildah(*build, str(work / "kgstore-bundle"))
    found["build_s"] = round(time.monotonic() - begun, 1)
    [image] = json.loads(buildah("images", "--json", "kgstore"))
    found["image"] = image["size"]
    container = buildah("from", "--pull-never", "localhost/kgstore")
    run = ("run", "--isolation", "chroot", container, "--", "/opt/kgstore/bin/kgstore")
    begun = time.monotonic()
    buildah(*run, "demo")
    found["demo_s"] = round(time.monotonic() - begun, 1)
    report = json.loads(buildah(*run, "verify", "-", "--format", "json", said=TEXT))
    found["labels"] = " ".join(claim["label"] for claim in report["claims"])
    found["user"] = buildah("run", "--isolation", "chroot", container, "--", "id", "-un")
    return found


if __name__ == "__main__":
    main()
