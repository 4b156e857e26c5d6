"""Makes the relation reader that comes with kgstore, from the shipped judge, in 27 courses and two long ones.

    python -m kgstore.verifier.training.reader --reading DIR --nli DIR --kg medium.kg --world everyday.kg \
        --work DIR -o FOLDER

Each row of `verifier.training.reader_rows` becomes pairs of the sentence and one statement in words, whose relation the
sentence asserts between the two places or does not. Each course sees other pairs of the same rows; one that was
finished is not made again, so that a run that was stopped goes on with the next one. From the sixth on the relations
are learnt, too, that are kept aside before, so that what the reader makes of unseen ones is measured on the fifth; from
the ninth on statements of two steps are learnt. Some go side by side, the last eight follow on one another. The 27 are
for two cores and five hours; the two long ones before the last twelve, which see eight times as many pairs in all, want
a GPU and are left out without one.
"""

from __future__ import annotations

import argparse
import logging
import math
import random
import shutil
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import torch

from kgstore.store import Store
from kgstore.verifier.judges.native import FOLDER as JUDGE
from kgstore.verifier.reader.asking import Question, hypothesis
from kgstore.verifier.training import chains, fit, guided, marked, scenes
from kgstore.verifier.training import reader_rows as made
from kgstore.verifier.training.pairs import Pair
from kgstore.verifier.training.reader_names import RENAMED, Names

SEED = 13
MAX_TOKENS = 112
ASSERTED, UNASSERTED = (0,), (1, 2)


SHARES: Mapping[str, float] = {"fewrel": 0.6, "docred": 0.8, "templates": 0.6}
"""How often a course sees each row of a source, on average; 1 for the others."""


@dataclass(frozen=True, slots=True)
class Course:
    """What is learnt in one go, on the weights of the course before.

    :param pairs: how many
    :param scenes: are those of scenes among them?
    :param whole: is no relation kept aside?
    :param chains: are statements of two steps among them?
    :param shares: see `SHARES`
    :param even: are rows of seldom relations seen more often, up to three times?
    :param silent: share of the rows without any asserted relation that are seen
    :param renamed: share of the relations that go by another name
    :param guided: how often what a KG of the world would hold against true sentences is seen, for one time of the rest
    """

    pairs: int
    recipe: fit.Recipe
    scenes: bool = True
    whole: bool = True
    chains: bool = True
    shares: Mapping[str, float] = field(default_factory=lambda: SHARES)
    even: bool = False
    silent: float = 1.0
    guided: int = 0
    renamed: float = RENAMED


def _recipe(rate: float, number: int, follow: float = 0.0) -> fit.Recipe:
    return fit.Recipe(epochs=1, rate=rate, seed=SEED + number, max_tokens=MAX_TOKENS, follow=follow)


def _long(rate: float, number: int, epochs: float) -> fit.Recipe:
    return fit.Recipe(epochs, rate, batch=512, warm=0.03, seed=SEED + number, max_tokens=MAX_TOKENS)


