"""Throw changed inputs at one parser, or at all, for some seconds.

Run:    python -m tests.fuzz rows --seconds 60 --seed 7
        python -m tests.fuzz all --seconds 20
        python -m tests.fuzz table --atheris --seconds 60     # guided by coverage; needs `pip install kgstore[fuzz]`
        python -m tests.fuzz table --input build/fuzz/crash-table-0123abcd     # one input again
Prints: one JSON line a target (inputs tried, seed). A broken promise ends it: traceback, and the input in a file.

Without atheris, inputs are the targets' seeds with some bytes or lines changed, doubled, dropped or joined.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
import time
from pathlib import Path

from tests.fuzz.targets import SEEDS, TARGETS

FOUND = Path("build", "fuzz")
"""Where inputs go that break a promise, and atheris' corpus."""
_PIECES = [
    *(bytes([one]) for one in b'"\n\r\0,\t|\\<>@{}[]-0 ;:'),
    *(b"_:", b"^^", b"\xff", b"\xef\xbb\xbf", b"null", b"9" * 30, b"\xed\xa0\x80", "é".encode(), "\u2028".encode()),
]
"""What parsers stumble over."""


def changed(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        a, b = sorted((rng.randint(0, len(data)), rng.randint(0, len(data))))
        b = min(b, a + rng.choice((1, 4, 64)))
        match rng.randrange(6):
            case 0:
                data = data[:a] + rng.choice(_PIECES) + data[a:]
            case 1:
                data = data[:a] + data[b:]
            case 2:
                data = data[:a] + bytes(rng.randrange(256) for _ in range(b - a)) + data[b:]
            case 3:
                data = data[:b] + data[a:b] + data[b:]
            case 4:
                lines = data.split(b"\n")
                rng.shuffle(lines)
                data = b"\n".join(lines)
            case 5:
                other = rng.choice(others)
                data = data[:a] + other[rng.randint(0, len(other)) :]
    return data[:20_000]


def at_random(name: str, seconds: float, seed: int) -> int:
    """Returns how many inputs were tried."""
    rng, pool, tried = random.Random(seed), list(SEEDS[name]), 0
    end = time.monotonic() + seconds
    for data in pool:
        attempt(name, data)
    while time.monotonic() < end:
        data = changed(rng.choice(pool), pool, rng)
        attempt(name, data)
        tried += 1
        if rng.random() < 0.02 and len(pool) < 500:
            pool.append(data)
    return tried


def attempt(name: str, data: bytes) -> None:
    try:
        TARGETS[name](data)
    except BaseException:
        FOUND.mkdir(parents=True, exist_ok=True)
        path = Path(FOUND, f"crash-{name}-{hashlib.sha256(data).hexdigest()[:8]}")
        path.write_bytes(data)
        print(f"the input is in {path}: {data[:300]!r}", file=sys.stderr)
        raise


def guided(name: str, seconds: float, seed: int) -> None:
    """Hands over to atheris, which ends the process."""
    import atheris

    atheris.instrument_all()
    folder = Path(FOUND, f"corpus-{name}")
    folder.mkdir(parents=True, exist_ok=True)
    for at, data in enumerate(SEEDS[name]):
        (folder / f"seed-{at}").write_bytes(data)
    options = [f"-max_total_time={int(seconds)}", f"-seed={seed}", "-max_len=4096", f"-artifact_prefix={FOUND}/"]
    atheris.Setup([sys.argv[0], *options, str(folder)], TARGETS[name])
    atheris.Fuzz()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", choices=[*TARGETS, "all"])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--atheris", action="store_true")
    parser.add_argument("--input", type=Path)
    given = parser.parse_args()
    for name in TARGETS if given.target == "all" else [given.target]:
        if given.input:
            TARGETS[name](given.input.read_bytes())
        elif given.atheris:
            guided(name, given.seconds, given.seed)
        else:
            tried = at_random(name, given.seconds, given.seed)
            print(json.dumps({"target": name, "seconds": given.seconds, "seed": given.seed, "inputs": tried}))


if __name__ == "__main__":
    main()
