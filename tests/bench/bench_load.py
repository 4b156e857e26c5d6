"""How fast is a load, next to bare loaders of the same N-Triples, and how much memory does it take?

Run:    python -m tests.bench.bench_load --triples 500000 --runs 3 --seed 7 [--others oxigraph,kglite,rdflib]
        python -m tests.bench.bench_load --triples 500000 --update 0.01       (adds that share to the KG just loaded)
        python -m tests.bench.bench_load --dump data/wikidata-small.json.gz --runs 3
Prints: one JSON line (arguments, then for each loader the medians of the runs: seconds, CPU seconds, triples a second
and peak memory in MB of all its processes; and kgstore's rates divided by each other's), so runs can be appended and
compared. ``--keep`` leaves what kgstore wrote last at a path.

``pip install oxigraph kglite`` gives the other loaders; those that are not there are left out. kgstore's load holds the
graph, catalog and topology on the disk when it ends, without vectors. `oxigraph load` holds the graph, kglite and
rdflib hold theirs in memory. The loaders take turns, so that a busy machine is equally unkind to all.

The N-Triples are made up, in the truthy form of Wikidata: labels in two languages and descriptions, 300 properties used
as unevenly as there (each half as often as the one before the last), values drawn by popularity so that a few entities
are the value of very many statements. With ``--dump`` a dump of Wikidata in JSON is loaded, and compared with nothing
but unpacking it (gzip) and parsing each line (orjson) in one process.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

import numpy as np

WD, WDT = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/direct/"
LABEL, ABOUT = "http://www.w3.org/2000/01/rdf-schema#label", "http://schema.org/description"
TYPED = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
PROPERTIES = 300
WORDS = "river mountain city actor painter novel film album species protein church bridge school".split()
LOADERS = {
    "kgstore": "from kgstore.loaders.run import load; from pathlib import Path; "
    "load([Path({file!r})], Path({target!r}), vectors=False, embedder=Path('none'))",
    "kglite": "import kglite; graph = kglite.KnowledgeGraph(); graph.load_ntriples({file!r})",
    "rdflib": "import rdflib; rdflib.Graph().parse({file!r}, format='nt')",
    "gunzip and orjson": "import gzip, orjson\nfor line in gzip.open({file!r}):\n"
    " line = line.strip().rstrip(b',')\n if line[:1] == b'{{': orjson.loads(line)",
}


def lines(triples: int, seed: int, first: int = 1) -> Iterator[str]:
    """About so many lines; subjects are numbered from ``first`` on, values from 1."""
    draw = np.random.default_rng(seed)
    if first == 1:
        for number in range(1, PROPERTIES + 1):
            kind = "WikibaseItem" if number % 3 else "String"
            yield f"<{WD}P{number}> <{TYPED}> <http://wikiba.se/ontology#Property> .\n"
            yield f"<{WD}P{number}> <http://wikiba.se/ontology#directClaim> <{WDT}P{number}> .\n"
            yield f"<{WD}P{number}> <http://wikiba.se/ontology#propertyType> <http://wikiba.se/ontology#{kind}> .\n"
            yield f'<{WD}P{number}> <{LABEL}> "relation {number}"@en .\n'
    done, number = 4 * PROPERTIES if first == 1 else 0, first
    while done < triples:
        degrees = np.minimum(4 + draw.zipf(1.8, 1000), 400)
        chosen = np.minimum(draw.geometric(0.03, degrees.sum()), PROPERTIES)
        popular = np.minimum(draw.zipf(1.3, degrees.sum()), 10 * number + 1000)
        at = 0
        for degree in degrees.tolist():
            name = f"{WORDS[number % len(WORDS)]} number {number:x}"
            yield f'<{WD}Q{number}> <{LABEL}> "{name}"@en .\n'
            yield f'<{WD}Q{number}> <{LABEL}> "{name[::-1]}"@de .\n'
            yield f'<{WD}Q{number}> <{ABOUT}> "the {number}th thing that was made up"@en .\n'
            for prop, value in zip(chosen[at : at + degree].tolist(), popular[at : at + degree].tolist(), strict=True):
                obj = f"<{WD}Q{value}>" if prop % 3 else f'"value {value} of {number}"'
                yield f"<{WD}Q{number}> <{WDT}P{prop}> {obj} .\n"
            at, number, done = at + degree, number + 1, done + degree + 3
            if done >= triples:
                return


class Peak(threading.Thread):
    """Watches how much memory a process and all that it started have at most."""

    def __init__(self, group: int) -> None:
        super().__init__(daemon=True)
        self.group, self.most, self.over = group, 0, threading.Event()
        self.start()

    def run(self) -> None:
        while not self.over.wait(0.1):
            total = 0
            for place in Path("/proc").glob("[0-9]*"):
                try:
                    if os.getpgid(int(place.name)) == self.group:
                        total += int((place / "statm").read_text().split()[1])
                except (OSError, IndexError):
                    continue
            self.most = max(self.most, total * os.sysconf("SC_PAGE_SIZE"))


def measured(command: list[str]) -> dict[str, float]:
    """Seconds, CPU seconds and peak megabytes of a command, its children included."""
    started = time.monotonic()
    process = subprocess.Popen(
        command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    peak = Peak(process.pid)
    assert process.stderr is not None
    said = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.monotonic() - started
    peak.over.set()
    if process.returncode:
        raise SystemExit(f"{command[0]} failed: {said[-2000:]}")
    return {"seconds": seconds, "cpu": used.ru_utime + used.ru_stime, "mb": peak.most / 1e6}


def command(name: str, file: Path, target: Path) -> list[str]:
    if name == "oxigraph":
        program = shutil.which("oxigraph", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
        return [program or "oxigraph", "load", "--location", str(target), "--file", str(file), "--lenient"]
    return [sys.executable, "-c", LOADERS[name].format(file=str(file), target=str(target))]


def there(name: str) -> bool:
    if name == "oxigraph":
        return shutil.which(command(name, Path(), Path())[0]) is not None
    return subprocess.run([sys.executable, "-c", f"import {name}"], capture_output=True).returncode == 0


def compared(names: list[str], file: Path, runs: int, scratch: Path) -> dict[str, dict[str, float]]:
    """The medians of each loader; what kgstore wrote last stays in ``kgstore``."""
    found: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    for _ in range(runs):
        for name in names:
            target = scratch / name
            shutil.rmtree(target, ignore_errors=True)
            one = measured(command(name, file, target))
            found[name].append(one)
            print(name, {key: round(value, 1) for key, value in one.items()}, file=sys.stderr)
    return {name: {key: median(one[key] for one in every) for key in every[0]} for name, every in found.items()}


def told(found: dict[str, dict[str, float]], amount: float, unit: str) -> dict[str, object]:
    rated = {
        name: {**{key: round(value, 2) for key, value in one.items()}, unit: round(amount / one["seconds"], 1)}
        for name, one in found.items()
    }
    ours = found["kgstore"]
    ratios = {
        f"rate over {name}": [round(one[key] / ours[key], 2) for key in ("seconds", "cpu")]
        for name, one in found.items()
        if name != "kgstore"
    }
    return {**rated, **ratios, "ratios are": "by seconds, by CPU seconds"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--triples", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--others", default="oxigraph,kglite,rdflib")
    parser.add_argument("--update", type=float, default=0.0, help="then load that share more, 0 to 1")
    parser.add_argument("--keep", type=Path, help="where the KG of the last run goes; must not exist")
    parser.add_argument("--dump", type=Path, help="a dump of Wikidata in JSON, gzip")
    args = parser.parse_args()
    result: dict[str, object] = {key: str(value) for key, value in vars(args).items()}
    with tempfile.TemporaryDirectory(prefix="bench-load-") as folder:
        scratch = Path(folder)
        if args.dump is not None:
            with gzip.open(args.dump) as file:
                size = sum(map(len, iter(lambda: file.read(1 << 20), b"")))
            found = compared(["kgstore", "gunzip and orjson"], args.dump.absolute(), args.runs, scratch)
            result.update(told(found, size / 1e6, "MB/s unpacked"))
        else:
            result.update(generated(args, scratch, lambda name: name == "kgstore" or there(name)))
        if args.keep is not None:
            shutil.move(scratch / "kgstore", args.keep)
    print(json.dumps(result))


def generated(args: argparse.Namespace, scratch: Path, known: Callable[[str], bool]) -> dict[str, object]:
    file = scratch / "made-up.nt"
    with file.open("w", encoding="utf-8") as output:
        output.writelines(lines(args.triples, args.seed))
    names = [name for name in ("kgstore", *filter(None, args.others.split(","))) if known(name)]
    found = compared(names, file, args.runs, scratch)
    result = told(found, args.triples, "triples/s")
    kg = scratch / "kgstore" / "generations" / "000001"
    sizes = {part.name: sum(one.stat().st_size for one in part.rglob("*") if one.is_file()) for part in kg.iterdir()}
    result["bytes a triple"] = {name: round(size / args.triples, 1) for name, size in sizes.items() if size > 10_000}
    if args.update:
        more = scratch / "more.nt"
        with more.open("w", encoding="utf-8") as output:
            output.writelines(lines(int(args.triples * args.update), args.seed + 1, first=10**8))
        again = measured(command("kgstore", more, scratch / "kgstore"))
        result["update"] = {key: round(value, 2) for key, value in again.items()}
        result["update over load"] = [round(again[key] / found["kgstore"][key], 3) for key in ("seconds", "cpu")]
    return result


if __name__ == "__main__":
    main()