_TWO_STEPS = ("twostep_people", "twostep_places_orgs", "twostep_works", "twostep_more")
_DESCRIBED = ("twostep_ways", "twostep_free", "twostep_plain", "voices_twostep")
_SPOKEN = ("life", "dates", "amounts_places", "amounts_things", "works", "places_orgs", "twostep")
_WORDS = ("dates", "people", "amounts", "works", "places", "state", "orgs", "crowd")
_NEAR = ("rivals", "rivals_2", "neighbours", "neighbours_2")
"""Files of scenes, of what is easily taken for something else."""
_WITH_CHAINS = {
    "tekgen": 1.6, "fewrel": 0.75, "docred": 0.9, "templates": 0.3, "infotabs": 0.8, "sayings": 0.55, "chains": 0.5,
    "scenes": 0.28, "scenes:unsaid": 0.45, "scenes:dates": 0.4, "scenes:long_mixed": 0.5,
    **dict.fromkeys((f"scenes:{name}" for name in _NEAR), 0.45),
    **dict.fromkeys((f"scenes:{name}" for name in _TWO_STEPS), 0.6),
}  # fmt: skip
_NATURAL = {
    "tekgen": 2.0, "fewrel": 0.5, "docred": 1.0, "templates": 0.15, "infotabs": 0.5, "sayings": 0.35, "chains": 0.3,
    "scenes": 0.2, "scenes:unsaid": 0.3, "scenes:dates": 0.3, "scenes:long_mixed": 0.5,
    **dict.fromkeys(("scenes:music", "scenes:film", "scenes:books"), 0.3),
    **dict.fromkeys((f"scenes:{name}" for name in _NEAR), 0.55),
    **dict.fromkeys((f"scenes:{name}" for name in _TWO_STEPS), 0.4),
}  # fmt: skip
"""More of what people wrote."""
_VOICES = {
    "tekgen": 1.2, "fewrel": 0.25, "docred": 0.7, "templates": 0.1, "infotabs": 0.3, "sayings": 0.3, "wordings": 0.8,
    "chains": 0.2, "scenes": 0.12, **dict.fromkeys((f"scenes:{name}" for name in (*_NEAR, *_TWO_STEPS)), 0.25),
    **dict.fromkeys((f"scenes:{name}" for name in ("unsaid", "dates", "long_mixed")), 0.25),
    **dict.fromkeys((f"scenes:voices_{name}" for name in _SPOKEN), 0.5),
}  # fmt: skip
"""Free wordings in many voices."""
_WRITTEN = {
    "tekgen": 2.0, "fewrel": 0.3, "docred": 1.0, "templates": 0.1, "infotabs": 0.4, "sayings": 0.2, "wordings": 0.8,
    "chains": 0.15, "scenes": 0.1, **dict.fromkeys((f"scenes:{name}" for name in _NEAR), 0.3),
    **dict.fromkeys((f"scenes:voices_{name}" for name in _SPOKEN), 0.15),
    **dict.fromkeys((f"scenes:pedia_{name}" for name in ("people", "works", "places")), 0.6),
}  # fmt: skip
"""Sentences as encyclopedias have them."""
_VOCABULARY = {
    "tekgen": 3.0, "fewrel": 0.25, "docred": 1.8, "templates": 0.1, "infotabs": 0.4, "sayings": 0.12, "wordings": 0.5,
    "chains": 0.12, "scenes": 0.08, **dict.fromkeys((f"scenes:{name}" for name in _NEAR), 0.25),
    **dict.fromkeys((f"scenes:voices_{name}" for name in _SPOKEN), 0.12),
    **dict.fromkeys((f"scenes:pedia_{name}" for name in ("people", "works", "places")), 0.3),
    **dict.fromkeys((f"scenes:lex_{name}" for name in _WORDS), 0.32),
}  # fmt: skip
"""The many verbs and nouns by which ordinary prose says a relation, beside what is near to it."""
_CROWD = ("crowd_places", "crowd_people", "crowd_works", "crowd_things")
_EVERYDAY = {
    "tekgen": 2.4, "fewrel": 0.15, "docred": 1.4, "templates": 0.05, "infotabs": 0.2, "sayings": 0.08, "wordings": 0.3,
    "chains": 0.06, "scenes": 0.04, **dict.fromkeys((f"scenes:{name}" for name in _NEAR), 0.15),
    **dict.fromkeys((f"scenes:{name}" for name in _CROWD), 0.32), "scenes:twostep_free": 0.25,
    "scenes:plain_many": 0.6, "scenes:pedia_within": 0.35, "scenes:pedia_first": 0.5, "scenes:rivals_3": 0.7,
}  # fmt: skip
"""What crowd workers, chat assistants and articles say, and whose it is where several stand side by side; more of it
said than not."""
COURSES = (
    Course(30_000, _recipe(1e-4, 0), scenes=False, whole=False, chains=False),
    Course(30_000, _recipe(8e-5, 1), scenes=False, whole=False, chains=False),
    Course(60_000, _recipe(1.8e-4, 2), scenes=False, whole=False, chains=False),
    Course(40_000, _recipe(1e-4, 3), scenes=False, whole=False, chains=False),
    Course(90_000, _recipe(1.5e-4, 4), whole=False, chains=False),
    Course(50_000, _recipe(8e-5, 5), chains=False),
    Course(60_000, _recipe(1e-4, 6), chains=False),
    Course(60_000, _recipe(8e-5, 7), chains=False),
    Course(112_000, _recipe(8e-5, 8, 0.004), shares=_WITH_CHAINS),
    Course(76_000, _recipe(6e-5, 9, 0.004), shares=_NATURAL, even=True),
)
BESIDE = (
    (1 / 2, (
        Course(120_000, _recipe(8e-5, 10, 0.004), shares=_VOICES),
        Course(76_000, _recipe(7e-5, 11, 0.004), shares=_WRITTEN, even=True, silent=0.4),
    )),
    (1 / 3, (
        Course(90_000, _recipe(8e-5, 12, 0.004), shares=_VOCABULARY, even=True, silent=0.5),
        Course(
            60_000, _recipe(8e-5, 13, 0.004), even=True, silent=0.5,
            shares={**_VOCABULARY, "tekgen": 4.0, "docred": 2.6},
        ),
    )),
    (1 / 2, (
        Course(90_000, _recipe(8e-5, 14, 0.004), shares=_EVERYDAY, even=True, silent=0.35),
    )),
)  # fmt: skip
"""Courses that all begin with the same weights, those of all before. Kept is a mean of these weights, which count as
much as is said, and of theirs: what each teaches is learnt so, and less is forgotten of what the others did."""
_ALL = {
    "tekgen": 28, "docred": 20, "marked": 13.5, "infotabs": 7, "wordings": 7, "fewrel": 4.5, "chains": 3.5,
    "sayings": 3, "templates": 1, "scenes": 0.36,
}  # fmt: skip
"""All that there is, half of it written by people for people."""
LONG = (
    1 / 4,
    1,
    (
        Course(1_520_000, _long(3e-4, 15, 2.9), shares=_ALL, silent=0.55),
        Course(1_610_000, _long(1.6e-4, 16, 2.1), shares=_ALL, silent=0.55, guided=7),
    ),
)
"""Two that follow on one another, for a GPU. Kept is a mean of the weights before, which count as much as is said, and
of those after the last, or the last two, of them."""
_HOUSES = ("med_clinic", "med_molecules", "office_state", "office_tech")
_LABELS = ("med_labels", "office_labels", "world_labels")
_OF_HOUSES = {
    "tekgen": 1.5, "docred": 1.0, "marked": 1.2, "infotabs": 0.2, "wordings": 0.5, "fewrel": 0.1, "sayings": 0.1,
    "chains": 0.06, "templates": 0.05, "scenes": 0.02, "scenes:domain": 0.15, "scenes:domain_2": 0.15,
    **{f"scenes:{name}": 0.0 for name in _LABELS}, **{f"scenes:{name}": 0.4 for name in (*_HOUSES, "plain_near")},
}  # fmt: skip
"""What hospitals, laboratories, banks and ministries write, by relations that Wikidata does not have."""
_OF_LABELS = {
    "tekgen": 0.8, "docred": 0.5, "marked": 0.4, "infotabs": 0.05, "wordings": 0.1, "fewrel": 0.05, "sayings": 0.05,
    "chains": 0.03, "templates": 0.02, "scenes": 0.008, **{f"scenes:{name}": 0.35 for name in _LABELS},
    **{f"scenes:{name}": 0.1 for name in (*_HOUSES, "plain_near")},
}  # fmt: skip
"""The same relations by the several names that graphs give them."""
LAST = (
    0.65, 2,
    (
        Course(99_000, _recipe(6e-5, 17, 0.004), shares=_OF_HOUSES, even=True, silent=0.25, guided=1),
        Course(40_000, _recipe(9e-5, 18, 0.01), shares=_OF_LABELS, even=True, silent=0.25),
    ),
)  # fmt: skip
"""Two more, in the same way, on two cores again."""
_OF_NAMES = {
    "tekgen": 2.0, "docred": 1.4, "marked": 1.0, "infotabs": 0.2, "wordings": 0.5, "fewrel": 0.4, "sayings": 0.2,
    "chains": 0.06, "templates": 0.1, "scenes": 0.008, **{f"scenes:{name}": 0.1 for name in (*_LABELS, *_HOUSES)},
}  # fmt: skip
_OF_ROLES = {
    **_OF_NAMES, "tekgen": 2.4, "docred": 1.8, "infotabs": 0.15, "wordings": 0.4, "fewrel": 0.3, "sayings": 0.15,
    "chains": 0.25, "templates": 0.08, "scenes:turned_round": 0.08, "scenes:firm_graphs": 0.06,
    "scenes:science_graphs": 0.04, **{f"scenes:{name}": 0.3 for name in ("roles", *_TWO_STEPS, *_DESCRIBED)},
}  # fmt: skip
NAMED = (
    1 / 3, tuple(
        Course(pairs, _recipe(8e-5, 19, 0.004), shares=shares, even=True, silent=0.25, renamed=0.6)
        for pairs, shares in ((110_000, _OF_NAMES), (100_000, _OF_ROLES))
    ),
)  # fmt: skip
"""Two, in the way of `BESIDE`, in which relations go by the many names that owners of graphs give them; the second has
more of who does what with a thing, and of what is said in two steps."""
_OF_VERBS = {**{name: share * 0.12 for name, share in _OF_ROLES.items()}, "scenes:mere_verbs": 1.1}
_OF_OLD = {
    **{name: share * 0.3 for name, share in _OF_ROLES.items()}, "wordings": 0.25, "sayings": 0.12,
    **dict.fromkeys((f"scenes:voices_{name}" for name in _SPOKEN if name != "twostep"), 0.06),
    **dict.fromkeys((f"scenes:lex_{name}" for name in _WORDS), 0.03),
    **dict.fromkeys((f"scenes:{name}" for name in ("dates", "plain_near", "plain_many")), 0.06),
    "scenes:claims_free": 0.1, "scenes:mere_verbs": 2.6,
}  # fmt: skip
MERE = (
    0.3, 1, tuple(
        Course(pairs, _recipe(6e-5, number, 0.01), shares=shares, even=True, silent=silent, renamed=0.4)
        for pairs, number, shares, silent in (
            (16_000, 20, _OF_VERBS, 0.25),
            (24_000, 21, {**_OF_VERBS, "scenes:mere_verbs": 2.0}, 0.25),
            (22_000, 22, _OF_OLD, 0.15),
            (22_000, 23, {**_OF_OLD, "scenes:claims_free": 0.4, "wordings": 0.4}, 0.15),
        )
    ),
)  # fmt: skip
"""Four that follow on one another: short sentences whose verb is no relation ("saw", "praised"), and in the last two
what was forgotten over them. Kept is a mean of the weights before and after the last."""


