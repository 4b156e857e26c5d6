"""Does a load survive being killed at any moment?

Run:    python -m tests.bench.kill_loads dump.json.gz --kills 100 --seed 7 [--base first.nt.gz] [--shard 200000]
Prints: one JSON line (arguments, in which state each kill left the KG, how many loads came to an end, and whether each
end was identical to that of a load that nobody disturbed: sorted triples, catalog and topology).

A KG of ``--base`` (three triples unless told) is the old state. The dump is loaded into it with ``--resume`` again and
again, each time killed (SIGKILL, the process and those that read for it) after a time drawn evenly from 0 to that of an
undisturbed load. After each kill the KG is opened: it must be in the old state, or in the new one where the switch was
done, with every triple readable, and the ledger, catalog and topology that belong to it. When a load comes to its end,
the KG is compared and the old state is put back.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from kgstore import layout
from kgstore.export import digests
from kgstore.store import Store

BASE = "".join(
    f"<http://example.org/{name}> <http://www.w3.org/2000/01/rdf-schema#label> \"{name}\" .\n"
    for name in ("Ada", "Bob", "Eve")
)
LOAD = """
import sys
from pathlib import Path
from kgstore.loaders import run
run.SHARD = int(sys.argv[1])
resume, profile = sys.argv[4] == "resume", sys.argv[5]
summary = run.load([Path(sys.argv[3])], Path(sys.argv[2]), vectors=False, resume=resume, profile=profile)
print(summary.continued)
"""


def begin(args: argparse.Namespace, dump: Path, kg: Path, resume: bool) -> subprocess.Popen[str]:
    how = ["resume" if resume else "", args.profile]
    command = [sys.executable, "-c", LOAD, str(args.shard), str(kg), str(dump), *how]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def whole(args: argparse.Namespace, dump: Path, kg: Path) -> float:
    """Load undisturbed; seconds."""
    started = time.monotonic()
    out, err = (process := begin(args, dump, kg, False)).communicate()
    if process.returncode:
        raise SystemExit(f"the load fails by itself: {out}{err}")
    return time.monotonic() - started


def state(kg: Path, counts: dict[str, dict[str, int]]) -> str:
    """``old`` or ``new``.

    :raises AssertionError: if it is neither
    """
    with Store(kg) as store:
        generation = store.manifest.generation
        assert counts[generation] == store.manifest.counts, (generation, store.manifest.counts)
        assert len(store.graph) == store.manifest.counts["triples"]
        assert sum(1 for _ in store.match()) == store.manifest.counts["triples"]
        assert len(store.ledger()) == store.manifest.counts["sources"]
        assert len(store.catalog) == store.manifest.counts["entities"]
        assert len(store.topology) == store.manifest.counts["edges"]
        best = store.catalog.at(0)
        assert store.entity(best.iri) == best
    return "old" if generation == min(counts) else "new"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dump", type=Path)
    parser.add_argument("--base", type=Path)
    parser.add_argument("--profile", default="wikidata", help="of base and dump")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--shard", type=int, default=200_000, help="triples a shard; a load's own is 1,000,000")
    args = parser.parse_args()
    draw = random.Random(args.seed)
    with tempfile.TemporaryDirectory(prefix="kill-loads-") as folder:
        kg, old, reference = (Path(folder, name) for name in ("tried.kg", "old.kg", "reference.kg"))
        base = args.base
        if base is None:
            base = Path(folder, "base.nt")
            base.write_text(BASE, encoding="utf-8")
        whole(args, base, old)
        shutil.copytree(old, reference)
        seconds = whole(args, args.dump, reference)
        right = digests(layout.generation_path(reference, "000002"))
        made = [layout.generation_path(reference, one) for one in layout.generations(reference)]
        counts = {one.name: layout.read_manifest(one).counts for one in made}
        shutil.copytree(old, kg)
        states: Counter[str] = Counter()
        ends, continued = [], 0
        while states.total() < args.kills or not ends or layout.partials(kg):
            process = begin(args, args.dump, kg, True)
            try:
                wait = draw.uniform(0, seconds) if states.total() < args.kills else None
                out, err = process.communicate(timeout=wait)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
                states[state(kg, counts)] += 1
                told = f"{dict(states)}, {len(ends)} ends, {sum(ends)} of them identical"
                print(f"kill {states.total()} after {wait:.1f} s: {told}", file=sys.stderr)
                if layout.read_manifest(kg).generation == "000001":
                    continue
            else:
                if process.returncode:
                    raise SystemExit(f"a load that was not killed failed: {out}{err}")
                continued += "True" in out
            assert state(kg, counts) == "new"
            ends.append(digests(layout.generation_path(kg, "000002")) == right)
            shutil.rmtree(kg)
            shutil.copytree(old, kg)
    told = {key: str(value) for key, value in vars(args).items()}
    print(json.dumps({**told, "seconds": round(seconds, 1), "kills": states.total(), "states": states,
                      "ends": len(ends), "continued ends": continued, "identical ends": sum(ends)}))  # fmt: skip
    sys.exit(not all(ends))


if __name__ == "__main__":
    main()
