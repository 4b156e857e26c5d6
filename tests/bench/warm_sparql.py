"""What does a SPARQL query cost by a command of its own, in a session, and from the server?

Run:    python -m tests.bench.warm_sparql KG [--count 20] [--query QUERY]
Prints: one JSON line: milliseconds of a query, median, by `kgstore sparql`, by a line for `kgstore shell` (all lines in
        one session, the session's start taken off), and by HTTP from `kgstore serve`; and the load of the machine.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

import httpx

KGSTORE = [sys.executable, "-m", "kgstore"]
USUAL = "SELECT ?who { ?who wdt:P19 wd:Q84 } LIMIT 20"


def by_command(kg: Path, query: str, count: int) -> float:
    return statistics.median(took([*KGSTORE, "sparql", query, "--kg", str(kg)], "") for _ in range(count))


def by_session(kg: Path, query: str, count: int) -> float:
    session = [*KGSTORE, "shell", "--kg", str(kg)]
    return (took(session, f"{query}\n" * (count + 1)) - took(session, f"{query}\n")) / count


def took(command: list[str], stdin: str) -> float:
    started = time.perf_counter()
    subprocess.run(command, input=stdin, text=True, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return 1000 * (time.perf_counter() - started)


def by_server(kg: Path, query: str, count: int) -> float:
    server = subprocess.Popen([*KGSTORE, "serve", "--kg", str(kg), "--port", "0"], stderr=subprocess.PIPE, text=True)
    try:
        assert server.stderr is not None
        url = next(found[0] for line in server.stderr if (found := re.search(r"http://[\d.]+:\d+/", line)))
        with httpx.Client(base_url=url) as client:
            times = []
            for _ in range(count + 1):
                started = time.perf_counter()
                client.get("/sparql", params={"query": query}).raise_for_status()
                times.append(1000 * (time.perf_counter() - started))
        return statistics.median(times[1:])
    finally:
        server.kill()
        server.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kg", type=Path)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--query", default=USUAL)
    args = parser.parse_args()
    ways = {"command": by_command, "session": by_session, "server": by_server}
    found = {name: round(way(args.kg, args.query, args.count), 1) for name, way in ways.items()}
    print(json.dumps({"count": args.count, "load": os.getloadavg()[0], "ms a query": found}))


if __name__ == "__main__":
    main()