def _of_parts(often: float, plainly: float, wordings: float, **own: float) -> dict[str, float]:
    """Shares of all scenes that came before, and those of the files that are named.

    :param often: of free wordings and dates; ``plainly`` of plain sentences
    """
    return {
        **{name: share * 0.45 for name, share in _OF_ROLES.items()}, "wordings": wordings, "sayings": 0.12,
        **dict.fromkeys((f"scenes:voices_{name}" for name in _SPOKEN if name != "twostep"), often),
        **dict.fromkeys((f"scenes:lex_{name}" for name in _WORDS), often / 2), "scenes:dates": often,
        **dict.fromkeys(("scenes:plain_near", "scenes:plain_many"), plainly), "scenes:claims_free": wordings,
        **{name if name in ("tekgen", "docred", "marked") else f"scenes:{name}": share for name, share in own.items()},
    }  # fmt: skip


PARTS = (
    0.35, 1, tuple(
        Course(pairs, _recipe(rate, number, 0.01), shares=shares, even=True, silent=0.2, renamed=0.4)
        for pairs, rate, number, shares in (
            (42_000, 7e-5, 24, _of_parts(0.08, 0.08, 0.3, mere_verbs=0.8, parts=1.4, around=1.4, ways=1.2)),
            (34_000, 6e-5, 25, _of_parts(0.1, 0.15, 0.4, tekgen=3.2, docred=3.2, marked=0.72, mere_verbs=0.7, parts=3.4,
                                         around=0.8, ways=0.7)),
            (34_000, 6e-5, 26, _of_parts(0.1, 0.15, 0.4, tekgen=3.2, docred=3.2, marked=0.9, mere_verbs=2.2, parts=5.5,
                                         around=0.6, ways=0.4)),
            (40_000, 6e-5, 27, _of_parts(0.1, 0.15, 0.4, tekgen=6, docred=5, marked=1.575, mere_verbs=1, parts=1.8,
                                         around=0.5, ways=0.4)),
        )
    ),
)  # fmt: skip
"""Four that follow on one another: what is said of a part and not of the thing, places by what they lie in, and odd
wordings of dates; the last one sees more of what people wrote."""
_FILLED = 6
"""Sets of names that a scene is filled with."""
_MOST = 250
"""Rows of one relation of FewRel, which has 700 of each of 16."""
_USUAL = 300
"""Rows of a relation of which there are enough."""
_WALKS = 3500
"""Sentences of two steps that are made from statements."""
_ALSO_DENIED = 0.06
"""Share of the rows that say something directly of which it is denied in two steps."""
_log = logging.getLogger(__name__)


