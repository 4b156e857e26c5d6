"""How often is a short sentence taken for a statement though its verb is none ("Carl Roe saw Grey Dunes")?

Run:    python -m tests.bench.bench_mere_verbs --kg KG [--pairs 8] [--seed 5]
Prints: for each verb that did any harm how many of its sentences were supported, and how many accused; then a JSON line
for the verbs whose first letters `data/scenes/mere_verbs.jsonl` has in some word, and one for the others.

Each sentence names somebody and a film, a book, a song, a person, a place or an organization of the KG. Those that the
KG links are asked for support, strangers of the same kinds for accusations; either is false. The KG is one of Wikidata.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from pathlib import Path

from kgstore.store import Store
from kgstore.verifier.claims import Label
from kgstore.verifier.pipeline import Verifier

SCENES = Path(__file__).parents[2] / "data" / "scenes" / "mere_verbs.jsonl"
STEM = 5
"""First letters by which forms of a verb are one."""
RELATED = {
    "film": "?other wdt:P31 wd:Q11424; wdt:P57|wdt:P58|wdt:P161|wdt:P86 ?who",
    "book": "?other wdt:P50 ?who",
    "song": "?other wdt:P175 ?who; wdt:P31/wdt:P279* wd:Q2188189",
    "person": "?who wdt:P26|wdt:P22|wdt:P40|wdt:P3373 ?other",
    "place": "?who wdt:P19|wdt:P20|wdt:P551 ?other",
    "organization": "?who wdt:P108|wdt:P69 ?other",
}
VERBS = {
    "film": "saw, watched, loved, hated, reviewed, praised, wept at, enjoyed, heard about, mentioned, parodied, "
            "collected, imitated, remembered, laughed at, slept through, mocked, applauded, despised",
    "book": "read, admired, quoted, studied, hated, lost, borrowed, enjoyed, mentioned, parodied, collected, "
            "discovered, imitated, devoured, treasured, skimmed, condemned",
    "song": "liked, hummed, requested, danced to, heard, enjoyed, mentioned, discovered, whistled, mocked, ignored",
    "person": "met, admired, hated, interviewed, helped, visited, mourned, kissed, outlived, envied, nursed, "
              "impersonated, saluted, obeyed, overheard, startled, flattered, resembled, mimicked",
    "place": "visited, loved, hated, left, fled, described, reached, toured, crossed, avoided, mapped, praised",
    "organization": "sued, praised, criticised, visited, complained to, mocked, thanked, toured, distrusted, picketed",
}  # fmt: skip


def main() -> None:
    wanted = arguments(str(__doc__), "--pairs")
    learnt, chance = stems(SCENES), random.Random(wanted.seed)
    sums: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    with Store(wanted.kg, read_only=True) as store:
        verifier = Verifier(store)
        for kind, verbs in VERBS.items():
            linked, strangers = pairs(store, RELATED[kind], wanted.pairs, chance)
            for verb in verbs.split(", "):
                supported = sum(has(verifier, f"{a} {verb} {b}.", Label.ATTRIBUTABLE) for a, b in linked)
                accused = sum(has(verifier, f"{a} {verb} {b}.", Label.CONTRADICTORY) for a, b in strangers)
                counts = Counter(supported=supported, accused=accused)
                sums[verb.split()[0][:STEM] in learnt] += Counter(of=len(linked), **counts)
                if counts.total():
                    print(f"{supported:3} {accused:3} of {len(linked)}  {verb} (a {kind})", flush=True)
    for is_learnt, counts in sums.items():
        print(json.dumps({"in the scenes": is_learnt, "supported": 0, "accused": 0, **counts}))


def arguments(said: str, each: str) -> argparse.Namespace:
    """The KG, how many things each sentence is tried on, and the seed they are drawn by.

    :param said: what the bench does; ``each`` the name of the option that counts
    """
    given = argparse.ArgumentParser(description=said, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--kg", type=Path, required=True)
    given.add_argument(each, type=int, default=8)
    given.add_argument("--seed", type=int, default=5)
    return given.parse_args()


def stems(path: Path) -> set[str]:
    """First letters of all words of a file of scenes."""
    scenes = map(json.loads, path.read_text("utf-8").splitlines()[1:])
    return {word[:STEM] for scene in scenes for word in re.findall(r"\b[a-z]+", scene["text"])}


def pairs(
    store: Store, pattern: str, number: int, chance: random.Random
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Names of those that the KG links, and as many of the same kinds that it does not."""
    found = store.query(f"SELECT ?who ?other {{ {pattern} . ?who wdt:P31 wd:Q5 }}", limit=100_000).rows
    rows = sorted({(who.value, other.value) for who, other in found})  # type: ignore[union-attr]
    linked = chance.sample(rows, min(number, len(rows)))
    people, others = sorted({who for who, _ in rows}), sorted({other for _, other in rows})
    known, strangers = set(rows), list[tuple[str, str]]()
    while len(strangers) < len(linked) and len(known) < len(people) * len(others):
        pair = chance.choice(people), chance.choice(others)
        if pair not in known:
            strangers.append(pair)
    return _named(store, linked), _named(store, strangers)


def _named(store: Store, of: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(store.label(one), store.label(other)) for one, other in of]


def has(verifier: Verifier, text: str, label: Label) -> bool:
    return any(one.label is label for one in verifier.verify(text).verdicts)


if __name__ == "__main__":
    main()
