"""What Dask makes of the batches that `kgstore verify --engine ray` is for: its rate, and what a killed worker costs.

Run:    python -m tests.bench.dask_batch KG CLAIMS.jsonl.. [--documents 500] [--kills 0] [--workers 2]
Prints: one JSON line: documents a second, start apart; how many reports came, of how many documents; how many documents
        were verified more than once, and how often in all.

``pip install dask distributed`` gives it. Documents go in portions of eight, as with Ray; workers are processes with
one thread and one warm verifier each. Everything else is as Dask has it: what a killed worker had, finished or not, is
done again by another one, up to three times. Workers are killed (SIGKILL) at equal distances.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import tempfile
import threading
import time
from collections import Counter
from functools import cache
from itertools import cycle, islice
from pathlib import Path

from kgstore.cli.batch import Desk, Settings
from kgstore.cli.spread import PORTION
from kgstore.cli.texts import Text

START = 50
"""Documents after which the clock starts."""


@cache
def desk(kg: Path) -> Desk:
    return Desk(Settings(kg))


def reports(texts: list[Text], kg: Path, said: Path) -> dict[str, str]:
    """The label of each text by its id; each is noted in a file when it is done."""
    found = {}
    for text in texts:
        report = desk(kg).report(text)
        with said.open("a", encoding="utf-8") as file:
            file.write(f"{text.id}\n")
        found[str(text.id)] = json.dumps([claim["label"] for claim in report["claims"]])
    return found


def past(done: Path, documents: int) -> int:
    """Wait until so many are done; how many there are."""
    while not done.exists() or (now := len(done.read_text().splitlines())) < documents:
        time.sleep(0.02)
    return now


def kill(client: object, kills: int, done: Path, documents: int) -> None:
    """Kill one worker whenever another share of the documents is done."""
    for number in range(1, kills + 1):
        past(done, number * documents // (kills + 1))
        pids = list(client.run(os.getpid).values())  # type: ignore[attr-defined]
        os.kill(pids[number % len(pids)], signal.SIGKILL)


def main() -> None:
    from dask.distributed import Client, LocalCluster

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kg", type=Path)
    parser.add_argument("claims", nargs="+", type=Path)
    parser.add_argument("--documents", type=int, default=500)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    texts = [json.loads(line).get("text") for one in args.claims for line in one.read_text().splitlines()]
    every = [Text(text, f"doc-{at}") for at, text in enumerate(islice(cycle(filter(None, texts)), args.documents))]
    cluster = LocalCluster(n_workers=args.workers, threads_per_worker=1, dashboard_address=None)
    with tempfile.TemporaryDirectory(prefix="dask-") as folder, cluster, Client(cluster) as client:
        said, kg = Path(folder) / "said", args.kg.absolute()
        client.run(lambda: desk(kg).report(Text("Ada Lovelace was born in London.")) and None)
        threading.Thread(target=kill, args=(client, args.kills, said, args.documents), daemon=True).start()
        portions = [every[at : at + PORTION] for at in range(0, len(every), PORTION)]
        running = client.map(reports, portions, kg=kg, said=said)
        first = past(said, START)
        begun = time.monotonic()
        found = dict(pair for one in client.gather(running) for pair in one.items())
        seconds = time.monotonic() - begun
        times = Counter(said.read_text().splitlines())
    print(json.dumps({
        "documents": args.documents, "kills": args.kills, "load": round(os.getloadavg()[0], 1),
        "documents a second": round((args.documents - first) / seconds, 1), "reports": len(found),
        "verified more than once": sum(n > 1 for n in times.values()), "in all": times.total(),
    }))  # fmt: skip


if __name__ == "__main__":
    main()