def rows_of(reading: Path, nli: Path, store: Store, own: Path, templates: int) -> list[made.Row]:
    """All rows; `of_course` says which of them a course may see."""
    chance = random.Random(SEED)
    fillers = made.Fillers(store, chance)
    known = [*made.read(reading / "tekgen.jsonl.gz"), *made.read(reading / "fewrel.jsonl.gz")]
    rows = [
        *made.tekgen(reading / "tekgen.jsonl.gz", chance),
        *_few(made.fewrel(reading / "fewrel.jsonl.gz", chance), chance),
        *made.docred(reading / "docred.jsonl.gz", chance),
        *made.infoboxes(nli / "train.jsonl.gz"),
        *made.Templates(store, SEED).make(templates),
        *made.sayings(own / "sayings.jsonl", fillers),
        *made.sayings(own / "wordings.jsonl", fillers),
        *scenes.scenes(own / "scenes", _FILLED, chance),
        *chains.Chains(store, own, fillers, chance).make(_WALKS),
        *marked.marked(own / "marked", known, chance),
    ]
    return [*rows, *chains.denied(rows, chains.combinations(rows), _ALSO_DENIED, chance)]


def of_course(rows: Sequence[made.Row], course: Course) -> list[made.Row]:
    """Those that a course may see."""
    chance = random.Random(SEED)
    return [
        row
        for row in rows
        if (row.said or course.silent == 1 or chance.random() < course.silent)
        and (course.scenes or not row.source.startswith(scenes.SOURCE))
        and (course.chains or not row.through and row.source != chains.SOURCE)
        and (course.whole or not row.said or not all(map(made.is_held_out, row.said)))
    ]


