"""Does a corpus that Ray verifies come out whole, and once, whoever is killed? And what do more workers bring?

Run:    python -m tests.bench.ray_kills KG CLAIMS.jsonl.. [--documents 5000] [--kills 20] [--seed 7] [--rates 1,2]
Prints: one JSON line: documents a second with each number of workers, start apart, efficiency against one, and CPU
        seconds a document of all processes of a run (where they grow with the workers, it is the machine that is
        shared); then, with two Ray nodes on this machine: how often which of worker, node and driver was killed,
        whether the output is the undisturbed run's byte for byte, and whether each document is in the ledger once.

The texts of the files are taken in turn, again and again, until there are as many documents as are wanted. A killed
node (its raylet, by SIGKILL) is started anew, and so is a killed driver, with --resume. Times between two kills are
drawn so that all of them fall into the run.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from itertools import cycle, islice
from pathlib import Path

KINDS = ("worker", "node", "driver")
RAY = [sys.executable, "-c", "from ray.scripts.scripts import main; main()"]
SHARD = 50


class Node:
    """A Ray node in processes of its own."""

    def __init__(self, scratch: Path, port: int, head: bool) -> None:
        where = [f"--port={port}", "--head", f"--temp-dir={scratch}"] if head else [f"--address=127.0.0.1:{port}"]
        self.command = [
            *RAY, "start", *where, "--num-cpus=1", "--block", "--include-dashboard=false", "--disable-usage-stats",
            "--object-store-memory=100000000",
        ]  # fmt: skip
        self.start()

    def start(self) -> None:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        environment = {**os.environ, "RAY_worker_niceness": "0"}
        self.process = subprocess.Popen(self.command, start_new_session=True, env=environment, **quiet)

    def all(self, name: str) -> list[int]:
        """Processes below this node whose command has a name in it."""
        return [pid for pid in below(self.process.pid) if name in said(pid)]

    def kill(self) -> None:
        for pid in [*self.all("raylet/raylet"), *self.all("ray::"), self.process.pid]:
            end(pid)
        self.process.wait()


def said(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def below(pid: int) -> list[int]:
    parents: dict[int, list[int]] = {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((place / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except (OSError, IndexError):
            continue
        parents.setdefault(parent, []).append(int(place.name))
    found, todo = [], [pid]
    while todo:
        children = parents.get(todo.pop(), [])
        found += children
        todo += children
    return found


def end(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def driver(kg: Path, corpus: Path, out: Path, engine: str, jobs: int) -> subprocess.Popen[str]:
    words = ["verify", str(corpus), "--kg", str(kg), "--engine", engine, "--jobs", str(jobs), "--format", "jsonl"]
    more = ["-o", str(out), "--resume", "--shard-size", str(SHARD)]
    return subprocess.Popen(
        [sys.executable, "-m", "kgstore", *words, *more], stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def whole(out: Path) -> tuple[str, bool]:
    """Digest of all shards in order, and whether the ledger has each of them once."""
    digest = hashlib.sha256()
    for shard in sorted(out.glob("*.jsonl")):
        if shard.name != "ledger.jsonl":
            digest.update(shard.read_bytes())
    numbers = [row["shard"] for row in ledger(out)]
    return digest.hexdigest(), numbers == list(range(len(numbers)))


def ledger(out: Path) -> list[dict[str, object]]:
    path = out / "ledger.jsonl"
    rows = path.read_bytes().splitlines(keepends=True) if path.exists() else []
    return [json.loads(row) for row in rows[1:] if row.endswith(b"\n")]


def done(out: Path) -> int:
    return SHARD * len(ledger(out))


def used(pid: int) -> float:
    """CPU seconds so far of a process and all below it."""
    ticks = 0
    for one in [pid, *below(pid)]:
        with suppress(OSError, IndexError):
            ticks += sum(map(int, Path(f"/proc/{one}/stat").read_text().rsplit(")", 1)[1].split()[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def undisturbed(args: argparse.Namespace, corpus: Path, out: Path, jobs: int) -> tuple[float, float]:
    """Seconds and CPU seconds a document, from the first finished shard to the last that is seen."""
    process, seen = driver(args.kg, corpus, out, "ray", jobs), [(0, 0.0, 0.0)]
    while process.poll() is None:
        if (now := done(out)) > seen[-1][0]:
            seen.append((now, time.monotonic(), used(process.pid)))
        time.sleep(0.05)
    if process.returncode:
        raise SystemExit(process.stderr.read() if process.stderr else "")
    (first, begun, before), (last, finished, after) = seen[1], seen[-1]
    return (finished - begun) / (last - first), (after - before) / (last - first)


def disturbed(args: argparse.Namespace, corpus: Path, out: Path, scratch: Path) -> dict[str, object]:
    """Kill as many as are wanted, one after the other, until the run ends."""
    draw, port = random.Random(args.seed), random.Random().randrange(20_000, 30_000)
    nodes = [Node(scratch, port, True)]
    time.sleep(15)
    nodes.append(Node(scratch, port, False))
    killed: Counter[str] = Counter()
    kinds = [KINDS[number % 3] for number in range(args.kills)]
    draw.shuffle(kinds)
    process = driver(args.kg, corpus, out, f"ray://127.0.0.1:{port}", 2)
    try:
        for number, kind in enumerate(kinds):
            target = args.documents * (number + draw.random()) / (args.kills + 1)
            while done(out) < target and process.poll() is None:
                time.sleep(0.05)
            if process.poll() is not None:
                break
            killed[kind] += strike(kind, nodes, process, draw)
            if kind == "driver":
                process.wait()
                process = driver(args.kg, corpus, out, f"ray://127.0.0.1:{port}", 2)
        code = process.wait()
        told = process.stderr.read() if process.stderr else ""
    finally:
        for node in reversed(nodes):
            for pid in [*below(node.process.pid), node.process.pid]:
                end(pid)
    return {"killed": dict(killed), "exit code": code, **({"said": told[-1000:]} if code else {})}


def strike(kind: str, nodes: list[Node], process: subprocess.Popen[str], draw: random.Random) -> int:
    """Kill one; 1, or 0 where there was none of the kind just then."""
    if kind == "driver":
        end(process.pid)
    elif kind == "node":
        nodes[1].kill()
        nodes[1].start()
    else:
        pids = [pid for node in nodes for pid in node.all("ray::Worker")]
        if not pids:
            return 0
        end(draw.choice(pids))
    return 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kg", type=Path)
    parser.add_argument("claims", nargs="+", type=Path)
    parser.add_argument("--documents", type=int, default=5000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--rates", default="1,2", help="numbers of workers to measure; the last is the undisturbed run")
    args = parser.parse_args()
    texts = [json.loads(line).get("text") for one in args.claims for line in one.read_text().splitlines()]
    with tempfile.TemporaryDirectory(prefix="rk-") as folder:
        scratch = Path(folder)
        corpus, rates, cpu = scratch / "corpus.jsonl", {}, {}
        with corpus.open("w", encoding="utf-8") as file:
            for number, text in enumerate(islice(cycle(filter(None, texts)), args.documents)):
                file.write(json.dumps({"id": f"doc-{number}", "text": text}) + "\n")
        for jobs in map(int, args.rates.split(",")):
            rates[jobs], cpu[jobs] = undisturbed(args, corpus, scratch / f"calm-{jobs}", jobs)
            print(f"{jobs} workers: {1 / rates[jobs]:.1f} documents a second", file=sys.stderr)
        sums = {jobs: whole(scratch / f"calm-{jobs}")[0] for jobs in rates}
        result: dict[str, object] = {
            "documents": args.documents, "load": round(os.getloadavg()[0], 1),
            "documents a second": {jobs: round(1 / each, 1) for jobs, each in rates.items()},
            "efficiency": {jobs: round(rates.get(1, each * jobs) / each / jobs, 2) for jobs, each in rates.items()},
            "CPU seconds a document": {jobs: round(each, 4) for jobs, each in cpu.items()},
            "the same with any number of workers": len(set(sums.values())) == 1,
        }  # fmt: skip
        if args.kills:
            out = scratch / "disturbed"
            result |= disturbed(args, corpus, out, scratch / "ray")
            digest, once = whole(out)
            result |= {"byte-identical": digest == sums[max(sums)], "each document once": once}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
