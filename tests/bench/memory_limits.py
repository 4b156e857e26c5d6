"""Does a command under a memory limit complete, or say what it needs?

Run:    python -m tests.bench.memory_limits dump.json.gz --runs 50 --seed 7 [--limit 4000] [--check 3]
Prints: one line a run, then one JSON line: per command how many completed, were refused with the need named, and failed
        otherwise, and of the refusals that were checked how many completed with what they had asked for.

Each run is a load, an index or a verification of one sentence, under a limit of address space (``ulimit -v``) drawn
evenly from 0.3 to 3 GB. A run that ends with 0 must have made what an undisturbed run makes: sorted triples, catalog
and topology are compared. One that is refused (2) must name what it needs, leave the KG as it was, and leave nothing
that opens where there was none.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from kgstore import layout
from kgstore.errors import KgError
from kgstore.export import digests
from kgstore.memory import parse_size
from kgstore.store import Store

COMMAND = [sys.executable, "-c", "import sys; from kgstore.cli.main import main; sys.exit(main())"]
LEAST, MOST = 300 << 20, 3000 << 20
TEXT = "Douglas Adams was born in Cambridge."
NAMED = re.compile(r"(?:allow|may need) (\d+M)")


def run(arguments: list[object], limit: int | None) -> subprocess.CompletedProcess[str]:
    def lower() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    command = [*COMMAND, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, preexec_fn=lower, timeout=900, input="")


def content(kg: Path) -> dict[str, str]:
    return digests(layout.generation_path(kg, layout.read_manifest(kg).generation))


class Trial:
    """The commands, each with what it must have made."""

    def __init__(self, dump: Path, folder: Path, limit: int) -> None:
        self.folder, self.good, self.text = folder, folder / "good.kg", folder / "text.txt"
        self.text.write_text(TEXT, encoding="utf-8")
        self.loading = ["load", dump, "--no-vectors", "--limit", limit, "--kg"]
        assert run([*self.loading, self.good], None).returncode == 0
        self.right = content(self.good)
        self.said = self._verdicts(run(self._verify(), None))

    def _verify(self) -> list[object]:
        return ["verify", self.text, "--kg", self.good, "--format", "json"]

    def _verdicts(self, done: subprocess.CompletedProcess[str]) -> list[tuple[str, str]]:
        return [(one["text"], one["label"]) for one in json.loads(done.stdout)["claims"]]

    def once(self, command: str, limit: int | None) -> tuple[str, str]:
        """How a run ended: ``complete``, ``refused`` or what was wrong; and its last line."""
        kg = self.folder / "tried.kg"
        shutil.rmtree(kg, ignore_errors=True)
        if command == "index":
            shutil.copytree(self.good, kg)
        arguments = {"load": [*self.loading, kg], "index": ["index", "--kg", kg], "verify": self._verify()}[command]
        done = run(arguments, limit)
        last = (done.stderr.strip().splitlines() or [""])[-1]
        if done.returncode == 0:
            same = self._verdicts(done) == self.said if command == "verify" else content(kg) == self.right
            return ("complete" if same else "complete, but not the same"), last
        if done.returncode != 2 or not NAMED.search(done.stderr):
            return f"exit {done.returncode}", last
        if command == "index":
            whole = layout.read_manifest(kg).generation == "000001" and content(kg) == self.right
            return ("refused" if whole else "refused, but the KG has changed"), last
        try:
            Store(kg).close()
        except KgError:
            return "refused", last
        return ("refused" if command == "verify" else "refused, but the KG opens"), last


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dump", type=Path)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--limit", type=int, default=4000, help="entities of the dump")
    parser.add_argument("--check", type=int, default=3, help="refusals of each command to repeat with what they need")
    args = parser.parse_args()
    draw, ends, checked = random.Random(args.seed), Counter[str](), Counter[str]()
    with tempfile.TemporaryDirectory(prefix="memory-limits-") as folder:
        trial = Trial(args.dump, Path(folder), args.limit)
        for number in range(1, args.runs + 1):
            command = draw.choice(["load", "load", "index", "verify"])
            limit, started = draw.randrange(LEAST, MOST), time.monotonic()
            end, last = trial.once(command, limit)
            ends[f"{command}: {end}"] += 1
            seconds = time.monotonic() - started
            print(f"{number:3} {command:6} {limit >> 20:5} MB  {end:10} {seconds:5.1f} s  {last[:150]}", flush=True)
            if end == "refused" and checked[f"{command} checked"] < args.check:
                checked[f"{command} checked"] += 1
                wanted = parse_size(NAMED.findall(last)[-1])
                again, _ = trial.once(command, wanted)
                checked[f"{command} {again} with what was named"] += 1
                print(f"{'':4}with the {wanted >> 20} MB that it names: {again}", flush=True)
    print(json.dumps({"runs": args.runs, "seed": args.seed, "ends": ends, "checked": checked}, sort_keys=True))
    sys.exit(any(end.split(": ")[1] not in ("complete", "refused") for end in ends))


if __name__ == "__main__":
    main()