def _share(row: made.Row, shares: Mapping[str, float]) -> float:
    return shares.get(row.source, shares.get(row.source.partition(":")[0], 1.0))


def _rarity(row: made.Row, counted: Mapping[str, int]) -> float:
    """How much more often the row is seen because what it says is seldom said: 0.5 to 3."""
    if not row.said or not counted:
        return 1.0
    return min(3.0, max(0.5, math.sqrt(_USUAL / max(1, min(counted[one] for one in row.said)))))


def _few(rows: Iterable[made.Row], chance: random.Random) -> list[made.Row]:
    rows = list(rows)
    chance.shuffle(rows)
    counted: Counter[str] = Counter()
    kept = []
    for row in rows:
        key = (*row.said, *row.rivals)[0]
        counted[key] += 1
        if counted[key] <= 2 * _MOST:
            kept.append(row)
    return kept


def pairs(
    rows: Sequence[made.Row],
    names: Names,
    number: int,
    chance: random.Random,
    shares: Mapping[str, float] = SHARES,
    even: bool = False,
    renamed: float = RENAMED,
) -> list[Pair]:
    """Sentence and statement, at most three of a row: what it asserts, and what it is easily taken to assert.

    :param shares: see `Course`, as for ``even`` and ``renamed``
    """
    counted = Counter(label for row in rows for label in row.said) if even else Counter()
    chosen = [
        row for row in rows for _ in range(math.floor(_share(row, shares) * _rarity(row, counted) + chance.random()))
    ]
    chance.shuffle(chosen)
    found: list[Pair] = []
    for row in chosen:
        for label, yes in names.asked(row, chance):
            through = names.shown(row.through, chance) if row.through else ""
            question = Question(row.text, row.head, row.tail, through)
            said = hypothesis(question, names.shown(label, chance, renamed))
            found.append(Pair(row.text, said, ASSERTED if yes else UNASSERTED, row.source))
        if len(found) >= number:
            break
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reading", type=Path, required=True, help="folder of tekgen, fewrel and docred")
    parser.add_argument("--nli", type=Path, required=True, help="folder of train.jsonl.gz, for InfoTabs")
    parser.add_argument("--kg", type=Path, required=True, help="a KG to make templates from")
    parser.add_argument("--world", type=Path, required=True, help="a KG of well-known things: what it denies")
    parser.add_argument("--own", type=Path, default=Path("data"), help="folder of sayings.jsonl and scenes")
    parser.add_argument("--base", type=Path, default=JUDGE)
    parser.add_argument("--templates", type=int, default=6000)
    parser.add_argument("--work", type=Path, required=True, help="folder of the courses; what is done stays done")
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    with Store(given.kg) as store:
        rows = rows_of(given.reading, given.nli, store, given.own, given.templates)
        named = {line["label"]: line["names"] for line in made.read(given.own / "relation_names.jsonl")}
        names = {whole: Names(rows, store, all_labels=whole, named=named) for whole in (False, True)}
    _log.info("%d rows, %s", len(rows), dict(Counter(row.source for row in rows)))
    at, number = given.base, count(1)

    def learnt(course: Course, base: Path, against: Sequence[Pair] = ()) -> Path:
        return _learnt(rows, names, course, base, given.work / f"course{next(number)}", against)

    def beside(kept: float, together: Sequence[Course]) -> Path:
        ends = [learnt(course, at) for course in together]
        return _mean(at, kept, ends, given.work / f"mean-{ends[-1].name}")

    def following(kept: float, counted: int, courses: Sequence[Course], against: Sequence[Pair] = ()) -> Path:
        ends = [at]
        for course in courses:
            ends.append(learnt(course, ends[-1], against))
        return _mean(at, kept, ends[-counted:], given.work / f"mean-{ends[-1].name}")

    for course in COURSES:
        at = learnt(course, at)
    for kept, together in BESIDE:
        at = beside(kept, together)
    against = [*_against(given.kg, given), *_against(given.world, given)]
    for one in (LONG, LAST) if torch.cuda.is_available() else (LAST,):
        at = following(*one, against)
    at = beside(*NAMED)
    at = following(*MERE)
    at = following(*PARTS)
    shutil.copytree(at, given.output, dirs_exist_ok=True)


