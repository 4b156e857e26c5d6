"""Fits the weights that find whom a pronoun means (`kgstore.verifier.link.antecedents`), and says how good they are.

    python -m kgstore.verifier.training.pronouns --kg medium.kg --reading DIR [-o verifier/link/antecedents.json]

Learnt from are the 3,826 pronouns of ``data/pronouns.jsonl``, of 474 texts of ``data`` and 230 paragraphs of
Wikipedia (Re-DocRED, in ``--reading``), each with the name that a reader took it for: ``-`` for nobody, ``=`` and a
noun for somebody without a name. Each text is read three times: with all that the KG knows of its names, with half of
that, and with nothing, so that the weights do not hang on a KG that knows everybody. Printed is a JSON line: what
weights that were fitted on four fifths of the texts make of the fifth one, five times. Plural pronouns are not learnt.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kgstore.catalog import fold
from kgstore.store import Store
from kgstore.verifier.claims import Mention
from kgstore.verifier.link.antecedents import CERTAIN, Choice, Named, Pronouns, likeliest
from kgstore.verifier.link.beings import Beings
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.read.parse import Word

DATA = Path(__file__).parents[2] / "data"
_HIDDEN = (0.0, 0.5, 1.0)
"""Shares of the known names of whom nothing is said."""
SEED, _AND = 7, " and "
_FOLDS, _STRENGTH, _STEPS, _RATE = 5, 1.0, 300, 0.05


@dataclass(frozen=True, slots=True)
class Asked:
    """A pronoun of a text, the names that it may mean, and which of these it means: none, or several that are one."""

    text: str
    word: Word
    choices: Sequence[Choice]
    right: frozenset[int]


class _Partly:
    """What a KG knows of names, but for a share of them."""

    def __init__(self, beings: Beings, hidden: float, text: str) -> None:
        self.beings, self.hidden, self.text, self.persons = beings, hidden, text, beings.persons

    def hides(self, mention: Mention) -> bool:
        by = f"{self.text} {mention.candidates[0].iri}" if mention.candidates else ""
        return zlib.crc32(by.encode()) % 1000 < 1000 * self.hidden

    def kinds(self, mention: Mention) -> frozenset[str]:
        return frozenset() if self.hides(mention) else self.beings.kinds(mention)

    def gender(self, mention: Mention) -> str:
        return "" if self.hides(mention) else self.beings.gender(mention)


def texts(reading: Path) -> Iterator[tuple[str, str, dict[int, str]]]:
    """Name and text of each text, and what its pronouns mean by where they begin."""
    sources: dict[str, dict[str, str]] = {}
    for line in (DATA / "pronouns.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        path = reading / row["of"] if row["of"].endswith(".gz") else DATA / row["of"]
        if row["of"] not in sources:
            raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
            rows = map(json.loads, raw.decode().splitlines())
            sources[row["of"]] = {one["id"]: one["text"] for one in rows}
        means = {int(start): name for start, name in row["means"].items()}
        yield f"{row['of']} {row['id']}", sources[row["of"]][row["id"]], means


def with_paragraphs(
    said: Sequence[tuple[str, str, dict[int, str]]], chance: random.Random
) -> Iterator[tuple[str, str, dict[int, str]]]:
    """Two texts as paragraphs of one, and each text with a break somewhere: nearly all of them have one paragraph."""
    for one, other in zip(said[::2], said[1::2], strict=False):
        by = len(one[1]) + 2
        moved = {start + by: name for start, name in other[2].items()}
        yield f"{one[0]}{_AND}{other[0]}", f"{one[1]}\n\n{other[1]}", one[2] | moved
    for name, text, means in said:
        ends = [match.end() for match in re.finditer(r"[a-z]{3}\.(?= [A-Z])", text)]
        if ends:
            end = chance.choice(ends)
            moved = {start + (start > end): said for start, said in means.items()}
            yield name, f"{text[:end]}\n\n{text[end + 1:]}", moved


def asked(
    verifier: Verifier, name: str, text: str, means: Mapping[int, str], shares: Sequence[float] = _HIDDEN
) -> Iterator[Asked]:
    """The pronouns of a text as `antecedents` asks of them, where those before were understood rightly.

    :param shares: of the known names of whom nothing is said, one reading each
    """
    names = verifier.rules.names(text)
    parts, about = verifier.rules.parse(names).parts, names.centre
    for hidden in shares:
        found: list[Asked] = []

        def choose(word: Word, choices: Sequence[Choice], found: list[Asked] = found) -> Named | None:
            said = means.get(word.start, "-")
            right = [at for at, one in enumerate(choices) if is_named(one.named.mention.text, said)]
            found.append(Asked(name, word, choices, frozenset(right)))
            return choices[right[-1]].named if right else None

        partly = _Partly(names.beings, hidden, name)
        known = None if about is None or partly.hides(about) else about
        Pronouns(names.text, partly, choose, known).read(parts)  # type: ignore[arg-type]
        yield from found


def is_named(name: str, said: str) -> bool:
    """Is a name of the text the one that a pronoun was said to mean, or short for it?

    >>> is_named("Diamond", "Neil Diamond"), is_named("Ann", "=singer"), is_named("A", "A + B")
    (True, False, False)
    """
    if said.startswith(("-", "=")) or " + " in said:
        return False
    short, long = sorted((fold(name).split(), fold(said).split()), key=len)
    return bool(short) and short in (long[-len(short) :], long[: len(short)])


def fitted(rows: Sequence[Asked]) -> dict[str, float]:
    """Feature -> weight, those that make what is right likeliest; nobody has the power 1."""
    names = sorted({name for row in rows for one in row.choices for name in one.values})
    places = {name: at for at, name in enumerate(names)}
    of = np.repeat(np.arange(len(rows)), [len(row.choices) for row in rows])
    values = np.zeros((len(of), len(names)), np.float32)
    for at, one in enumerate(one for row in rows for one in row.choices):
        values[at, [places[name] for name in one.values]] = list(one.values.values())
    right = np.array([at in row.right for row in rows for at in range(len(row.choices))])
    weights, first, second = (np.zeros(len(names)) for _ in range(3))
    for step in range(1, _STEPS + 1):  # Adam
        powers = np.exp(values @ weights)
        shares = powers / (1 + np.bincount(of, powers, len(rows)))[of]
        among = np.bincount(of, powers * right, len(rows))[of]
        wanted = np.divide(powers * right, among, out=np.zeros_like(powers), where=among > 0)
        slope = values.T @ (shares - wanted) + _STRENGTH * weights
        first, second = 0.9 * first + 0.1 * slope, 0.99 * second + 0.01 * slope**2
        weights -= _RATE * first / (1 - 0.9**step) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
    return {name: round(float(weight), 3) for name, weight in zip(names, weights, strict=True)}


def measured(rows: Sequence[Asked]) -> dict[str, int]:
    """What weights make of texts that they were not fitted on: ``he right``, ``it open`` and so on, ``he certainly
    right`` of those from `CERTAIN` on."""
    counts: Counter[str] = Counter()
    for fold_ in range(_FOLDS):
        apart = {row.text for row in rows if zlib.crc32(row.text.encode()) % _FOLDS == fold_ and _AND not in row.text}
        weights = fitted([row for row in rows if not apart & {*row.text.split(_AND)}])
        for row in rows:
            if row.text in apart:
                one, share = likeliest(row.word, row.choices, weights)
                named = [at for at, choice in enumerate(row.choices) if choice.named is one]
                how = ("right" if row.right & {*named} else "wrong") if one else "open" if row.right else "rightly open"
                kind = next(iter(row.choices[0].values))[:2] if row.choices else "no name"
                counts.update((f"{kind} {how}", *([f"{kind} certainly {how}"] if share >= CERTAIN else [])))
    return dict(sorted(counts.items()))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kg", type=Path, required=True)
    parser.add_argument("--reading", type=Path, required=True, help="folder with docred.jsonl.gz")
    parser.add_argument("-o", "--output", type=Path, help="for the weights, fitted on all texts")
    given = parser.parse_args(arguments)
    with Store(given.kg, read_only=True) as store:
        verifier = Verifier(store, judge="none", reader="none")
        said = list(texts(given.reading))
        random.Random(SEED).shuffle(said)
        rows = [row for one in said for row in asked(verifier, *one)]
        count = len(rows) // len(_HIDDEN)
        rows += [row for one in with_paragraphs(said, random.Random(SEED)) for row in asked(verifier, *one, (0.5,))]
    print(json.dumps({"pronouns": count, **measured(rows)}))
    if given.output:
        about = {"by": "python -m kgstore.verifier.training.pronouns", "pronouns": count}
        weights = json.dumps({"about": about, "weights": fitted(rows)}, indent=1)
        given.output.write_text(f"{weights}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