def _against(kg: Path, given: argparse.Namespace) -> list[Pair]:
    """What a KG would hold against sentences, and against short texts in which everything is true."""
    files = given.reading / "tekgen.jsonl.gz", given.reading / "fewrel.jsonl.gz", given.own / guided.TRUE
    with Store(kg, read_only=True) as store:
        return list(dict.fromkeys(guided.guided(store, (line for path in files for line in made.read(path)))))


def _learnt(
    rows: Sequence[made.Row],
    names: Mapping[bool, Names],
    course: Course,
    base: Path,
    target: Path,
    against: Sequence[Pair] = (),
) -> Path:
    """The folder of a course's weights, which is made unless it is there."""
    if not (target / "config.json").exists():
        chance = random.Random(course.recipe.seed)
        seen = of_course(rows, course)
        learnt = pairs(seen, names[course.whole], course.pairs, chance, course.shares, course.even, course.renamed)
        learnt += [*against] * course.guided
        asserted = sum(pair.allowed == ASSERTED for pair in learnt)
        _log.info("%s: %d pairs, %d asserted", target.name, len(learnt), asserted)
        _learn(learnt, course, base, target)
    return target


def _mean(start: Path, kept: float, ends: Sequence[Path], target: Path) -> Path:
    """The mean of some weights, which count ``kept``, and of others, which count as much as each other."""
    model, tokenizer = fit.load(start)
    others = [fit.load(one)[0].state_dict() for one in ends]
    for name, value in model.state_dict().items():
        if value.is_floating_point():
            value.copy_(kept * value + (1 - kept) * sum(one[name] for one in others) / len(others))
    fit.save(model, tokenizer, target, temperature=1.0, max_tokens=MAX_TOKENS, two_steps=COURSES[-1].chains)
    return target


def _learn(learnt: Sequence[Pair], course: Course, base: Path, target: Path) -> None:
    model, tokenizer = fit.load(base)
    rows = fit.encoded(learnt, tokenizer, course.recipe.max_tokens)
    fit.train(model, rows, course.recipe, lambda now: _log.info("%s", now))
    fit.save(model, tokenizer, target, temperature=1.0, max_tokens=MAX_TOKENS, two_steps=course.chains)


if __name__ == "__main__":
    main()
